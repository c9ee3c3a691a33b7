package once

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"purr/store"
)

// Leases does acts of several transactions. Meanwhile it holds a lease on the act's key, so that any number of processes do the act
// once (rule O9).
type Leases struct {
	DB  *store.DB
	Log *slog.Logger
}

// Do does an act and keeps its answer, as the function Do does. If another process has taken the act over and answered first, its
// answer is returned, which is not fresh.
//
// If the program is killed, a repeated request does the act again under the same name of its work, by which the act finds what was
// done already. So it is after a refusal that is not kept, and after a failure. The name is empty without a key.
func (l Leases) Do(ctx context.Context, key *Key, act func(work string) (Answer, error)) (a Answer, fresh bool, err error) {
	if key == nil {
		a, err = act("")
		return a, true, err
	}
	held, fresh, err := l.begin(ctx, key)
	if err != nil {
		return Answer{}, false, err
	}
	if !fresh {
		a, err = key.answered(held)
		return a, false, err
	}
	stop := l.renewing(ctx, held)
	a, err = act(held.Work)
	stop()
	if err != nil || !key.keeps(a) {
		l.end(ctx, held)
		return a, true, err
	}
	var first store.Answer
	err = l.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		first, err = tx.FinishLeased(ctx, a.on(held))
		return err
	})
	if err != nil {
		l.end(ctx, held)
		return Answer{}, false, err
	}
	if first.Status == a.Status && first.Location == a.Location && first.Body == a.Body {
		return a, true, nil
	}
	a, err = key.answered(first)
	return a, false, err
}

func (l Leases) begin(ctx context.Context, key *Key) (held store.Answer, fresh bool, err error) {
	err = l.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		held = key.row()
		fresh, err = tx.LeaseKey(ctx, &held)
		return err
	})
	return held, fresh, err
}

// renewing renews the lease until stop is called. If that fails for too long, another process may take the work over.
func (l Leases) renewing(ctx context.Context, held store.Answer) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		beat := time.NewTicker(store.KeyLease / 3)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
			err := l.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.RenewKey(ctx, held) })
			if err != nil && ctx.Err() == nil {
				l.Log.Warn("the lease on an Idempotency-Key was not renewed", "creditor", held.CreditorID, "error", err)
			}
		}
	})
	return func() {
		cancel()
		renewing.Wait()
	}
}

// endWithin is how long end may take. The caller waits for its answer meanwhile.
const endWithin = 2 * time.Second

// end lets a repeated request do the act at once. The caller of this request may be gone. If it fails, the lease runs out. A form
// that was refused is shown again, to be changed, so its key is free.
func (l Leases) end(ctx context.Context, held store.Answer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	err := l.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if strings.HasPrefix(held.IdempotencyKey, store.FormKeys) {
			return tx.DropAnswers(ctx, []int64{held.ID})
		}
		return tx.EndLease(ctx, held)
	})
	if err != nil {
		l.Log.Warn("the lease on an Idempotency-Key was not ended", "creditor", held.CreditorID, "error", err)
	}
}
