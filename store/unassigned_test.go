package store_test

import (
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// E4: a creditor that gets an account gets its earlier payments; other accounts stay unassigned.
func TestUnassignedE4(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		const nobodys = "12345678903"
		file := models.PaymentFile{Filename: "OCR.txt"}
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreatePaymentFile(ctx, &file))
			return tx.CreateUnmatchedPayments(ctx, []models.UnmatchedPayment{
				{PaymentFileID: file.ID, LineKey: lineKey(1), Account: c.BankAccount, Amount: 3_00, TransactionDate: rows.Today, Status: "open"},
				{PaymentFileID: file.ID, LineKey: lineKey(2), Account: c.BankAccount, Amount: -1_00, TransactionDate: rows.Today - 1, Status: "open"},
				{PaymentFileID: file.ID, LineKey: lineKey(3), Account: nobodys, Amount: 7_00, TransactionDate: rows.Today, Status: "open"},
			})
		})
		lines := []models.StatementLine{brought(file.ID, 0, rows.Today, "1", 0, 2), brought(file.ID, 0, rows.Today, "2", 0, 1)}
		lines[0].Account, lines[1].Account = c.BankAccount, nobodys
		rows.Write(t, db, func(tx *store.Tx) error { return tx.AddStatementLines(ctx, lines) })
		found, err := db.Unassigned(ctx)
		must(t, err)
		if len(found) != 2 || found[1].File.ID != file.ID || found[1].File.Filename != "OCR.txt" || found[1].Payments != 2 || found[1].Amount != 2_00 ||
			found[1].First != rows.Today-1 || found[1].Last != rows.Today || found[0].Account != nobodys {
			t.Errorf("nobody has %+v", found)
		}
		owned := func() []int64 {
			t.Helper()
			ids, err := db.AssignableFiles(ctx)
			must(t, err)
			return ids
		}
		if got := owned(); len(got) != 0 {
			t.Errorf("files under way have an owner: %v", got)
		}
		file.State = models.FileImported
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdatePaymentFile(ctx, file) })
		if got := owned(); !slices.Equal(got, []int64{file.ID}) {
			t.Errorf("files with an owner are %v", got)
		}
		if is, err := db.HasAssignable(ctx, file.ID); err != nil || !is {
			t.Errorf("the file has an owner: %t, %v", is, err)
		}
		if fs, err := db.UnfinishedFiles(ctx); err != nil || !slices.Equal(fileIDs(fs), []int64{file.ID}) {
			t.Errorf("unfinished are %v, %v", fileIDs(fs), err)
		}

		rows.Write(t, db, func(tx *store.Tx) error {
			taken, err := tx.TakeUnassigned(ctx, file.ID, [][]byte{lineKey(1), lineKey(2), lineKey(9)})
			if len(taken) != 2 || taken[string(lineKey(2))].Amount != -1_00 || taken[string(lineKey(2))].Table != store.UnmatchedTable {
				t.Errorf("taken are %+v", taken)
			}
			must(t, err)
			if other, err := tx.TakeUnassigned(ctx, file.ID+1, [][]byte{lineKey(3)}); err != nil || len(other) != 0 {
				t.Errorf("of another file are taken %+v, %v", other, err)
			}
			return tx.AddStatementLines(ctx, []models.StatementLine{brought(file.ID, c.ID, rows.Today, "1", 0, 2)})
		})
		if found, err = db.Unassigned(ctx); err != nil || len(found) != 1 || found[0].Account != nobodys {
			t.Errorf("nobody has %+v, %v", found, err)
		}
		for account, want := range map[string]bool{nobodys: true, c.BankAccount: true, "97104133219": false} {
			if got, err := db.HasUnassigned(ctx, file.ID, account); err != nil || got != want {
				t.Errorf("of %s is kept aside: %t, %v", account, got, err)
			}
		}
	})
}
