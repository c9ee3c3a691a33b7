package dunning_test

import (
	"context"
	"testing"

	"purr/law"

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
		d.remind() // a hold does not stop a notice that is asked for
		releaseInvoice := func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
		}
		releaseCustomer := func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseCustomer(ctx, tx, d.creditor, d.customer.ID, actor)
		}
		for range 2 { // the second time there is no hold, and no event
			d.do(releaseInvoice)
			d.do(releaseCustomer)
		}
		d.logged(
			`hold.set Dunning of invoice 1 put on hold until 2026-04-02, by API key 1 (write): disputed`,
			`hold.set Dunning of the customer put on hold, by API key 1 (write)`,
			"overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
			`hold.removed Hold on dunning of invoice 1 taken away, by API key 1 (write)`,
			`hold.removed Hold on dunning of the customer taken away, by API key 1 (write)`,
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

// TestE2FeesOnDisputedClaims checks inkassoloven § 17: no fee is charged while the claim is disputed.
// TestN6WhoSaysThatItIsPaidIsBelievedForFiveBankDays goes over Easter: of 31 March to 9 April, five are bank days.
func TestN6WhoSaysThatItIsPaidIsBelievedForFiveBankDays(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		for given, until := range map[models.Date]models.Date{0: day("2026-04-09"), day("2026-03-31"): day("2026-03-31")} {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Reason: models.HoldPaid, Until: given}, actor)
				return err
			})
			if h := d.now().Hold; !h.Held || h.Until != until {
				t.Errorf("until %s is asked for, and the hold is %+v", given, h)
			}
		}
	})
}

func TestE2FeesOnDisputedClaims(t *testing.T) {
	t.Parallel()
	today := day("2026-05-04")
	for _, tt := range []struct {
		told               string
		invoice, customers models.Hold
		refused            bool
	}{
		{"nothing is on hold", models.Hold{}, models.Hold{}, false},
		{"a hold without a reason lets a fee be charged", models.Hold{Held: true}, models.Hold{Held: true}, false},
		{"so does one for another reason", models.Hold{Held: true, Reason: models.HoldOther}, models.Hold{}, false},
		{"the claim is disputed", models.Hold{Held: true, Reason: models.HoldDispute}, models.Hold{}, true},
		{"the customer disputes all", models.Hold{}, models.Hold{Held: true, Reason: models.HoldDispute}, true},
		{"the dispute lasts through today", models.Hold{Held: true, Reason: models.HoldDispute, Until: today}, models.Hold{}, true},
		{"the dispute was over yesterday", models.Hold{Held: true, Reason: models.HoldDispute, Until: today - 1}, models.Hold{}, false},
		{"the dispute was taken away", models.Hold{Reason: models.HoldDispute}, models.Hold{}, false},
	} {
		t.Run(tt.told, func(t *testing.T) {
			err := dunning.FeeAllowed(models.Invoice{Hold: tt.invoice}, models.Customer{Hold: tt.customers}, today)
			if (err != nil) != tt.refused || tt.refused && models.KindOf(err) != models.KindConflict {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestE2ADisputedClaimGetsNoticesWithoutAFeeAlone(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Reason: models.HoldDispute}, actor)
			return err
		})
		ask := func(fee bool) func(ctx context.Context, tx *store.Tx) error {
			return func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, dunning.Request{AddFee: fee, AddInterest: true})
				return err
			}
		}
		d.refused("disputed", ask(true))
		d.do(ask(false))
		if i := d.now(); i.Notices != 1 || i.Balance != kroner("1004.60") {
			t.Errorf("after %d notices %s is owed", i.Notices, i.Balance)
		}
		d.refused("[invalid_reason]", func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Reason: "reklamasjon"}, actor)
			return err
		})
	})
}
