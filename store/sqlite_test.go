package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// kept returns one connection that keeps its statements, to a file with a table of the numbers 1 to 3.
func kept(t *testing.T) *sql.Conn {
	t.Helper()
	db, err := store.OpenSQLitePool(filepath.Join(t.TempDir(), "kept.db"))
	must(t, err)
	conn, err := db.Conn(t.Context())
	must(t, err)
	t.Cleanup(func() {
		must(t, conn.Close())
		must(t, db.Close())
	})
	run(t, conn, "CREATE TABLE numbers (i INTEGER)")
	for i := range 3 {
		run(t, conn, "INSERT INTO numbers VALUES (?)", i+1)
	}
	return conn
}

func run(t *testing.T, conn *sql.Conn, statement string, args ...any) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), statement, args...)
	must(t, err)
}

// numbers asks for all numbers, and calls each for each of them.
func numbers(t *testing.T, conn *sql.Conn, each func(int)) {
	t.Helper()
	found, err := conn.QueryContext(t.Context(), "SELECT * FROM numbers ORDER BY i")
	must(t, err)
	defer func() { must(t, found.Close()) }()
	for found.Next() {
		var i int
		must(t, found.Scan(&i))
		each(i)
	}
	must(t, found.Err())
}

// TestASQLiteStatementIsUsedOnceAtATime: a query that is asked again while its rows are read begins anew.
func TestASQLiteStatementIsUsedOnceAtATime(t *testing.T) {
	t.Parallel()
	conn := kept(t)
	var met []int
	for range 2 { // the second time, two statements of the query have been prepared
		numbers(t, conn, func(outer int) {
			numbers(t, conn, func(inner int) { met = append(met, 10*outer+inner) })
		})
	}
	once := []int{11, 12, 13, 21, 22, 23, 31, 32, 33}
	if want := slices.Concat(once, once); !slices.Equal(met, want) {
		t.Errorf("got %v, want %v", met, want)
	}
}

// TestASQLiteStatementFollowsTheSchema: a kept statement sees what has become of its table. One that fails can be repeated.
func TestASQLiteStatementFollowsTheSchema(t *testing.T) {
	t.Parallel()
	conn := kept(t)
	numbers(t, conn, func(int) {})
	run(t, conn, "CREATE UNIQUE INDEX numbers_i ON numbers (i)")
	for range 2 {
		if _, err := conn.ExecContext(t.Context(), "INSERT INTO numbers VALUES (?)", 3); err == nil {
			t.Error("a number came twice")
		}
	}
	run(t, conn, "INSERT INTO numbers VALUES (?)", 4)
	for n := range 2 * store.MostKept {
		run(t, conn, fmt.Sprintf("UPDATE numbers SET i = i + %d - %[1]d", n)) // more than are kept
	}
	run(t, conn, "DROP TABLE numbers")
	run(t, conn, "CREATE TABLE numbers (i INTEGER, half INTEGER AS (i / 2))")
	run(t, conn, "INSERT INTO numbers VALUES (?)", 8)
	var i, half int
	must(t, conn.QueryRowContext(t.Context(), "SELECT * FROM numbers ORDER BY i").Scan(&i, &half))
	if i != 8 || half != 4 {
		t.Errorf("got %d and %d", i, half)
	}
	must(t, conn.Raw(func(c any) error {
		if n := store.Kept(c); n != store.MostKept {
			t.Errorf("%d statements are kept, want %d", n, store.MostKept)
		}
		return nil
	}))
}

// TestALimitIsInTheTextOnSQLite: as a parameter it would have SQLite parse the statement again each time.
func TestALimitIsInTheTextOnSQLite(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.SQLite(t))
	c := rows.Creditor(t, db)
	asked := db.Queries(t, func() {
		if _, err := db.CreditorNamed(t.Context(), c.Name); err != nil {
			t.Error(err)
		}
		if found, err := db.RunsBefore(t.Context(), c.ID, models.RunStatus, rows.Today, 7); err != nil || len(found) > 0 {
			t.Errorf("found %v, %v", found, err)
		}
	})
	var ends []string
	for _, a := range asked {
		ends = append(ends, a.SQL[strings.LastIndex(a.SQL, "LIMIT"):])
	}
	if want := []string{"LIMIT 1", "LIMIT 7"}; !slices.Equal(ends, want) {
		t.Errorf("the queries end with %q, want %q", ends, want)
	}
}
