package documents

import (
	"testing"

	"purr/dunning"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// TestE6aALaterNoticeTellsOfCompensationThatWasCharged runs the spring of 2026 for a business and a private customer of
// a creditor that charges compensation. The second notice to the business calls it compensation too.
func TestE6aALaterNoticeTellsOfCompensationThatWasCharged(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled, c.Policy.Compensation = true, true })
		business := rows.Customer(t, db, c, func(c *models.Customer) { c.OrganisationNumber = "974760673" })
		invoices := []models.Invoice{rows.Invoice(t, db, c, rows.To(business)), rows.Invoice(t, db, c)}
		for _, date := range []models.Date{rows.Today + 28, rows.Today + 56} {
			if _, err := dunning.Run(t.Context(), rows.On(db, date), dunning.Default(), c, date); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []bool{true, false} {
			notices, err := db.NoticesOf(t.Context(), invoices[i].ID)
			if err != nil || len(notices) != 2 {
				t.Fatalf("%d notices, %v", len(notices), err)
			}
			for _, n := range notices {
				if got, err := compensatedBy(t.Context(), db, n); got != want || err != nil {
					t.Errorf("notice %d of invoice %d: compensated %t, want %t: %v", n.Sequence, i+1, got, want, err)
				}
			}
		}
	})
}
