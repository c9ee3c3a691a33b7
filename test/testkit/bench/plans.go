package bench

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// Plans returns how a MySQL (or MariaDB) server answers the queries that reach it while do runs, each in a
// line: which index, by how many columns' bytes, how many rows it expects, and the query's end.
func Plans(b *testing.B, db *sql.DB, do func()) []string {
	b.Helper()
	for _, s := range []string{"SET GLOBAL log_output = 'TABLE'", "TRUNCATE mysql.general_log", "SET GLOBAL general_log = 1"} {
		mustExec(b, db, s)
	}
	do()
	mustExec(b, db, "SET GLOBAL general_log = 0")
	queries := column(b, db, "SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type = 'Query' AND argument LIKE 'SELECT%' ORDER BY event_time")
	var plans []string
	for _, q := range queries {
		plans = append(plans, plan(b, db, q)...)
	}
	return plans
}

func mustExec(b *testing.B, db *sql.DB, statement string) {
	b.Helper()
	if _, err := db.ExecContext(b.Context(), statement); err != nil {
		b.Fatalf("%v: %s", err, statement)
	}
}

// column returns the only column that a query finds.
func column(b *testing.B, db *sql.DB, query string) []string {
	b.Helper()
	found, err := db.QueryContext(b.Context(), query)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	var values []string
	for found.Next() {
		var v string
		if err := found.Scan(&v); err != nil {
			b.Fatal(err)
		}
		values = append(values, v)
	}
	if err := found.Err(); err != nil {
		b.Fatal(err)
	}
	return values
}

// plan returns the steps of a query's plan.
func plan(b *testing.B, db *sql.DB, query string) []string {
	b.Helper()
	found, err := db.QueryContext(b.Context(), "EXPLAIN "+query)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	names, err := found.Columns()
	if err != nil {
		b.Fatal(err)
	}
	var steps []string
	for found.Next() {
		values := make([]sql.NullString, len(names))
		places := make([]any, len(names))
		for i := range values {
			places[i] = &values[i]
		}
		if err := found.Scan(places...); err != nil {
			b.Fatal(err)
		}
		of := map[string]string{}
		for i, name := range names {
			of[strings.ToLower(name)] = values[i].String
		}
		steps = append(steps, fmt.Sprintf("%-12s %-10s key %-22s rows %-8s %s", of["table"], of["type"], of["key"], of["rows"], of["extra"]))
	}
	if err := found.Err(); err != nil {
		b.Fatal(err)
	}
	from := strings.Index(query, " FROM ")
	return append([]string{"SELECT …" + query[max(from, 0):]}, steps...)
}
