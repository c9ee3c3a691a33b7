package dunning_test

import (
	"context"
	"testing"

	"purr/dunning"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// TestE2FeesOnDisputedClaims goes through inkassoloven § 17: whoever has an objection pays no costs of it.
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
