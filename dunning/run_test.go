package dunning_test

import (
	"strings"
	"testing"

	"purr/dunning"
	"purr/dunning/law"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// TestE6fAnInvoiceThatCannotBeDunnedHoldsUpNoOther has one of several invoices that are taken further together be
// damaged: the others have their notices, and the error names the one.
func TestE6fAnInvoiceThatCannotBeDunnedHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		var invoices []models.Invoice
		for range 3 {
			invoices = append(invoices, rows.Invoice(t, rows.On(db, day("2026-02-02")), c))
		}
		damaged := invoices[1]
		rows.Write(t, db, func(tx *store.Tx) error { // a first notice that the invoice knows nothing of
			return tx.CreateNotices(t.Context(), []models.Notice{{
				CreditorID: c.ID, CustomerID: damaged.CustomerID, InvoiceID: damaged.ID, Sequence: 1, IssueDate: day("2026-03-02"), DueDate: day("2026-03-16"),
			}}, [][]models.NoticeLine{{{Position: 1}}})
		})
		date := day("2026-03-30")
		for try, want := range []int{2, 0} {
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
