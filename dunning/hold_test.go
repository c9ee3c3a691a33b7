package dunning_test

import (
	"context"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

func TestE2Holds(t *testing.T) {
	t.Parallel()
	hold := models.Hold{Until: day("2026-04-02"), Comment: "disputed"}
	eachDesk(t, func(t *testing.T, d *desk) {
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, hold, actor)
			return err
		})
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldCustomer(ctx, tx, d.creditor, d.customer.ID, models.Hold{}, actor)
			return err
		})
		customer, err := d.db.Customer(t.Context(), d.creditor.ID, d.customer.ID)
		if i := d.now(); err != nil || !i.Hold.Active(day("2026-04-02")) || i.Hold.Active(day("2026-04-03")) || !customer.Hold.Active(day("2027-01-01")) {
			t.Errorf("the holds are %+v and %+v, %v", i.Hold, customer.Hold, err)
		}
		d.remind() // a request is nobody's but the person's
		releaseInvoice := func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
		}
		releaseCustomer := func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseCustomer(ctx, tx, d.creditor, d.customer.ID, actor)
		}
		for range 2 { // the second time there is nothing to take away, and nothing to tell
			d.do(releaseInvoice)
			d.do(releaseCustomer)
		}
		d.logged(
			`hold.set Dunning of invoice 1 put on hold until 2026-04-02, by API key 1 (write): disputed {"until":"2026-04-02","comment":"disputed","actor":"API key 1 (write)"}`,
			`hold.set Dunning of the customer put on hold, by API key 1 (write) {"actor":"API key 1 (write)"}`,
			"overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
			`hold.removed Hold on dunning of invoice 1 taken away, by API key 1 (write) {"actor":"API key 1 (write)"}`,
			`hold.removed Hold on dunning of the customer taken away, by API key 1 (write) {"actor":"API key 1 (write)"}`,
		)
		d.refused("[date_in_past]", func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Until: day("2026-03-29")}, actor)
			return err
		})
		d.refused("[date_in_past]", func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldCustomer(ctx, tx, d.creditor, d.customer.ID, models.Hold{Until: day("2026-03-29")}, actor)
			return err
		})
	})
}
