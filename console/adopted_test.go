package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestL17AnAdoptedInvoiceIsMarked looks at the pages on which an invoice of another system stands.
func TestL17AnAdoptedInvoiceIsMarked(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	c := b.creditor
	c.FirstNumber = 1000
	customer := rows.Customer(t, b.db, b.creditor)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		if err := tx.SetFirstNumber(ctx, c.ID, c.FirstNumber); err != nil {
			return err
		}
		if err := tx.UpdateCreditor(ctx, &c); err != nil {
			return err
		}
		made, err := billing.Adopt(ctx, tx, c.ID, []billing.Adoption{{
			CustomerID: customer.ID, Number: 7, IssueDate: rows.Today - 60, DueDate: rows.Today - 46, Gross: 1000_00, Balance: 800_00, KID: "70000000078", Actor: "Kari",
		}})
		if err != nil {
			return err
		}
		if made[0].Err != nil {
			return made[0].Err
		}
		_, err = ledger.TellBalance(ctx, tx, c.ID, ledger.Told{Number: 7, Balance: 300_00, Actor: "Kari"})
		return err
	})
	page := b.get("invoices/7").is(http.StatusOK).tells("Adopted from another system", "Invoice 7 of 1 000,00 was adopted", "The other system told that 300,00 is unpaid on invoice 7, where it was 800,00")
	for _, no := range []string{"/delete\"", "invoices/7/credit\""} {
		if strings.Contains(page.body, no) {
			t.Errorf("the page has %s", no)
		}
	}
	b.get("invoices").is(http.StatusOK).tells("Adopted")
	b.get("money/month").is(http.StatusOK).tells("Adopted from another system 2 800,00")
}
