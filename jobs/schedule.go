package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"purr/clock"
	"purr/models"
	"purr/ocr/inbound"
	"purr/store"
)

// schedule says when a business date's runs fall due, in the creditor's time zone and in the order in which they are
// made.
var schedule = []falling{
	{models.RunStatus, 0, 5},
	{models.RunVerify, 3, 30},
	{models.RunDunning, 6, 0}, // rule E6f
}

// falling is the time of day at which a kind of run falls due.
type falling struct {
	kind         models.RunKind
	hour, minute int
}

// due returns today's date in the creditor's time zone, when the run falls due today, and when one falls due next after
// now. A date on which nothing ran is not made up for: the next date's run does its work.
func (f falling) due(creditor models.Creditor, now time.Time) (today models.Date, at, next time.Time, err error) {
	zone, err := creditor.Location()
	if err != nil {
		return 0, time.Time{}, time.Time{}, err
	}
	now = now.In(zone)
	on := func(day int) time.Time { return time.Date(now.Year(), now.Month(), day, f.hour, f.minute, 0, 0, zone) }
	at = on(now.Day())
	if next = at; !next.After(now) {
		next = on(now.Day() + 1)
	}
	return models.DateOf(now), at, next, nil
}

// How often the scheduler asks what is owed.
const (
	sweepEvery   = 5 * time.Second        // rule R5c: the first new try within 10 s
	deliverEvery = time.Second            // rule E7: webhooks hear of an event at once
	inboxEvery   = 100 * time.Millisecond // rule R5: within 10 s of a file being complete; a poll costs a few system calls
	pauseFailed  = 5 * time.Second        // after a failure
)

// Inbox is polled for new files.
type Inbox interface {
	Poll(ctx context.Context) error
}

// Scheduler wakes the workers. It decides nothing: the rows say what is owed. So two schedulers do no harm, and neither
// does one that was stopped for a while. All fields must be set unless their comment says otherwise.
type Scheduler struct {
	DB    *store.DB
	Queue *Queue
	Inbox Inbox
	Bank  *inbound.BankFolder // nil if files are not fetched from the bank
	Clock clock.Clock
	Log   *slog.Logger
}

// Start begins to sweep and to poll the inbox, at once and until stop is called.
func (s *Scheduler) Start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	repeat := func(what string, every time.Duration, do func(context.Context) error) {
		all.Go(func() { s.repeat(ctx, what, every, do) })
	}
	repeat("sweep", sweepEvery, func(ctx context.Context) error { _, err := s.Sweep(ctx); return err })
	repeat("sweep of webhooks", deliverEvery, func(ctx context.Context) error { _, err := s.enqueue(ctx, s.owedDeliveries); return err })
	repeat("inbox", inboxEvery, s.Inbox.Poll)
	return func() {
		cancel()
		all.Wait()
	}
}

// repeat does something again and again, with pauses, until the context ends.
func (s *Scheduler) repeat(ctx context.Context, what string, every time.Duration, do func(context.Context) error) {
	for {
		pause := every
		if err := do(ctx); err != nil {
			s.logFailure(what, err)
			pause = max(pause, pauseFailed)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// logFailure logs what failed and will be tried again.
func (s *Scheduler) logFailure(what string, err error) {
	if !errors.Is(err, context.Canceled) {
		s.Log.Error("the scheduler's "+what+" failed", "error", err)
	}
}
