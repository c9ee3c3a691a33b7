package shipments_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// giveTime gives more time for an invoice, with a letter, and makes that the office's shipment.
func (o *office) giveTime(t *testing.T, i models.Invoice, days models.Date, by models.ShipmentMethod) {
	t.Helper()
	testkit.Must(t, o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.GiveMoreTime(ctx, tx, o.creditor, i.ID, models.MoreTimeRequest{Until: rows.Today + days, Method: by}, "Kari")
		return err
	}))
	all, err := o.db.ShipmentsOf(t.Context(), i.Document())
	testkit.Must(t, err)
	o.id = all[len(all)-1].ID
}

func (o *office) endTime(t *testing.T, i models.Invoice) {
	t.Helper()
	testkit.Must(t, o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return dunning.EndMoreTime(ctx, tx, o.creditor, i.ID, "Kari")
	}))
}

// TestN11ALetterOfMoreTimeLeavesOnceAndMovesNothing: the original counts as sent, nothing falls back, and the invoice stays as it is.
func TestN11ALetterOfMoreTimeLeavesOnceAndMovesNothing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.creditor = rows.Creditor(t, o.db, func(c *models.Creditor) { c.Fallback = "EMAIL>PAPER" })
		_, i := o.mailed(t)
		o.giveTime(t, i, 21, models.ByEmail)
		o.take(t, true)
		o.record(t, models.Refuse(models.BlameRecipient, nil, "550 5.1.1 nobody there"))
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{Email: "kari@example.no"}, "Kari")
			return err
		})
		o.take(t, true)
		o.record(t, nil)
		o.giveTime(t, i, 21, models.ByEmail) // the second press
		if got := o.ways(t, i.Document()); got != "EMAIL sent, EMAIL sent" {
			t.Errorf("it went %s", got)
		}
		s, err := o.db.Shipment(t.Context(), o.id)
		if want := (models.TimeLetter{Day: rows.Today, Until: rows.Today + 21, Owed: i.Balance}); err != nil || s.Role() != models.TellsOfTime || s.MoreTime != want {
			t.Errorf("it is %+v, %v", s, err)
		}
		after, err := o.db.Invoice(t.Context(), o.creditor.ID, i.ID)
		if err != nil || after.Deadline != i.Deadline || after.Balance != i.Balance || after.Notices != 0 {
			t.Errorf("the invoice became %+v", after)
		}
		told := o.events(t)
		for _, want := range []string{
			"with a letter by e-mail, by Kari", `shipment.sent: Letter of more time for invoice 1 by e-mail sent`, `"more_time":"` + s.MoreTime.Until.String() + `"`,
		} {
			if !strings.Contains(told, want) {
				t.Errorf("the events lack %s:\n%s", want, told)
			}
		}
		if differences, err := ledger.Verify(t.Context(), o.db, o.creditor); err != nil || len(differences) > 0 {
			t.Errorf("the books: %v, %v", differences, err)
		}
	})
}

// TestN11ALetterThatIsNoLongerSoIsWithdrawn before it leaves, and is not sent again.
func TestN11ALetterThatIsNoLongerSoIsWithdrawn(t *testing.T) {
	for _, tt := range []struct {
		name string
		then func(t *testing.T, o *office, i models.Invoice)
	}{
		{"paid", func(t *testing.T, o *office, i models.Invoice) { o.book(t, i, -i.Balance, rows.Today) }},
		{"closed", func(t *testing.T, o *office, i models.Invoice) {
			testkit.Must(t, o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.CloseInvoice(ctx, tx, o.creditor, i.ID, dunning.Closing{Reason: models.ClosedLost, Actor: "Kari"})
				return err
			}))
		}},
		{"over", func(_ *testing.T, o *office, _ models.Invoice) { o.later(22 * 24 * time.Hour) }},
		{"other time, without a letter", func(t *testing.T, o *office, i models.Invoice) { o.giveTime(t, i, 30, "") }},
		{"ended", func(t *testing.T, o *office, i models.Invoice) { o.endTime(t, i) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				_, i := o.mailed(t)
				o.giveTime(t, i, 21, models.ByPaper)
				tt.then(t, o, i)
				o.take(t, false)
				s, err := o.db.Shipment(t.Context(), o.id)
				if err != nil || s.State != models.ShipmentWithdrawn {
					t.Errorf("the letter is %s, %v", s.State, err)
				}
			})
		})
	}
}

// TestN11ALetterThatFailedIsSentAgainWhileTheTimeRuns, and not after it was ended while a worker had the letter in hand.
func TestN11ALetterThatFailedIsSentAgainWhileTheTimeRuns(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, i := o.mailed(t)
		o.giveTime(t, i, 21, models.ByPaper)
		o.take(t, true)
		o.endTime(t, i)
		o.record(t, models.Refuse(models.BlameRecipient, nil, "no such street"))
		err := o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := shipments.Retry(ctx, tx, o.id, shipments.Again{}, "Kari")
			return err
		})
		if models.KindOf(err) != models.KindConflict || !strings.Contains(err.Error(), "tells of is over, or was ended") {
			t.Errorf("it is sent again: %v", err)
		}
		o.giveTime(t, i, 21, models.ByPaper)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			s, err := tx.LockShipment(t.Context(), o.id)
			s.State = models.ShipmentFailed
			if err != nil {
				return err
			}
			return tx.UpdateShipment(t.Context(), s)
		})
		rows.Write(t, o.db, func(tx *store.Tx) error { // by another way, what it says goes with it
			fresh, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{Method: models.ByEmail}, "Kari")
			if err == nil && (fresh.ID == o.id || fresh.Role() != models.TellsOfTime || fresh.MoreTime.Until != rows.Today+21) {
				t.Errorf("in its place goes %+v", fresh)
			}
			return err
		})
	})
}
