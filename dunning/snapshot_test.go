package dunning_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// queue puts a payment into the creditor's queue, whose best suggestion points at the customer.
func (d *desk) queue(customerID int64) (id int64) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		u := []models.UnmatchedPayment{{
			CreditorID: d.creditor.ID, LineKey: fmt.Appendf(nil, "%032d", tx.Now.UnixNano()), Amount: 1_00, TransactionDate: day("2026-03-30"), Status: models.PaymentOpen,
		}}
		if err := tx.CreateUnmatchedPayments(ctx, u); err != nil {
			return err
		}
		id = u[0].ID
		return tx.SetLikelyPayer(ctx, d.creditor.ID, customerID, []int64{id})
	})
	return id
}

// resolve closes a payment of the queue.
func (d *desk) resolve(id int64, status string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		u, err := tx.LockUnmatchedPayment(ctx, d.creditor.ID, id)
		if err != nil {
			return err
		}
		u.Status = status
		return tx.UpdateUnmatchedPayment(ctx, u)
	})
}

// dunned makes the run of a date, and reports whether it reminded of the desk's invoice.
func (d *desk) dunned(date string) bool {
	d.t.Helper()
	d.on(date)
	before := d.now().Notices
	if _, err := dunning.Run(d.t.Context(), d.db, law.Default(), d.creditor, day(date)); err != nil {
		d.t.Fatal(err)
	}
	return d.now().Notices > before
}

// TestL3MoneyInTheQueueKeepsItsCustomerFromBeingDunned makes runs from 30 March, a Monday, on which the invoice is due for a
// reminder.
func TestL3MoneyInTheQueueKeepsItsCustomerFromBeingDunned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		queue  func(d *desk) (id int64) // before the run of 30 March
		spared bool
	}{
		{"nothing waits", func(*desk) int64 { return 0 }, false},
		{"it is queued on the day of the run", func(d *desk) int64 { return d.queue(d.customer.ID) }, true},
		{"it was queued half a year before", func(d *desk) int64 { return d.at("2025-09-30T12:00:00+02:00").queue(d.customer.ID) }, true},
		{"it points at another customer", func(d *desk) int64 { return d.queue(rows.Customer(d.t, d.db, d.creditor).ID) }, false},
		{"it points at nobody", func(d *desk) int64 { return d.queue(0) }, false},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			eachDesk(t, func(t *testing.T, d *desk) {
				d.creditor.Policy.Enabled = true
				id := tt.queue(d)
				if dunned := d.dunned("2026-03-30"); dunned == tt.spared {
					t.Fatalf("it is reminded: %t", dunned)
				}
				if !tt.spared {
					return
				}
				if d.dunned("2026-06-30") {
					t.Error("it is reminded while the payment still waits")
				}
				d.resolve(id, models.PaymentDismissed)
				if !d.dunned("2026-07-01") {
					t.Error("it is not reminded after the payment was dismissed")
				}
			})
		})
	}
}

// at returns the desk at a moment.
func (d *desk) at(moment string) *desk {
	d.t.Helper()
	m, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		d.t.Fatal(err)
	}
	earlier := *d
	earlier.db = d.db.WithClock(clock.NewTest(m))
	return &earlier
}
