package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestL17VerifyKnowsAdoptedInvoices damages the books of a creditor with an adopted invoice.
func TestL17VerifyKnowsAdoptedInvoices(t *testing.T) {
	t.Parallel()
	const disagree = "invoice with id %d: its number, its opening entry and what another system told of it do not agree on whether it was adopted"
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		raw := behind(t, databaseURL)
		for _, tt := range []struct{ damage, want string }{
			{"", ""},
			{"UPDATE invoices SET number = 2000 WHERE id = %d", disagree},
			{"UPDATE entries SET adopted = 0 WHERE type = 'INVOICE' AND invoice_id = %d", disagree},
			{"DELETE FROM new_events WHERE type = 'invoice.adopted' AND invoice_id = %d", "the log has 0 events invoice.adopted, there are 1 such documents"},
			{"UPDATE invoices SET gross = gross + 1 WHERE id = %d", "invoice with id %d is of 1000.01, its INVOICE entry of 1000.00"},
			{"UPDATE entries SET amount = amount + 1 WHERE type = 'PAYMENT' AND invoice_id = %d", "invoice with id %d keeps the balance 700.00, its entries add up to 700.01"},
		} {
			c := rows.Creditor(t, db, func(c *models.Creditor) { c.FirstNumber = 1000 })
			customer := rows.Customer(t, db, c)
			var id int64
			rows.Write(t, db, func(tx *store.Tx) error {
				made, err := billing.Adopt(t.Context(), tx, c.ID, []billing.Adoption{{
					CustomerID: customer.ID, Number: 7, IssueDate: rows.Today - 60, DueDate: rows.Today - 46, Gross: 1000_00, Balance: 700_00, KID: "70000000078",
				}})
				if err != nil {
					return err
				}
				id = made[0].Invoice.ID
				return made[0].Err
			})
			with := func(text string) string {
				if strings.Contains(text, "%d") {
					return fmt.Sprintf(text, id)
				}
				return text
			}
			exec(t, raw, with(tt.damage))
			c, err := db.Creditor(t.Context(), c.ID)
			must(t, err)
			found, err := ledger.Verify(t.Context(), db, c)
			must(t, err)
			var got []string
			for _, d := range found {
				got = append(got, string(d))
			}
			if strings.Join(got, "; ") != with(tt.want) {
				t.Errorf("%s: found %q, want %q", tt.damage, got, with(tt.want))
			}
		}
	})
}
