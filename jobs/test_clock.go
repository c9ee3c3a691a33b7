package jobs

import (
	"context"
	"fmt"
	"time"

	"purr/clock"
	"purr/models"
	"purr/store"
)

// testClockSetting is where the installation keeps its test clock's time (rule R5b).
const testClockSetting = "test_clock"

// TestClock moves the whole program through simulated time (rule E8).
type TestClock struct {
	clock     *clock.Test
	scheduler *Scheduler
	turn      chan struct{} // held by whoever moves the clock
}

// NewTestClock returns the mover of a clock that the scheduler and all others go by.
func NewTestClock(c *clock.Test, s *Scheduler) *TestClock {
	return &TestClock{clock: c, scheduler: s, turn: make(chan struct{}, 1)}
}

// Now returns the simulated moment.
func (t *TestClock) Now() time.Time { return t.clock.Now() }

// Advance moves the clock forward to a moment. Whatever falls due on the way is done at its own time, in
// order; when Advance returns the queue is empty. It fails with models.KindInvalid for a moment in the
// clock's past.
func (t *TestClock) Advance(ctx context.Context, to time.Time) error {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if to.Before(t.Now()) {
		return models.Invalid("clock_backwards", "now", "the clock stands at %s and moves forward only", t.Now().Format(time.RFC3339))
	}
	for {
		if err := t.settle(ctx); err != nil {
			return err
		}
		next, err := t.next(ctx)
		if err != nil {
			return err
		}
		if next.IsZero() || next.After(to) {
			break
		}
		if err := t.set(ctx, next); err != nil {
			return err
		}
	}
	if err := t.set(ctx, to); err != nil {
		return err
	}
	return t.settle(ctx)
}

// settle does everything that is owed at the present simulated moment.
func (t *TestClock) settle(ctx context.Context) error {
	for {
		if err := t.scheduler.Inbox.Poll(ctx); err != nil {
			t.scheduler.logFailure("inbox", err) // a file that fails stops no clock
		}
		queued, err := t.scheduler.Sweep(ctx)
		if err != nil {
			return err
		}
		if err := t.scheduler.Queue.waitIdle(ctx); err != nil {
			return err
		}
		if queued == 0 {
			return nil
		}
	}
}

// next returns the next moment after now at which anything falls due, zero where nothing does.
func (t *TestClock) next(ctx context.Context) (time.Time, error) {
	var next time.Time
	sooner := func(at time.Time) {
		if at.After(t.Now()) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	creditors, err := t.scheduler.DB.Creditors(ctx)
	if err != nil {
		return next, err
	}
	for _, creditor := range creditors {
		for _, entry := range schedule {
			_, _, at, err := entry.due(creditor, t.Now())
			if err != nil {
				return next, err
			}
			sooner(at)
		}
	}
	for _, ask := range []func(context.Context) (time.Time, bool, error){
		t.scheduler.DB.NextAttempt, t.scheduler.DB.NextHandOver, t.scheduler.DB.NextDelivery, t.scheduler.nextPoll,
	} {
		attempt, owed, err := ask(ctx)
		if err != nil {
			return time.Time{}, err
		}
		if owed {
			sooner(attempt)
		}
	}
	return next, nil
}

// set keeps where the clock will stand, and then moves it: nothing is ever dated after what is kept.
func (t *TestClock) set(ctx context.Context, to time.Time) error {
	if err := t.scheduler.DB.InTx(ctx, func(tx *store.Tx) error { return SaveTestClock(ctx, tx, to) }); err != nil {
		return err
	}
	t.clock.Set(to)
	return nil
}

// SaveTestClock keeps where the installation's test clock stands.
func SaveTestClock(ctx context.Context, tx *store.Tx, now time.Time) error {
	return tx.SetSetting(ctx, testClockSetting, now.Format(time.RFC3339Nano))
}

// SavedTestClock returns where the installation's test clock stands, and false where it has none.
func SavedTestClock(ctx context.Context, db *store.DB) (time.Time, bool, error) {
	value, err := db.Setting(ctx, testClockSetting)
	if err != nil || value == "" {
		return time.Time{}, false, err
	}
	now, err := time.Parse(time.RFC3339Nano, value)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read the installation's test clock: %w", err)
	}
	return now, true, nil
}
