package dunning_test

import (
	"context"
	"strings"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE6fAnInvoiceThatCannotBeDunnedHoldsUpNoOther makes a run for several invoices of one batch, of which
// one is damaged: the others get their notices, and the error names the one.
func TestE6fAnInvoiceThatCannotBeDunnedHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		var invoices []models.Invoice
		for range 3 {
			invoices = append(invoices, rows.Invoice(t, rows.On(db, day("2026-02-02")), c))
		}
		damaged := invoices[1]
		rows.Write(t, db, func(tx *store.Tx) error { // a first notice that the invoice does not count
			return tx.CreateNotices(t.Context(), []models.Notice{{
				CreditorID: c.ID, CustomerID: damaged.CustomerID, InvoiceID: damaged.ID, Sequence: 1, IssueDate: day("2026-03-02"), DueDate: day("2026-03-16"),
			}}, [][]models.NoticeLine{{{Position: 1}}})
		})
		date := day("2026-03-30")
		for try, want := range []int{2, 0} {
			rows.Send(t, db, c)
			result, err := dunning.Run(t.Context(), rows.On(db, date), law.Default(), c, date)
			if len(result.Documents) != want || err == nil || !strings.Contains(err.Error(), "dun invoice 2: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("run %d made %d notices and failed with %v, want %d", try, len(result.Documents), err, want)
			}
		}
		for _, i := range []models.Invoice{invoices[0], invoices[2]} {
			if kept, err := db.Invoice(t.Context(), c.ID, i.ID); err != nil || kept.Notices != 1 {
				t.Errorf("invoice %d has %d notices, %v", kept.Number, kept.Notices, err)
			}
		}
	})
}

// TestE6fARunThatHasBegunCountsItsStepsAfterTheStatusIsTold makes what the worker and the command line make of a day: the
// run's row, then the events of the days that passed, then the steps. The invoice is due on Monday, 16 March, so on
// 30 March it both becomes chargeable and gets its reminder.
func TestE6fARunThatHasBegunCountsItsStepsAfterTheStatusIsTold(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.creditor.Policy.Enabled = true
		date := day("2026-03-30")
		row := models.Run{CreditorID: d.creditor.ID, Kind: models.RunDunning, BusinessDate: date}
		d.do(func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.BeginRun(ctx, &row); err != nil {
				return err
			}
			told, err := dunning.LogStatus(ctx, tx, d.creditor, date, date)
			if told != 1 {
				t.Errorf("%d events are written, %v", told, err)
			}
			return err
		})
		for try, want := range []int{1, 0} {
			rows.Send(t, d.db, d.creditor)
			result, err := dunning.Run(t.Context(), d.db, law.Default(), d.creditor, date)
			if err != nil || result.Steps() != want || len(result.Documents) != want {
				t.Errorf("run %d took %d steps and made %d documents, want %d: %v", try, result.Steps(), len(result.Documents), want, err)
			}
		}
		if kept, found, err := d.db.RunOf(t.Context(), d.creditor.ID, models.RunDunning, date); err != nil || !found || kept.Done != 1 {
			t.Errorf("the run has counted %d steps, %v", kept.Done, err)
		}
		d.logged(
			"invoice.chargeable Invoice 1 with 1000.00 owed can be charged a fee",
			"overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
		)
	})
}

// TestE6fARunTellsOfItsNoticesWhileItGoesOn makes a run of two batches. When it tells of the first one, that is committed: its
// letters are owed, and may leave.
func TestE6fARunTellsOfItsNoticesWhileItGoesOn(t *testing.T) { //nolint:paralleltest // it changes how runs tell
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const batch, all = 100, 101
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		customer := rows.Customer(t, db, c)
		requests := make([]billing.InvoiceRequest, all)
		for n := range requests {
			requests[n] = billing.InvoiceRequest{NumDueDays: 14, Method: models.ByPaper, CustomerID: customer.ID}
			rows.Of(1000_00)(&requests[n])
		}
		rows.Write(t, rows.On(db, day("2026-02-02")), func(tx *store.Tx) error {
			_, err := billing.Issue(t.Context(), tx, c, requests)
			return err
		})
		rows.Send(t, db, c)
		date, told := day("2026-03-30"), 0
		on := rows.On(db, date)
		dunning.TellingOfEach(func() {
			snapshot, err := dunning.TakeSnapshot(t.Context(), on, law.Default(), c, date)
			if err != nil {
				t.Fatal(err)
			}
			result, err := snapshot.Run(t.Context(), func() {
				told++
				owed, err := on.DueShipmentIDs(t.Context(), c.ID, on.Now(), all, models.ByPaper)
				if err != nil || len(owed) != batch {
					t.Errorf("%d letters are owed, %v, want %d", len(owed), err, batch)
				}
			})
			if err != nil || len(result.Documents) != all || told != 1 {
				t.Errorf("%d notices, %v, told %d times; want %d and once", len(result.Documents), err, told, all)
			}
		})
	})
}

// A run waits for the bank's late file only where the file is what it waits for: not_sent comes first (rule L12).
func TestL12ARunIsHeldBackForTheFirstReason(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		rows.Write(t, d.db, func(tx *store.Tx) error {
			return tx.SaveFilePart(t.Context(), &models.PaymentFilePart{CreditorID: d.creditor.ID, LatestDate: day("2026-03-20")})
		})
		for state, held := range map[models.ShipmentState]bool{models.ShipmentFailed: false, models.ShipmentSent: true} {
			rows.Write(t, d.db, func(tx *store.Tx) error {
				originals, err := tx.ShipmentsOf(t.Context(), d.invoice.Document())
				if err != nil {
					return err
				}
				originals[0].State = state
				return tx.UpdateShipment(t.Context(), originals[0])
			})
			result, err := dunning.Run(t.Context(), d.db, law.Default(), d.creditor, day("2026-03-30"))
			if err != nil || result.Steps() != 0 || result.HeldBack != held {
				t.Errorf("the run took %d steps and was held back: %t, %v; the invoice is %s", result.Steps(), result.HeldBack, err, state)
			}
		}
	})
}
