package jobs

import (
	"testing"
	"time"

	"purr/dunning"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE2LettersOfInvoicesThatAPersonTakesInHand: reminders wait for a printer that is out of paper, after one attempt,
// while a person closes, hands over or holds their invoices.
func TestE2LettersOfInvoicesThatAPersonTakesInHand(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters := newPrinter()
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 2)
		c := o.dunned(t)
		closed, held := rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c)
		o.settle(t)
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.CloseInvoice(t.Context(), tx, c, closed.ID, dunning.Closing{Reason: models.ClosedOther, Actor: "a test"})
			must(t, err)
			_, err = dunning.HoldInvoice(t.Context(), tx, c, held.ID, models.Hold{}, "a test")
			return err
		})
		letters.empty.Store(false)
		o.advance(t, time.Hour)

		wantLines(t, o.events(t, c, models.EventNoticeWithdrawn),
			"03-30 04:00:00 overdue_notice.withdrawn Reminder 1 on invoice 1 withdrawn before it was sent: the invoice is closed")
		for _, tt := range []struct {
			invoice models.Invoice
			status  models.Status
			balance models.Amount
			notices int
		}{
			{closed, models.StatusClosedOther, 1000_00, 0},
			{held, models.OverdueNoticeSent, 1042_60, 1},
		} {
			now, err := o.db.Invoice(t.Context(), c.ID, tt.invoice.ID)
			must(t, err)
			if got := now.Status(models.DateOf(o.clock.Now())); got != tt.status || now.Balance != tt.balance || now.Notices != tt.notices {
				t.Errorf("invoice %d is %s with %s owed after %d notices", now.Number, got, now.Balance, now.Notices)
			}
			for _, n := range o.notices(t, tt.invoice) {
				if s := o.shipments(t, n.Document())[0]; s.State != models.ShipmentSent {
					t.Errorf("the letter on invoice %d is %s", now.Number, s.State)
				}
			}
		}
		o.prove(t, c)
	})
}

func TestE2AHoldStopsTheAutomaticRunUntilItIsOver(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t)
		invoice := rows.Invoice(t, o.db, c)
		customers := rows.Invoice(t, o.db, c)
		rows.Send(t, o.db, c)
		day := models.DateOf(reminderDue)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.HoldInvoice(t.Context(), tx, c, invoice.ID, models.Hold{Until: day}, "a test")
			must(t, err)
			_, err = dunning.HoldCustomer(t.Context(), tx, c, customers.CustomerID, models.Hold{Until: day + 1}, "a test")
			return err
		})
		o.sleepUntil(t, reminderDue)
		o.advance(t, 3*24*time.Hour)
		wantLines(t, o.events(t, c, models.EventNoticeCreated),
			"03-31 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.93 owed, of that fee 38.00 and interest 4.93, due 2026-04-14",
			"04-01 04:00:00 overdue_notice.created Reminder 1 on invoice 2: 1043.26 owed, of that fee 38.00 and interest 5.26, due 2026-04-15")
	})
}

func TestE6eTheMorningRunTakesTheCustomersOwnPolicy(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		off := rows.Creditor(t, o.db)
		followed := rows.Customer(t, o.db, off, func(c *models.Customer) { c.Policy.Enabled = new(true) })
		rows.Invoice(t, o.db, off)
		rows.Invoice(t, o.db, off, rows.To(followed))
		on := o.dunned(t)
		exempt := rows.Customer(t, o.db, on, func(c *models.Customer) { c.Policy.Enabled = new(false) })
		rows.Invoice(t, o.db, on, rows.To(exempt))
		rows.Send(t, o.db, off)
		o.sleepUntil(t, reminderDue)
		wantLines(t, o.events(t, off, models.EventNoticeCreated),
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 2: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13")
		wantLines(t, o.events(t, on, models.EventNoticeCreated))
		if run := o.runOf(t, off, models.RunDunning, rows.Today+reminderDay); run.Done != 1 {
			t.Errorf("the run did %d steps", run.Done)
		}
	})
}
