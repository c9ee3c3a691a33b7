package jobs

import (
	"context"
	"errors"
	"time"

	"purr/mailer"
	"purr/store"
	"purr/webhook"
)

// A lease gives a row to one worker for a time. It lasts longer than the job's timeout and the recording of the
// result. So no two workers send the same thing at once. If a worker is killed, another one does the work when the
// lease ends.
const (
	shipLease    = 3 * time.Minute
	collectLease = 5 * time.Minute
	deliverLease = webhook.Timeout + recordWithin + 25*time.Second

	shipTimeout    = shipLease - mailer.Overrun - time.Minute
	collectTimeout = collectLease - recordWithin - time.Minute
	deliverTimeout = deliverTurn + deliverLease // of a lane, which takes one lease after another
)

// The bounds of recording a result. A channel's acceptance must be recorded, even if the job's time is up or the
// database is away for a moment. A dispatch without a record is repeated.
const (
	recordWithin = 50 * time.Second
	recordPause  = 500 * time.Millisecond
)

// leased is work that a row owes.
type leased struct {
	// take locks the row. If its work is due it counts the attempt, writes when the lease ends as the time of the next
	// attempt, and returns true.
	take func(ctx context.Context, tx *store.Tx) (bool, error)
	// do does the work, outside of any transaction.
	do func(ctx context.Context) error
	// record writes the result: done, the time of the next attempt, or given up.
	record func(ctx context.Context, tx *store.Tx, failure error) error
}

// underLease takes a row, does the work and records the result. It reports false if nothing was due, or if the
// installation is held (rule O3).
func (w *Worker) underLease(ctx context.Context, l leased) (taken bool, err error) {
	err = w.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		taken, err = l.take(ctx, tx)
		return err
	})
	if errors.Is(err, store.ErrHeld) {
		return false, nil
	}
	if err != nil || !taken {
		return false, err
	}
	failure := l.do(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	pause := time.NewTicker(recordPause)
	defer pause.Stop()
	for {
		err := w.DB.InTx(ctx, func(tx *store.Tx) error { return l.record(ctx, tx, failure) })
		if err == nil {
			return true, nil
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return true, err
		}
	}
}
