package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// charged returns what LeftCharged says of the invoice's creditor.
func (l *late) charged() string {
	l.t.Helper()
	var all []string
	must(l.t, ledger.LeftCharged(l.t.Context(), l.db, l.creditor, func(text string) { all = append(all, text) }))
	return strings.Join(all, "\n")
}

// TestD96VerifyNamesInterestOnARepayment has a notice with interest on 15 000 kroner, of which 5000 were paid out of money that was
// taken back, as earlier releases reckoned it: 69.04 in place of 46.03. It is named until a person has reversed the difference.
func TestD96VerifyNamesInterestOnARepayment(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db, raw := rows.Open(t, databaseURL), behind(t, databaseURL)
		l := newLate(t, db, rows.Creditor(t, db))
		l.play("17 March, pay 15000, repay 5000, delete 1, 30 March, notice, letter, 31 March")
		if got := l.charged(); got != "" {
			t.Errorf("of what this release reckoned it says %q", got)
		}
		for _, was := range []string{
			"UPDATE overdue_notices SET interest = 6904, sheet = REPLACE(REPLACE(sheet, '\"principal\":\"10000.00', '\"principal\":\"15000.00'), '46.03', '69.04')",
			"UPDATE entries SET amount = 6904 WHERE type = 'INTEREST'",
		} {
			exec(t, raw, was)
		}
		want := fmt.Sprintf("notice 1 of 2026-03-30 on invoice 1 has interest on 15000.00, and no more than 10000.00 was ever owed: interest of 23.01 and a fee of 0.00 are "+
			"too much. Reverse them on the invoice, as INTEREST and OVERDUE_CHARGE (POST /api/v1/invoice/%d/ar_transactions)", l.id)
		if got := l.charged(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		l.play("waive 23")
		if got := l.charged(); !strings.Contains(got, "interest of 0.01 ") {
			t.Errorf("when 23.00 are reversed it says %q", got)
		}
		l.play("waive 0.01")
		if got := l.charged(); got != "" {
			t.Errorf("when all is reversed it says %q", got)
		}
	})
}

// TestD97VerifyNamesAStepThatWouldNotHaveBeenTaken has an automatic notice that an earlier release reckoned again with money that
// had paid all before its day, and whose fee and interest it left charged.
func TestD97VerifyNamesAStepThatWouldNotHaveBeenTaken(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db, raw := rows.Open(t, databaseURL), behind(t, databaseURL)
		l := newLate(t, db, rows.Creditor(t, db))
		l.play("30 March, notice")
		exec(t, raw, "UPDATE overdue_notices SET asked_by = ''")
		l.play("letter, 31 March, pay 10000 of 16")
		if got := l.charged(); got != "" {
			t.Errorf("of what this release reckoned it says %q", got)
		}
		for _, was := range []string{
			"DELETE FROM entries WHERE notice_id <> 0 AND amount < 0",
			"UPDATE notice_recalculations SET sheet = (SELECT sheet FROM overdue_notices)",
		} {
			exec(t, raw, was)
		}
		want := "notice 1 of 2026-03-30 on invoice 1 would not have been issued by what is known now (paid): interest of 46.03 and a fee of 38.00 are too much."
		if got := l.charged(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") > 0 {
			t.Errorf("it says %q, want %q", got, want)
		}
	})
}

// TestD96VerifySaysHowManyMovesItDoesNotName has more than a hundred moves of credit whose money is gone.
func TestD96VerifySaysHowManyMovesItDoesNotName(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t, db, 2)
		rows.Write(t, db, func(tx *store.Tx) error {
			entries := func(id int64, amount models.Amount) []models.Entry {
				return slices.Repeat([]models.Entry{{
					CreditorID: c.creditor.ID, CustomerID: c.id, InvoiceID: id, Type: models.EntryPayment, Amount: amount, TransactionDate: rows.Today,
				}}, 103)
			}
			away, here := entries(c.invoices[0].id, 1_00), entries(c.invoices[1].id, -1_00)
			must(t, tx.CreateEntries(t.Context(), away))
			for i, e := range away {
				here[i].MovedFrom = e.ID
			}
			return tx.CreateEntries(t.Context(), here)
		})
		found, err := ledger.Verify(t.Context(), db, c.creditor)
		must(t, err)
		named := 0
		for _, d := range found {
			if strings.Contains(string(d), "was moved to invoice 2 by transaction") {
				named++
			}
		}
		if last := string(found[len(found)-1]); named != 100 || !strings.HasPrefix(last, "credit was moved 3 more times although its money was taken back") {
			t.Errorf("%d moves are named, then it says %q", named, last)
		}
	})
}
