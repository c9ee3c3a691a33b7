package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"purr/clock"
	"purr/models"
	"purr/ocr/inbound"
	"purr/store"
)

// schedule is the cron table: when, in the creditor's time zone, a business date's run falls due. In
// the order in which they are made.
var schedule = []struct {
	kind models.RunKind
	spec string
}{
	{models.RunStatus, "5 0 * * *"},
	{models.RunVerify, "30 3 * * *"},
	{models.RunDunning, "0 6 * * *"}, // rule E6f
}

// The scheduler's own beat.
const (
	sweepEvery = 5 * time.Second // rule R5c: the first new try within 10 s
	postEvery  = time.Second     // rule E7: webhooks hear of an event at once

	inboxEvery  = 100 * time.Millisecond // rule R5: within 10 s of a file being complete; a look costs a few system calls
	inboxFailed = 5 * time.Second        // until an inbox that cannot be read is looked into again
)

// Inbox is looked into for new files.
type Inbox interface {
	Poll(ctx context.Context) error
}

// Scheduler wakes the rest. It decides nothing: the run table knows what is owed, so two schedulers do
// no harm, and neither does one that slept through the time. All fields must be set unless their comment says otherwise.
type Scheduler struct {
	DB    *store.DB
	Queue *Queue
	Inbox Inbox
	Bank  *inbound.BankFolder // nil where files are not fetched from the bank
	Clock clock.Clock
	Log   *slog.Logger

	mu    sync.Mutex
	zones map[string]bool // those that have their cron entries
}

// Start begins to wake the rest, and returns how to stop.
func (s *Scheduler) Start(ctx context.Context) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	c := cron.New(cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	sweep := func() { s.quietly("sweep", s.beat(ctx, c)) }
	_, errSweep := c.AddFunc(fmt.Sprintf("@every %s", sweepEvery), sweep)
	_, errPost := c.AddFunc(fmt.Sprintf("@every %s", postEvery), func() { s.quietly("sweep of webhooks", s.post(ctx)) })
	if err := errors.Join(errSweep, errPost); err != nil {
		cancel()
		return nil, fmt.Errorf("start the scheduler: %w", err)
	}
	c.Start()
	var others sync.WaitGroup
	others.Go(sweep) // what fell due while nothing ran does not wait for the first beat
	others.Go(func() { s.watchInbox(ctx) })
	return func() {
		cancel()
		<-c.Stop().Done()
		others.Wait()
	}, nil
}

// watchInbox looks into the inbox until the context ends.
func (s *Scheduler) watchInbox(ctx context.Context) {
	next := time.NewTimer(inboxEvery)
	defer next.Stop()
	for {
		select {
		case <-next.C:
		case <-ctx.Done():
			return
		}
		pause := inboxEvery
		if err := s.Inbox.Poll(ctx); err != nil {
			s.quietly("inbox", err)
			pause = inboxFailed
		}
		next.Reset(pause)
	}
}

// post sweeps the deliveries to webhooks alone.
func (s *Scheduler) post(ctx context.Context) error {
	_, err := s.enqueue(ctx, s.owedDeliveries)
	return err
}

// beat sweeps, and gives time zones that are new their cron entries.
func (s *Scheduler) beat(ctx context.Context, c *cron.Cron) error {
	if err := s.addZones(ctx, c); err != nil {
		return err
	}
	_, err := s.Sweep(ctx)
	return err
}

func (s *Scheduler) addZones(ctx context.Context, c *cron.Cron) error {
	creditors, err := s.DB.Creditors(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, creditor := range creditors {
		zone := creditor.TimeZone
		if s.zones[zone] {
			continue
		}
		for _, entry := range schedule {
			wake := func() { s.quietly("scheduled sweep", s.beat(ctx, c)) }
			if _, err := c.AddFunc("CRON_TZ="+zone+" "+entry.spec, wake); err != nil {
				return fmt.Errorf("schedule %s in %s: %w", entry.kind, zone, err)
			}
		}
		if s.zones == nil {
			s.zones = map[string]bool{}
		}
		s.zones[zone] = true
	}
	return nil
}

// quietly logs a failure: the next beat tries again.
func (s *Scheduler) quietly(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Log.Error("the scheduler's "+what+" failed", "error", err)
	}
}

// due reports whether a kind of run has fallen due today, in the creditor's time zone, and when the next
// falls due. A date whose time passed unseen is not made up for: the next date's run does its work.
func due(spec string, creditor models.Creditor, now time.Time) (today models.Date, fallen bool, next time.Time, err error) {
	loc, err := creditor.Location()
	if err != nil {
		return 0, false, time.Time{}, err
	}
	timetable, err := cron.ParseStandard("CRON_TZ=" + creditor.TimeZone + " " + spec)
	if err != nil {
		return 0, false, time.Time{}, fmt.Errorf("read the schedule %q: %w", spec, err)
	}
	local := now.In(loc)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, loc)
	fallen = !timetable.Next(midnight.Add(-time.Second)).After(now)
	return models.DateOf(local), fallen, timetable.Next(now), nil
}
