package store_test

import (
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestWindowsWithInvoices asks for more windows than one statement joins.
func TestWindowsWithInvoices(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c)
		open := models.Window{Stage: models.StageOpen, From: invoice.Deadline, To: invoice.Deadline}
		own, later, warned := open, open, open
		own.CustomerID, later.From, warned.Stage = invoice.CustomerID, invoice.Deadline+1, models.StageWarned
		windows := []models.Window{own, later, warned}
		for n := range 600 {
			windows = append(windows, models.Window{Stage: models.StageOpen, CustomerID: invoice.CustomerID + 1 + int64(n)})
		}
		with, err := db.WindowsWithInvoices(t.Context(), c.ID, append(windows, open))
		if want := []models.Window{own, open}; err != nil || !slices.Equal(with, want) {
			t.Errorf("there are invoices in %v, %v, want %v", with, err, want)
		}
	})
}
