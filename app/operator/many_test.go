package operator_test

import (
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"purr/app/operator"
	"purr/internal/clock"
	"purr/law"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// TestD113VerifyAsksForManyCreditorsAtOnce: purr verify asks hardly more of some thousand creditors who have no books than of one, and
// still finds what is wrong of each.
func TestD113VerifyAsksForManyCreditorsAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		now := clock.NewTest(rows.Start)
		db := rows.Open(t, databaseURL).WithClock(now)
		bare, dialect := pastTheProgram(t, databaseURL)
		kept, err := archive.Open(t.TempDir())
		testkit.Must(t, err)
		o := operator.Operator{DB: db, Rules: law.Default(), Clock: now, Archive: kept, Importer: ocr.NewImporter(db, kept, slog.New(slog.DiscardHandler))}
		found := func() (all []string, statements int64) {
			t.Helper()
			var asked store.Queries
			_, err := o.Prove(asked.Counting(t.Context()), operator.Proof{}, func(f operator.Finding) { all = append(all, f.String()) })
			testkit.Must(t, err)
			testkit.Must(t, o.Warnings(asked.Counting(t.Context()), func(operator.Finding) {}))
			return all, asked.Count()
		}
		rows.Creditor(t, db)
		_, few := found()
		const many = 3000
		rows.ManyCreditors(t, bare, dialect, many, rows.Today)
		all, statements := found()
		if len(all) > 0 || statements > few+150 {
			t.Errorf("of %d creditors it asks %d statements, of one %d: %q", many, statements, few, all)
		}
		for n, statement := range []string{
			"UPDATE number_series SET next_number = 7 WHERE creditor_id = (SELECT MAX(id) - 1 FROM creditors)",
			"INSERT INTO runs (creditor_id, kind, business_date, state, held_back, done, started_at) SELECT MAX(id), 'dunning', '2099-01-01', 'done', 0, 0, '2020-01-01 00:00:00' FROM creditors",
		} {
			_, err := bare.ExecContext(t.Context(), statement)
			testkit.Must(t, err)
			if all, _ := found(); len(all) != n+1 {
				t.Errorf("after %s it tells of %q", statement, all)
			}
		}
	})
}

// pastTheProgram opens the database for statements that the program has not.
func pastTheProgram(t *testing.T, databaseURL string) (bare *sql.DB, dialect string) {
	t.Helper()
	path, is := strings.CutPrefix(databaseURL, "sqlite:")
	dialect = "mysql"
	open := func() (*sql.DB, error) { return servers.OpenMySQL(databaseURL) }
	if is {
		dialect = "sqlite"
		open = func() (*sql.DB, error) {
			return sql.Open("sqlite", strings.TrimPrefix(path, "//")+"?_pragma=busy_timeout(30000)")
		}
	}
	bare, err := open()
	testkit.Must(t, err)
	t.Cleanup(func() { testkit.Must(t, bare.Close()) })
	return bare, dialect
}
