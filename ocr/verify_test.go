package ocr

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// TestE4VerifyFindsWhatDoesNotFollowFromTheRawBytes spoils the books of a file behind the program's back, each time of
// another creditor, and holds that this is found, at its line of the file.
func TestE4VerifyFindsWhatDoesNotFollowFromTheRawBytes(t *testing.T) {
	const part, statement = "the part of creditor {creditor}: ", `line "2602106053" of the statement of account {account} on 2026-03-01`
	tests := []struct{ why, damage, want string }{
		{"none", "", ""},
		{
			"a payment gone from the ledger", "DELETE FROM entries WHERE payment_file_id = {file}",
			"line 3: the payment of 400.00 is nowhere in the books; " +
				"line 0: " + part + "matched: kept are 1 of 400.00, its lines come to 0 of 0.00; " +
				"line 0: " + statement + ": kept are 3 transactions of 420.00, 1 matched, 2 unmatched, 0 duplicates, " +
				"its lines come to 2 transactions of 20.00, 0 matched, 2 unmatched, 0 duplicates",
		},
		{
			"a payment gone from the queue", "DELETE FROM unmatched_payments WHERE payment_file_id = {file} AND amount = 500",
			"line 5: the payment of 5.00 is nowhere in the books; line 0: " + part + "unmatched: kept are 2 of 20.00, its lines come to 1 of 15.00",
		},
		{
			"a payment in two places", "UPDATE entries SET payment_file_id = {file}, line_key = (SELECT line_key FROM unmatched_payments WHERE payment_file_id = {file} AND amount = 500) WHERE creditor_id = {creditor} AND type = 'INVOICE'",
			"line 5: the payment of 5.00 is in 2 places; line 0: " + part + "unmatched: kept are 2 of 20.00, its lines come to 1 of 15.00",
		},
		{
			"another amount in the ledger", "UPDATE entries SET amount = -1 WHERE payment_file_id = {file}",
			"line 3: the payment is of 400.00, and was taken for 0.01; line 0: " + part + "matched: kept are 1 of 400.00, its lines come to 0 of 0.00",
		},
		{
			"another amount in the queue", "UPDATE unmatched_payments SET amount = 1 WHERE payment_file_id = {file} AND amount = 500",
			"line 5: the payment is of 5.00, and was taken for 0.01; line 0: " + part + "unmatched: kept are 2 of 20.00, its lines come to 1 of 15.00",
		},
		{
			"another sum of the part", "UPDATE payment_file_parts SET duplicates = 1, duplicates_amount = 7 WHERE payment_file_id = {file}",
			"line 0: " + part + "3 transactions, but 4 of them somewhere; line 0: " + part + "420.00 in all, but 420.07 of it somewhere; " +
				"line 0: duplicates: kept are 1 of 0.07, its lines come to 0 of 0.00",
		},
		{
			"no part at all", "DELETE FROM payment_file_parts WHERE payment_file_id = {file}",
			"line 0: the part of creditor {creditor} is missing: 3 transactions of 420.00; " +
				"line 0: transactions: kept are 0 of 0.00, its lines come to 3 of 420.00",
		},
		{
			"another line of the statement", "UPDATE statement_lines SET amount = 1 WHERE payment_file_id = {file}",
			"line 0: " + statement + ": kept are 3 transactions of 0.01, 1 matched, 2 unmatched, 0 duplicates, " +
				"its lines come to 3 transactions of 420.00, 1 matched, 2 unmatched, 0 duplicates",
		},
		{
			"no line of the statement", "DELETE FROM statement_lines WHERE payment_file_id = {file}",
			"line 0: " + statement + " is missing: 3 transactions of 420.00, 1 matched, 2 unmatched, 0 duplicates",
		},
	}
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b, bare := openBooks(t, databaseURL), openBare(t, databaseURL)
		for _, tt := range tests {
			c := rows.Creditor(t, b.DB)
			invoice := rows.Invoice(t, b.DB, c)
			f := b.take(t, fileOf(c.BankAccount, paid(invoice.KID, 400_00), paid("", 5_00), paid("", 15_00)).Bytes(t))
			names := strings.NewReplacer("{file}", fmt.Sprint(f.ID), "{creditor}", fmt.Sprint(c.ID), "{account}", c.BankAccount)
			if tt.damage != "" {
				_, err := bare.ExecContext(t.Context(), names.Replace(tt.damage))
				must(t, err)
			}
			if got, want := strings.Join(b.differences(t, f), "; "), names.Replace(tt.want); got != want && !strings.HasPrefix(got, want+"; ") {
				t.Errorf("%s: found\n%s\nwant\n%s", tt.why, got, want)
			}
		}
	})
}

// openBare opens a database behind the program's back.
func openBare(t *testing.T, databaseURL string) *sql.DB {
	t.Helper()
	open := func() (*sql.DB, error) { return servers.OpenMySQL(databaseURL) }
	if path, is := strings.CutPrefix(databaseURL, "sqlite://"); is {
		open = func() (*sql.DB, error) { return sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") }
	}
	bare, err := open()
	must(t, err)
	t.Cleanup(func() { must(t, bare.Close()) })
	return bare
}

// Files that are proved together have their own differences each, in the order of their lines, however many lines are asked for at
// once; what is wrong with one says nothing of the others.
func TestE4VerifyTellsOfSeveralFilesApart(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b, bare := openBooks(t, databaseURL), openBare(t, databaseURL)
		first, second := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		var files []models.PaymentFile
		for n, c := range []models.Creditor{first, second, first, first, second} {
			file := fileOf(c.BankAccount)
			for i := range 400 {
				file.Assignments[0].Payments = append(file.Assignments[0].Payments, paid("", models.Amount(1+1000*n+i)))
			}
			files = append(files, b.take(t, file.Bytes(t)))
		}
		spoilt := map[int]models.Amount{1: 1001, 2: 2400, 4: 4200}
		for n, amount := range spoilt {
			_, err := bare.ExecContext(t.Context(), fmt.Sprintf("DELETE FROM unmatched_payments WHERE payment_file_id = %d AND amount = %d", files[n].ID, amount))
			must(t, err)
		}
		found := make([][]FileDifference, len(files))
		must(t, b.im.Verify(t.Context(), files, func(file int, d FileDifference) { found[file] = append(found[file], d) }))
		for n, differences := range found {
			amount, is := spoilt[n]
			if !is {
				if len(differences) > 0 {
					t.Errorf("file %d: nothing is wrong with it, and it says %v", n, differences)
				}
				continue
			}
			want := FileDifference{3 + 2*(int(amount)-1000*n-1), fmt.Sprintf("the payment of %s is nowhere in the books", amount)}
			if len(differences) < 2 || differences[0] != want || differences[1].Line != 0 {
				t.Errorf("file %d: found %v, want %v first", n, differences, want)
			}
		}
	})
}

// A file that is broken in many places does not flood who asks.
func TestE4VerifyTellsAHundredDifferencesOfAFile(t *testing.T) {
	t.Parallel()
	url := testkit.SQLite(t)
	b, bare := openBooks(t, url), openBare(t, url)
	c := rows.Creditor(t, b.DB)
	many := fileOf(c.BankAccount)
	for range 150 {
		many.Assignments[0].Payments = append(many.Assignments[0].Payments, paid("", 5_00))
	}
	f := b.take(t, many.Bytes(t))
	_, err := bare.ExecContext(t.Context(), "DELETE FROM unmatched_payments")
	must(t, err)
	got := b.differences(t, f)
	if len(got) != 101 || got[0] != "line 3: the payment of 5.00 is nowhere in the books" || !strings.HasPrefix(got[100], "line 0: and 5") {
		t.Errorf("%d differences are told, the last %q", len(got), got[len(got)-1])
	}
}

// What a release imported that kept no lines of the statement gets them, from where its lines are now.
func TestE4AnOlderReleasesFileGetsItsStatement(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b, bare := openBooks(t, databaseURL), openBare(t, databaseURL)
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		file := fileOf(c.BankAccount, paid(invoice.KID, 400_00), paid("", 5_00))
		b.take(t, file.Bytes(t))
		repackaged := fileOf(c.BankAccount, paid(invoice.KID, 400_00), byCard(20, "", 3_00, "retur"))
		b.take(t, repackaged.Bytes(t))
		want := b.statement(t, c)
		for _, statement := range []string{"DELETE FROM statement_lines", "UPDATE payment_files SET has_statement = 0"} {
			_, err := bare.ExecContext(t.Context(), statement)
			must(t, err)
		}
		if got := b.statement(t, c); got != "" {
			t.Fatalf("the statement is still there: %s", got)
		}
		b.proveFiles(t) // nothing is wrong with it meanwhile
		must(t, b.sweep(t.Context()))
		wantText(t, "the statement", b.statement(t, c), want)
		b.proveFiles(t)
		if left, err := b.DB.UnfinishedFiles(t.Context()); err != nil || len(left) != 0 {
			t.Errorf("%d files are still owed something, %v", len(left), err)
		}
	})
}
