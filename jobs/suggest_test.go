package jobs

import (
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

// bringUnmatched imports a bank file of a payment of an invoice whose KID has a wrong digit.
func (o *office) bringUnmatched(t *testing.T, c models.Creditor, i models.Invoice) {
	t.Helper()
	wrong := "7" + i.KID[1:]
	file := payment(t, c, giro.Payment{KID: wrong, Amount: i.Gross, NetsDate: models.DateOf(o.clock.Now()) - 3})
	_, err := o.worker.Importer.Import(t.Context(), strings.NewReader(file), ocr.Source{Kind: ocr.FromAPI, OwnerID: c.ID})
	must(t, err)
}

func (o *office) unseen(t *testing.T, c models.Creditor) int {
	t.Helper()
	unseen, err := o.db.PaymentsWithoutLikelyPayer(t.Context(), c.ID, 100)
	must(t, err)
	return len(unseen)
}

// withoutFiles makes a creditor with automatic dunning, even while the bank's files are late.
func (o *office) withoutFiles(t *testing.T) models.Creditor {
	t.Helper()
	return o.dunned(t, func(c *models.Creditor) { c.Policy.RequirePaymentFile = false })
}

func TestSweepFindsLikelyPayers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.withoutFiles(t)
		o.bringUnmatched(t, c, rows.Invoice(t, o.db, c))
		if got := o.unseen(t, c); got != 1 {
			t.Fatalf("%d payments have no suggestions", got)
		}
		o.work(t, 2)
		o.settle(t)
		if got := o.unseen(t, c); got != 0 {
			t.Errorf("%d payments have no suggestions", got)
		}
		if got := o.sweep(t); got != 0 {
			t.Errorf("%d tasks are queued when all is done", got)
		}
	})
}

// A payment that came a moment before the run also protects its likely payer, for as long as it is in the queue (rule L3).
func TestE6gARunFindsLikelyPayersFirst(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.withoutFiles(t)
		invoice, other := rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c, rows.Of(500_00))
		rows.Send(t, o.db, c)
		o.clock.Set(reminderDue)
		o.bringUnmatched(t, c, invoice)
		must(t, o.worker.run(t.Context(), dunningRun(c)))
		if len(o.notices(t, invoice)) != 0 || len(o.notices(t, other)) != 1 {
			t.Errorf("the events are %q", o.events(t, c, models.EventNoticeCreated))
		}
		o.work(t, 2)
		o.pass(t, 14)
		if got := o.notices(t, invoice); len(got) != 0 {
			t.Errorf("while the payment waits there are the notices %+v", got)
		}
		open, _, err := o.db.UnmatchedPayments(t.Context(), c.ID, true, false, store.Page{Number: 1, Size: 1})
		must(t, err)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := unmatched.Dismiss(t.Context(), tx, c, open[0].ID, "not ours", "a person")
			return err
		})
		o.advance(t, 24*time.Hour)
		if got := o.notices(t, invoice); len(got) != 1 || got[0].IssueDate != rows.Today+reminderDay+15 {
			t.Errorf("once it is dismissed there are the notices %+v", got)
		}
	})
}
