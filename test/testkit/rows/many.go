package rows

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"purr/models"
)

// ManyCreditors copies the only creditor until there are n, by statements past the program, with their number series. Each has its runs of
// a date made, and the webhooks of the first. dialect is sqlite or mysql.
func ManyCreditors(t testing.TB, bare *sql.DB, dialect string, n int, made models.Date) {
	t.Helper()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := bare.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	first := 0
	if err := bare.QueryRowContext(t.Context(), "SELECT MAX(id) FROM creditors").Scan(&first); err != nil {
		t.Fatal(err)
	}
	columns := columnsOf(t, bare, "creditors", "id", "name")
	name := "CONCAT('Kreditor ', id, ' av ', ?)"
	if dialect == "sqlite" {
		name = "'Kreditor ' || id || ' av ' || ?"
	}
	for have := 1; have < n; have *= 2 {
		exec(fmt.Sprintf("INSERT INTO creditors (name, %s) SELECT %[2]s, %[1]s FROM creditors ORDER BY id LIMIT %[3]d", columns, name, min(have, n-have)), have)
	}
	exec("INSERT INTO number_series (creditor_id, next_number) SELECT id, 1 FROM creditors WHERE id > ?", first)
	hooks := columnsOf(t, bare, "webhooks", "id", "creditor_id")
	exec(fmt.Sprintf("INSERT INTO webhooks (creditor_id, %s) SELECT c.id, w.%s FROM webhooks w JOIN creditors c ON c.id > ?", hooks, strings.ReplaceAll(hooks, ", ", ", w.")), first)
	for _, kind := range models.RunKinds {
		exec(`INSERT INTO runs (creditor_id, kind, business_date, state, held_back, done, started_at, finished_at)
			SELECT id, ?, ?, 'done', 0, 0, ?, ? FROM creditors`, string(kind), made.String(), made.String()+" 20:00:00", made.String()+" 20:00:00")
	}
}

// columnsOf returns the columns of a table that are not generated, but for some.
func columnsOf(t testing.TB, bare *sql.DB, table string, without ...string) string {
	t.Helper()
	rows, err := bare.QueryContext(context.WithoutCancel(t.Context()), "SELECT * FROM "+table+" LIMIT 1") //nolint:gosec // the table is a constant
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err == nil {
		err = rows.Err()
	}
	if err != nil {
		t.Fatal(err)
	}
	left := " " + strings.Join(names, " ") + " "
	for _, name := range without {
		left = strings.ReplaceAll(left, " "+name+" ", " ")
	}
	return strings.Join(strings.Fields(left), ", ")
}
