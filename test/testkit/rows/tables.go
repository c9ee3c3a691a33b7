package rows

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// TablesWith returns the names of the tables of a migrated database that have a column, sorted.
func TablesWith(t testing.TB, databaseURL, column string) (tables []string) {
	t.Helper()
	query := "SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = ?"
	if strings.HasPrefix(databaseURL, "sqlite:") {
		query = "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = ?"
	}
	db := bare(t, databaseURL)
	defer func() { testkit.Must(t, db.Close()) }()
	found, err := db.QueryContext(t.Context(), query, column)
	testkit.Must(t, err)
	defer func() { testkit.Must(t, found.Close()) }()
	for found.Next() {
		var table string
		testkit.Must(t, found.Scan(&table))
		tables = append(tables, table)
	}
	testkit.Must(t, found.Err())
	slices.Sort(tables)
	return tables
}

// bare opens a database without the store.
func bare(t testing.TB, databaseURL string) *sql.DB {
	t.Helper()
	open := servers.OpenMySQL
	if path, isFile := strings.CutPrefix(databaseURL, "sqlite:"); isFile {
		open = func(string) (*sql.DB, error) {
			return sql.Open("sqlite", strings.TrimPrefix(path, "//")+"?_pragma=busy_timeout(30000)")
		}
	}
	db, err := open(databaseURL)
	testkit.Must(t, err)
	return db
}
