package dunning_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"purr/clock"
	"purr/dunning"
	"purr/dunning/law"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
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

// TestE6gMoneyInTheQueueKeepsItsCustomerFromBeingDunned makes the runs from 30 March, a Monday, on which the invoice is
// due for a reminder.
func TestE6gMoneyInTheQueueKeepsItsCustomerFromBeingDunned(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why    string
		queue  func(d *desk) // before the run of 30 March
		spared string        // the last date whose run takes no step with the invoice; empty if the first takes one
	}{
		{"nothing waits", func(*desk) {}, ""},
		{"it is queued on the day of the run: for ten days", func(d *desk) { d.queue(d.customer.ID) }, "2026-04-08"},
		{"a minute before midnight, Oslo's", func(d *desk) { d.at("2026-03-30T23:59:00+02:00").queue(d.customer.ID) }, "2026-04-08"},
		{"a minute after midnight, Oslo's, though not Greenwich's", func(d *desk) { d.at("2026-03-30T00:01:00+02:00").queue(d.customer.ID) }, "2026-04-08"},
		{"two minutes before that", func(d *desk) { d.at("2026-03-29T23:59:00+02:00").queue(d.customer.ID) }, "2026-04-07"},
		{"it is queued ten days before", func(d *desk) { d.at("2026-03-20T12:00:00+01:00").queue(d.customer.ID) }, ""},
		{"of two the later counts", func(d *desk) { d.at("2026-03-24T12:00:00+01:00").queue(d.customer.ID); d.queue(d.customer.ID) }, "2026-04-08"},
		{"it points at another customer", func(d *desk) { d.queue(rows.Customer(d.t, d.db, d.creditor).ID) }, ""},
		{"it points at nobody", func(d *desk) { d.queue(0) }, ""},
		{"it is matched", func(d *desk) { d.resolve(d.queue(d.customer.ID), models.PaymentMatched) }, ""},
		{"it is dismissed", func(d *desk) { d.resolve(d.queue(d.customer.ID), models.PaymentDismissed) }, ""},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				d := openDesk(t, db)
				d.creditor.Policy.Enabled, d.creditor.Policy.WeekdaysOnly = true, false
				tt.queue(d)
				for on := day("2026-03-30"); on <= day("2026-04-10"); on++ {
					if d.dunned(on.String()) {
						if last := on - 1; last != max(day(tt.spared), day("2026-03-29")) {
							t.Errorf("it is left alone through %s, want %q", last, tt.spared)
						}
						return
					}
				}
				t.Error("it is left alone for good")
			})
		}
	})
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
