package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestVerifyFindsALetterWithTwoFeesL23 has a letter for two invoices with one fee, and charges another behind the program's back.
func TestVerifyFindsALetterWithTwoFeesL23(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c)
		letters := []models.Letter{{CreditorID: c.ID, CustomerID: customer.ID, Number: 1, IssueDate: rows.Today, DueDate: rows.Today + 14}}
		notices := make([]models.Notice, 2)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateLetters(t.Context(), letters) })
		for n := range notices {
			notices[n] = models.Notice{
				CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: rows.Invoice(t, db, c, rows.To(customer)).ID, Sequence: 1, IssueDate: rows.Today,
				DueDate: rows.Today + 14, LetterID: letters[0].ID,
			}
		}
		notices[0].Fee = 38_00
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateNotices(t.Context(), notices, make([][]models.NoticeLine, len(notices)))
		})
		raw := behind(t, databaseURL)
		damage := ledger.Difference(fmt.Sprintf("the notices of the letter with id %d charge more than one fee", letters[0].ID))
		finds := func(what string, want bool) {
			t.Helper()
			found, err := ledger.Verify(t.Context(), db, c)
			if err != nil || slices.Contains(found, damage) != want {
				t.Errorf("%s: found %v, %v", what, found, err)
			}
		}
		finds("one fee", false)
		exec(t, raw, fmt.Sprintf("UPDATE overdue_notices SET fee = 3800 WHERE id = %d", notices[1].ID))
		finds("two fees", true)
	})
}
