package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
)

// testClockSetting is the setting with the saved time of the installation's test clock (rule R5b).
const testClockSetting = "test_clock"

// TestClock moves the whole program through simulated time (rule E8).
type TestClock struct {
	clock     *clock.Test
	scheduler *Scheduler
	turn      chan struct{} // its holder moves the clock

	mu       sync.Mutex
	move     clock.Move // the last one that was begun
	moving   sync.WaitGroup
	end      context.CancelFunc // ends the moves in the background
	lifetime context.Context    //nolint:containedctx // of the moves, which outlive the requests that begin them
}

// NewTestClock returns the mover of the program's one clock.
func NewTestClock(c *clock.Test, s *Scheduler) *TestClock {
	lifetime, end := context.WithCancel(context.Background())
	return &TestClock{clock: c, scheduler: s, turn: make(chan struct{}, 1), lifetime: lifetime, end: end}
}

// Close ends what moves in the background, where it stands.
func (t *TestClock) Close() {
	t.end()
	t.moving.Wait()
}

// Begin lets the clock move forward to a moment in the background, as Advance moves it, and returns at once. Moves that
// are begun together take turns. It fails with models.KindInvalid if the moment is before the clock's.
func (t *TestClock) Begin(to time.Time) error {
	if err := t.forward(to); err != nil {
		return err
	}
	move := clock.Move{From: t.Now(), To: to}
	t.mu.Lock()
	t.move = move
	t.mu.Unlock()
	t.moving.Go(func() {
		ended := move
		ended.Err, ended.Ended = t.Advance(t.lifetime, to), true
		if ended.Err != nil {
			t.scheduler.Log.Warn("the test clock stopped on its way", "to", to, "error", ended.Err)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.move == move {
			t.move = ended
		}
	})
	return nil
}

// LastMove returns the move in the background that was begun last. Now says how far it has come.
func (t *TestClock) LastMove() clock.Move {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.move
}

// NextDue returns the first moment after now, and at most at the given one, at which some work falls due.
func (t *TestClock) NextDue(ctx context.Context, latest time.Time) (time.Time, error) {
	return t.next(ctx, latest)
}

// forward fails if a moment is before the clock's.
func (t *TestClock) forward(to time.Time) error {
	if to.Before(t.Now()) {
		return models.Invalid("clock_backwards", "now", "the clock stands at %s and moves forward only", t.Now().Format(time.RFC3339))
	}
	return nil
}

// Now returns the simulated moment.
func (t *TestClock) Now() time.Time { return t.clock.Now() }

// Advance moves the clock forward to a moment. On the way it does all due work at the time when it falls due, in
// order. When Advance returns, the queue is empty. It fails with models.KindInvalid if the moment is before the
// clock's.
func (t *TestClock) Advance(ctx context.Context, to time.Time) error {
	to = to.Truncate(time.Microsecond) // the clock's own precision
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := t.forward(to); err != nil {
		return err
	}
	for {
		if err := t.settle(ctx); err != nil || t.Now().Equal(to) {
			return err
		}
		next, err := t.next(ctx, to)
		if err != nil {
			return err
		}
		if err := t.set(ctx, next); err != nil {
			return err
		}
	}
}

// settle does all work that is due now.
func (t *TestClock) settle(ctx context.Context) error {
	for {
		held, err := t.scheduler.held(ctx)
		if err != nil {
			return err
		}
		if !held {
			t.scheduler.failed("inbox", t.scheduler.Inbox.Poll(ctx)) // a file that fails does not stop the clock
		}
		queued, err := t.scheduler.Sweep(ctx)
		if err != nil {
			return err
		}
		waited, err := t.scheduler.Queue.WaitIdle(ctx)
		if err != nil {
			return err
		}
		if queued == 0 && !waited { // what the schedule queued by itself may have made more work due
			return nil
		}
	}
}

// next returns the first moment after now at which work falls due. It returns to if no work falls due before then.
func (t *TestClock) next(ctx context.Context, to time.Time) (time.Time, error) {
	now, next, db := t.Now(), to, t.scheduler.DB
	sooner := func(at time.Time) {
		if at.After(now) && at.Before(next) {
			next = at
		}
	}
	zones, err := db.CreditorZones(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, zone := range zones {
		falls, err := fallsAt(now, zone.TimeZone)
		if err != nil {
			continue // the sweep tells of it
		}
		for _, f := range falls {
			sooner(f.next)
		}
	}
	is, err := t.scheduler.ask(ctx, to, kinds())
	if err != nil {
		return time.Time{}, err
	}
	for _, k := range is.kinds {
		if !is.there(k.name) {
			continue
		}
		attempt, owed, err := k.falls(ctx, t.scheduler)
		if err != nil {
			return time.Time{}, err
		}
		if owed {
			sooner(attempt)
		}
	}
	return next, nil
}

// set first saves the clock's new time and then moves the clock. So no row is dated after the saved time.
func (t *TestClock) set(ctx context.Context, to time.Time) error {
	if err := t.scheduler.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return SaveTestClock(ctx, tx, to) }); err != nil {
		return err
	}
	t.clock.Set(to)
	return nil
}

// SaveTestClock writes the time of the installation's test clock.
func SaveTestClock(ctx context.Context, tx *store.Tx, now time.Time) error {
	return tx.SetSetting(ctx, testClockSetting, now.Format(time.RFC3339Nano))
}

// SavedTestClock returns the saved time of the installation's test clock. It returns false if there is none.
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

// clockSetting is the setting that says by which clock the installation has worked, if by the system's (rule D104).
const (
	clockSetting = "clock"
	systemClock  = "system"
)

// NoteSystemClock notes that a part has run on the system's clock: the installation never runs on a test clock then.
func NoteSystemClock(ctx context.Context, db *store.DB) error {
	noted, err := db.Setting(ctx, clockSetting)
	if err != nil || noted == systemClock {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetSetting(ctx, clockSetting, systemClock) })
}

// OnSystemClock reports whether a part has run on the system's clock. Releases before the note left only the work that they did.
// Creditors and keys may be made before an installation begins on a test clock.
func OnSystemClock(ctx context.Context, db *store.DB) (bool, error) {
	noted, err := db.Setting(ctx, clockSetting)
	if err != nil || noted == systemClock {
		return err == nil, err
	}
	return db.HasWorked(ctx)
}
