package jobs

import (
	"context"
	"errors"
	"time"

	"purr/store"
)

// How long a job tries to note its result. After that the holder of its lease goes on trying, without end.
const (
	recordWithin = 5 * time.Second
	recordPause  = 500 * time.Millisecond
)

// leased is work that a row owes.
type leased struct {
	// take locks the row. If its work is due it counts the attempt, writes the worker's name on the row, and returns
	// true.
	take func(ctx context.Context, tx *store.Tx, worker string) (bool, error)
	// do does the work, outside of any transaction. What cannot be taken back leaves only if stillOurs returns nil.
	do func(ctx context.Context, stillOurs func() error) error
	// accepted returns the mark of work that must not be repeated once do has succeeded, and whether it must outlive a
	// power cut. It is nil if a repetition does no harm.
	accepted func() (m mark, durable bool)
	// record writes the result and takes the worker's name off: done, the time of the next attempt, or given up.
	record func(ctx context.Context, tx *store.Tx, failure error) error
}

// underLease takes a row, does the work and records the result. It reports false if nothing was due, or if the
// installation is held (rule O3).
func (w *Worker) underLease(ctx context.Context, l leased) (taken bool, err error) {
	return w.hold(ctx, l.take, l.record, func(holding *tenancy) {
		failure := l.do(ctx, func() error { return w.Holder.stillOurs(holding) })
		noted := result{note: func(ctx context.Context, tx *store.Tx) error { return l.record(ctx, tx, failure) }, done: func() {}}
		if failure == nil && l.accepted != nil {
			m, durable := l.accepted()
			noted.done = w.mark(holding, m, durable)
		}
		w.note(context.WithoutCancel(ctx), noted)
	})
}

// hold takes what rows owe, and lets do work at it, which also notes the result. If it is not known whether it was taken,
// hold has that recorded as a failure. It reports false if nothing was due, or if the installation is held (rule O3).
func (w *Worker) hold(
	ctx context.Context,
	take func(ctx context.Context, tx *store.Tx, worker string) (bool, error),
	record func(ctx context.Context, tx *store.Tx, failure error) error,
	do func(holding *tenancy),
) (taken bool, err error) {
	holding, end, err := w.Holder.begin()
	if err != nil {
		return false, err
	}
	defer end()
	err = w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		taken = false
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		taken, err = take(ctx, tx, holding.worker)
		return err
	})
	if errors.Is(err, store.ErrHeld) {
		return false, nil
	}
	if err != nil && taken { // it may be taken: the connection broke at the commit
		failure := err
		w.Holder.later(result{note: func(ctx context.Context, tx *store.Tx) error { return record(ctx, tx, failure) }, done: func() {}})
	}
	if err != nil || !taken {
		return false, err
	}
	do(holding)
	return true, nil
}

// mark keeps on disk and in Redis that a channel has accepted something, and returns what takes the mark away.
func (w *Worker) mark(holding *tenancy, accepted mark, durable bool) (unmark func()) {
	slot, err := holding.marks.set(accepted, durable)
	if err != nil { // the result is noted nevertheless; only if the process dies before that, it is lost
		w.Log.Error("what a channel has accepted could not be marked", "error", err)
	}
	if err := holding.copies.set(slot, accepted); err != nil {
		w.Log.Warn("Redis took no copy of a mark; the one on the disk is enough while this machine lives", "error", err)
	}
	return func() {
		if err := holding.copies.clear(slot); err != nil {
			w.Log.Warn("Redis has not taken the copy of a mark away; it goes with the next one", "error", err)
		}
		if err := holding.marks.clear(slot); err != nil {
			w.Log.Error("a mark could not be taken away", "error", err)
		}
	}
}

// note writes a result, or leaves it to the holder.
func (w *Worker) note(ctx context.Context, r result) {
	ctx, cancel := context.WithTimeout(ctx, recordWithin)
	defer cancel()
	pause := time.NewTicker(recordPause)
	defer pause.Stop()
	for {
		err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return r.note(ctx, tx) })
		if err == nil {
			r.done()
			return
		}
		if r.isBarred(err) {
			for _, part := range r.parts {
				w.note(ctx, part)
			}
			return
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			w.Log.Error("what became of a job could not be noted; it is tried on", "error", err)
			w.Holder.later(r)
			return
		}
	}
}
