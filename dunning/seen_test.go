package dunning_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// TestD115OfAllWhoHaveSeenTheSameOneActs has six people take away at once the hold that all of them have seen, and put it on anew:
// one does, and the others are told what he has done.
func TestD115OfAllWhoHaveSeenTheSameOneActs(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		ctx := t.Context()
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{}, actor)
			return err
		})
		seen, err := d.db.Look(ctx, d.creditor.ID, models.Thing{Kind: models.ThingHold, ID: d.invoice.ID})
		must(t, err)
		var all sync.WaitGroup
		var done, told atomic.Int32
		for range 6 {
			all.Go(func() {
				err := d.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
					if err := dunning.ReleaseInvoice(ctx, tx, d.creditor, d.invoice.ID, "API key 9 (Ola)", seen); err != nil {
						return err
					}
					_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{}, "API key 9 (Ola)")
					return err
				})
				var conflict *models.Error
				switch {
				case err == nil:
					done.Add(1)
				case errors.As(err, &conflict) && conflict.Code == "changed_meanwhile" && strings.Contains(conflict.Msg, "hold.set by API key 9 (Ola) at "):
					told.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if done.Load() != 1 || told.Load() != 5 || !d.now().Hold.Held {
			t.Errorf("%d have acted, and %d were told; the hold is %+v", done.Load(), told.Load(), d.now().Hold)
		}
	})
}
