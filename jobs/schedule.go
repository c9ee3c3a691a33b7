package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"purr/dunning/collection/reports"
	"purr/internal/clock"
	"purr/jobs/tasks"
	"purr/mailer/letters"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/store"
)

// schedule is the cron table. It says when a business date's runs fall due in the creditor's time zone. They are made
// in this order.
var schedule = []entry{
	{models.RunStatus, timetable("5 0 * * *")},
	{models.RunVerify, timetable("30 3 * * *")},
	{models.RunDunning, timetable(fmt.Sprintf("0 %d * * *", models.DunningHour))}, // rule E6f
}

// entry is a kind of run with its times, in no time zone yet.
type entry struct {
	kind  models.RunKind
	times cron.SpecSchedule
}

// timetable reads times in cron's form.
func timetable(spec string) cron.SpecSchedule {
	times, err := cron.ParseStandard(spec)
	if err != nil {
		panic(err) // the specs are constants
	}
	return *times.(*cron.SpecSchedule) //nolint:errcheck // only "@every" is read into another type
}

// due returns today's date in the creditor's time zone, when the run falls due today, and when a run falls due next
// after now. Nothing repeats a date without a run: the next date's run does its work.
func (e entry) due(creditor models.Creditor, now time.Time) (today models.Date, at, next time.Time, err error) {
	zone, err := creditor.Location()
	if err != nil {
		return 0, time.Time{}, time.Time{}, err
	}
	e.times.Location = zone
	local := now.In(zone)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone)
	return models.DateOf(local), e.times.Next(midnight.Add(-time.Second)), e.times.Next(now), nil
}

// fall is when the runs of one kind fall due.
type fall struct {
	kind  models.RunKind
	today models.Date
	at    time.Time // today
	next  time.Time // after now
}

// fallsAt says when the runs of the creditors in a time zone fall due, in the schedule's order.
func fallsAt(now time.Time, zone string) ([]fall, error) {
	var falls []fall
	for _, entry := range schedule {
		today, at, next, err := entry.due(models.Creditor{TimeZone: zone}, now)
		if err != nil {
			return nil, err
		}
		falls = append(falls, fall{entry.kind, today, at, next})
	}
	return falls, nil
}

// How often the scheduler sweeps and polls.
const (
	sweepEvery  = 5 * time.Second // rule R5c: the first new try within 10 s
	sendEvery   = time.Second     // rules E7, S5: webhooks hear of an event at once, and mail leaves at once
	inboxEvery  = 5 * time.Second // rule R5: within 10 s of a file being complete; the inbox wakes by itself for most files
	bounceEvery = 5 * time.Second // rule S3a: within 10 s
	inboxFailed = 5 * time.Second // the pause after a failed poll, and while the installation is held
)

// Inbox is polled for new files.
type Inbox interface {
	Poll(ctx context.Context) error
}

// wakingInbox is one that tells when it should be polled at once. The channel may be nil.
type wakingInbox interface {
	Woken() <-chan struct{}
}

// Scheduler wakes the workers, by cron. It decides nothing: the rows say what is due. So two schedulers do no harm,
// and neither does a scheduler that was stopped for a while. All fields must be set unless their comment says
// otherwise.
type Scheduler struct {
	DB       *store.DB
	Queue    *Queue
	Inbox    Inbox
	Bounces  Inbox               // the folder of delivery reports
	Bank     *inbound.BankFolder // nil if the bank has no folder to poll
	Shop     *letters.Shop       // nil if letters do not leave in batches
	Receipts []*receipts.Way     // the ways out whose other side gives receipts
	// CollectorReports is the folder of the debt collector's reports; nil if there is none to read.
	CollectorReports *reports.Folder
	// Folders are the folders of single creditors in which a print shop or a debt collector tells; nil if there are none.
	Folders Folders
	// ClaimReceipts is the folder of the bank's receipts for claims of AvtaleGiro; nil if there is none to read.
	ClaimReceipts *avtalegiro.Folder
	Clock         clock.Clock
	Log           *slog.Logger

	pulse tasks.Pulse // when a sweep last got on

	asking   sync.Mutex // what one sweep asks for the due runs with, and the next one remembers
	allBegun begun
	awaited  awaited
}

// Start begins to sweep and to poll the inbox, at once and until stop is called.
func (s *Scheduler) Start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.pulse.Beat()
	sweep := cron.FuncJob(func() {
		_, err := s.Sweep(ctx)
		s.failed("sweep", err)
	})
	lane := int64(0)
	send := cron.FuncJob(func() {
		lane = (lane + 1) % shipLanes // another one each time, in case one is held up
		s.failed("sweep of shipments and webhooks", s.send(ctx, lane))
	})
	beats := cron.New(cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	beats.Schedule(clock.Multiples(sweepEvery), sweep)
	beats.Schedule(clock.Multiples(sendEvery), send)
	beats.Start()
	var others sync.WaitGroup
	others.Go(sweep) // at once: rows may have fallen due while nothing ran
	others.Go(func() { s.watch(ctx, "inbox", s.Inbox, inboxEvery) })
	others.Go(func() { s.watch(ctx, "folder of delivery reports", s.Bounces, bounceEvery) })
	return func() {
		cancel()
		<-beats.Stop().Done()
		others.Wait()
	}
}

// watch polls an inbox until the context ends. While the installation is held, it leaves the inbox alone: the files may be
// for the installation that this one is a copy of.
func (s *Scheduler) watch(ctx context.Context, name string, inbox Inbox, every time.Duration) {
	var told <-chan struct{}
	if waking, is := inbox.(wakingInbox); is {
		told = waking.Woken()
	}
	for held := true; ; { // a hold begins before the program does
		pause, woken := clock.Multiples(every).Until(), told
		var err error
		if held {
			if held, err = s.held(ctx); err != nil {
				held = true
			}
		}
		if !held {
			err = inbox.Poll(ctx)
		}
		if s.failed(name, err) || held {
			pause, woken = inboxFailed, nil
		}
		select {
		case <-woken:
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// failed reports whether there is an error, and logs it. The next sweep tries again.
func (s *Scheduler) failed(what string, err error) bool {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Log.Error("the scheduler's "+what+" failed", "error", err)
	}
	return err != nil
}

// Alive fails if the scheduler has got nothing done for a while, although it sweeps every few seconds.
func (s *Scheduler) Alive(context.Context) error {
	if quiet := s.pulse.Quiet(); quiet > tasks.StalledAfter {
		return models.Unavailable("the scheduler", fmt.Errorf("no sweep has got on for %s", quiet.Round(time.Second)))
	}
	return nil
}

// KeepWays remembers by which ways this scheduler thinks that letters leave, where it runs apart from the workers; nil where it runs
// with one (rule D105).
func (s *Scheduler) KeepWays(ctx context.Context, ways models.Ways) error {
	return shipments.KeepSchedulerWays(ctx, s.DB, ways)
}
