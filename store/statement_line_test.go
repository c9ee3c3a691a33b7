package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// brought is a statement line of a file with all transactions matched.
func brought(fileID, creditorID int64, date models.Date, reference string, entry, transactions int) models.StatementLine {
	l := models.StatementLine{
		PaymentFileID: fileID, CreditorID: creditorID, Account: "86011117947", TransactionDate: date, Format: "ocr_giro",
		Reference: reference, Entry: entry, Transactions: transactions, Matched: transactions,
	}
	l.Amount = models.Amount(transactions) * 100_00
	l.FileAmount, l.MatchedAmount = l.Amount, l.Amount
	if entry > 0 {
		l.Format = "camt.054"
	}
	return l
}

// told describes lines of the statement by file, date, reference and number of transactions.
func told(t *testing.T, lines []models.StatementLine) string {
	t.Helper()
	var all []string
	for _, l := range lines {
		n := models.Amount(l.Transactions)
		if l.Matched != l.Transactions || l.Amount != 100_00*n || l.FileAmount != l.Amount || l.MatchedAmount != l.Amount || l.Unmatched+l.Duplicates != 0 {
			t.Errorf("a line does not add up: %+v", l)
		}
		all = append(all, fmt.Sprintf("%d %s %s %d", l.PaymentFileID, l.TransactionDate, l.Reference, l.Transactions))
	}
	return strings.Join(all, "; ")
}

func TestStatementLinesE4(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		add := func(lines ...models.StatementLine) {
			t.Helper()
			rows.Write(t, db, func(tx *store.Tx) error { return tx.AddStatementLines(ctx, lines) })
		}
		add()
		add(brought(7, c.ID, rows.Today, "2602106053", 0, 3), brought(7, c.ID, rows.Today-1, "2602106053", 0, 1), brought(7, other.ID, rows.Today, "2602106053", 0, 9))
		add(brought(7, c.ID, rows.Today, "2602106053", 0, 2)) // the next batch of the same file
		add(brought(8, c.ID, rows.Today, "2602106053", 0, 1)) // the rest of a lump sum, in another file
		add(brought(9, c.ID, rows.Today, "REF", 1, 1), brought(9, c.ID, rows.Today, "REF", 2, 2), brought(10, c.ID, rows.Today, "REF", 1, 4))
		const whole = "7 2026-03-01 2602106053 1; 9 2026-03-02 REF 1; 10 2026-03-02 REF 4; 9 2026-03-02 REF 2; 7 2026-03-02 2602106053 6"
		lists := func(f store.StatementFilter, p store.Page, want string, wantTotal int64) {
			t.Helper()
			lines, total, err := db.StatementLines(ctx, c.ID, f, p)
			must(t, err)
			if got := told(t, lines); got != want || total != wantTotal {
				t.Errorf("%+v, page %+v: %d lines, %s, want %d, %s", f, p, total, got, wantTotal, want)
			}
		}
		lists(store.StatementFilter{}, everything, whole, 5)
		lists(store.StatementFilter{}, store.Page{Number: 2, Size: 3}, "9 2026-03-02 REF 2; 7 2026-03-02 2602106053 6", 5)
		lists(store.StatementFilter{}, store.Page{Number: 3, Size: 3}, "", 5)
		lists(store.StatementFilter{Dates: store.Dates{To: rows.Today - 1}}, everything, "7 2026-03-01 2602106053 1", 1)
		lists(store.StatementFilter{Dates: store.Dates{From: rows.Today + 1}}, everything, "", 0)
		lists(store.StatementFilter{Account: "86011117947"}, everything, whole, 5)
		lists(store.StatementFilter{Account: "12345678903"}, everything, "", 0)
		var each []models.StatementLine
		must(t, db.EachStatementLine(ctx, c.ID, store.StatementFilter{}, func(l models.StatementLine) error { each = append(each, l); return nil }))
		if got := told(t, each); got != whole {
			t.Errorf("one by one they are %s, want %s", got, whole)
		}
		if err := db.EachStatementLine(ctx, c.ID, store.StatementFilter{}, func(models.StatementLine) error { return store.ErrDuplicate }); err != store.ErrDuplicate { //nolint:errorlint // it is given back as it is
			t.Errorf("an error on the way: %v", err)
		}
		lines, total, err := db.StatementLinesOf(ctx, c.ID, 7, store.Page{Number: 1, Size: 1})
		if got := told(t, lines); err != nil || total != 2 || got != "7 2026-03-01 2602106053 1" {
			t.Errorf("of the first file are listed %s of %d, %v", got, total, err)
		}

		// Transactions of one creditor's line go to another creditor: they are subtracted, and an empty line is
		// deleted.
		add(brought(7, other.ID, rows.Today, "2602106053", 0, -9))
		rows.Write(t, db, func(tx *store.Tx) error { return tx.DropEmptyStatementLines(ctx, 7) })
		all, err := db.StatementLinesOfFiles(ctx, []int64{7})
		if got := told(t, all[7]); err != nil || got != "7 2026-03-01 2602106053 1; 7 2026-03-02 2602106053 5" {
			t.Errorf("the first file brought %s, %v", got, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.ReplaceStatementLines(ctx, 7, []models.StatementLine{brought(7, c.ID, rows.Today, "1", 0, 4)})
		})
		all, err = db.StatementLinesOfFiles(ctx, []int64{7})
		if got := told(t, all[7]); err != nil || got != "7 2026-03-02 1 4" {
			t.Errorf("the first file now brought %s, %v", got, err)
		}
	})
}

// addStatementLine adds a line of the bank's statement to what the owner has.
func (h holdings) addStatementLine(ctx context.Context, tx *store.Tx) error {
	return tx.AddStatementLines(ctx, []models.StatementLine{brought(h.file.ID, h.owner.ID, rows.Today, "1", 0, 1)})
}
