package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/ledger"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestVerifyFindsDamageOfExportsToTheAccountsA1a hands three periods over, and damages what is kept of them, or the ledger that they follow
// from. {1} to {3} are the exports' IDs,
// {day1} to {day3} their days.
func TestVerifyFindsDamageOfExportsToTheAccountsA1a(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		now := clock.NewTest(rows.Start)
		db := rows.Open(t, databaseURL).WithClock(now)
		raw := behind(t, databaseURL)
		for _, tt := range []struct{ damage, want, why string }{
			{"", "", "none"},
			{
				"UPDATE account_exports SET debit = debit + 1 WHERE id = {2}",
				"export 2 to the accounts, of {day2} to {day2}: its accounts have 1000.00 debit and 1000.00 credit, its vouchers 1000.01", "what the vouchers add up to",
			},
			{
				`UPDATE account_exports SET sums = '[{"account":"1500","debit":"1000.00","credit":"0.00"}]' WHERE id = {2}`,
				"export 2 to the accounts, of {day2} to {day2}: its accounts have 1000.00 debit and 0.00 credit, its vouchers 1000.00", "accounts that do not balance",
			},
			{
				"UPDATE account_exports SET vouchers = 2 WHERE id = {2}",
				"export 2 to the accounts, of {day2} to {day2}: it has 2 vouchers, and 1 numbers; " +
					"export 2 to the accounts, of {day2} to {day2}: it has 2 vouchers, and the ledger booked 1 times", "the number of vouchers",
			},
			{
				`UPDATE account_exports SET series = '[{"year":2026,"first":3,"last":3}]' WHERE id = {2}`,
				"export 2 to the accounts, of {day2} to {day2}: its vouchers of 2026 begin with number 3, want 2; " +
					"export 3 to the accounts, of {day3} to {day3}: its vouchers of 2026 begin with number 3, want 4", "a gap in the numbers",
			},
			{
				"UPDATE account_exports SET closing = closing - 1 WHERE id = {1}",
				"export 1 to the accounts, of {day1} to {day1}: it goes from 0.00 to 999.99, the ledger from 0.00 to 1000.00; " +
					"export 2 to the accounts, of {day2} to {day2}: export 1 ends with 999.99, and export 2 begins with 1000.00", "a closing balance",
			},
			{
				"UPDATE account_exports SET from_date = '{day0}' WHERE id = {1}", "", "a period that begins where nothing was booked is as good",
			},
			{
				"UPDATE account_exports SET to_date = '{day2}' WHERE id = {1}",
				"export 1 to the accounts, of {day1} to {day2}: it goes from 0.00 to 1000.00, the ledger from 0.00 to 2000.00; " +
					"export 2 to the accounts, of {day2} to {day2}: it shares days with export 1; " +
					"export 3 to the accounts, of {day3} to {day3}: export 1 ends with 1000.00, and export 3 begins with 2000.00", "a day that is handed over twice",
			},
			{
				"UPDATE account_exports SET number = 7 WHERE id = {3}",
				"export 7 to the accounts, of {day3} to {day3}: it is the export 3 that was made", "an export that is gone",
			},
			{
				"DELETE FROM account_export_files WHERE export_id = {3}",
				"export 3 to the accounts, of {day3} to {day3}: it has no file", "an export without a file",
			},
			{
				"DELETE FROM account_exports WHERE id = {2}",
				"the row of account_export_files with id {file2} names id {2} of account_exports, which is not there; " +
					"export 3 to the accounts, of {day3} to {day3}: it is the export 2 that was made; " +
					"export 3 to the accounts, of {day3} to {day3}: its vouchers of 2026 begin with number 3, want 2", "an export that was lost",
			},
			{
				"UPDATE entries SET created_at = '{day3} 12:00:00' WHERE creditor_id = {creditor} AND id = {entry2}",
				"export 2 to the accounts, of {day2} to {day2}: it goes from 1000.00 to 2000.00, the ledger from 1000.00 to 1000.00; " +
					"export 2 to the accounts, of {day2} to {day2}: it has 1 vouchers, and the ledger booked 0 times; " +
					"export 3 to the accounts, of {day3} to {day3}: it goes from 2000.00 to 3000.00, the ledger from 1000.00 to 3000.00", "an entry of another day",
			},
		} {
			t.Run(tt.why, func(t *testing.T) {
				c := rows.Creditor(t, db)
				kept, err := archive.Open(t.TempDir())
				must(t, err)
				names := []string{"{creditor}", fmt.Sprint(c.ID), "{day0}", (c.BookingDay(now.Now()) - 1).String()}
				var days []models.Date
				for range 3 {
					i := rows.Invoice(t, db, c)
					entries, err := db.EntriesOfInvoice(t.Context(), i.ID)
					must(t, err)
					days = append(days, c.BookingDay(now.Now()))
					names = append(names, fmt.Sprintf("{entry%d}", len(days)), fmt.Sprint(entries[0].ID), fmt.Sprintf("{day%d}", len(days)), days[len(days)-1].String())
					now.Set(now.Now().Add(24 * time.Hour))
				}
				for n, day := range days {
					made, err := accounts.New(db, kept, "v1").Make(t.Context(), c, accounts.Request{From: day, To: day, Form: models.FormCSV}, "a person")
					must(t, err)
					names = append(names, fmt.Sprintf("{%d}", n+1), fmt.Sprint(made.Export.ID), fmt.Sprintf("{file%d}", n+1), fmt.Sprint(made.File.ID))
				}
				with := strings.NewReplacer(names...)
				exec(t, raw, with.Replace(tt.damage))
				found, err := ledger.Verify(t.Context(), db, c)
				must(t, err)
				var got []string
				for _, difference := range found {
					got = append(got, string(difference))
				}
				if want := with.Replace(tt.want); strings.Join(got, "; ") != want {
					t.Errorf("found\n%s, want\n%s", strings.Join(got, "; "), want)
				}
			})
		}
	})
}
