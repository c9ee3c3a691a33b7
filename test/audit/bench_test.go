package audit_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/audit"
	"purr/store"
	"purr/test/testkit/bench"
)

// BenchmarkAuditU11 audits the world as many times as make some fifty thousand letters, and a third of them: the time grows as the letters do, and
// the memory does not. The limit is to read each row once.
func BenchmarkAuditU11(b *testing.B) {
	w := newWorld(b)
	kept := w.keep()
	plain, err := sql.Open("sqlite", kept)
	must(b, err)
	defer func() { must(b, plain.Close()) }()
	plain.SetMaxOpenConns(1)
	db, err := store.Open("sqlite:"+kept, w.in.App.Clock)
	must(b, err)
	defer func() { must(b, db.Close()) }()
	judge := func(rate *bench.Rate) {
		v := &audit.Verdict{}
		creditors, err := db.Creditors(b.Context())
		must(b, err)
		letters, err := count(b, plain, "(SELECT 1 FROM overdue_notices UNION ALL SELECT 1 FROM hand_overs)")
		must(b, err)
		rate.Time(letters, func() {
			for _, c := range creditors {
				a, err := audit.New(b.Context(), db, w.in.App.Rules, c)
				must(b, err)
				must(b, a.Judge(b.Context(), store.AuditFilter{}, audit.Options{}, v, nil))
			}
		})
		if len(v.Findings) > 0 || v.Letters != int64(letters) {
			b.Fatalf("%d letters of %d, findings: %+v", v.Letters, letters, v.Findings[:min(3, len(v.Findings))])
		}
	}
	const third, all = 700, 2100
	var small, ours, limit bench.Rate
	multiply(b, plain, 1, third)
	stop := bench.WatchMemory()
	judge(&small)
	bench.ReportBytes(b, "heap-at-a-third", stop().Heap)
	multiply(b, plain, third, all)
	for b.Loop() {
		stop := bench.WatchMemory()
		judge(&ours)
		b.StopTimer()
		bench.ReportBytes(b, "heap", stop().Heap)
		letters, err := count(b, plain, "overdue_notices")
		must(b, err)
		limit.Time(letters, func() {
			for _, table := range tables {
				read(b, plain, table)
			}
		})
		b.StartTimer()
	}
	bench.Report(b, "letters", &ours, &limit)
	ours.ReportCPU(b, "letter")
	b.ReportMetric(small.PerSecond(), "letters/s-at-a-third")
}

// tables are those that an audit reads row by row.
var tables = []string{"customers", "invoices", "entries", "overdue_notices", "overdue_notice_lines", "notice_recalculations", "letters", "shipments", "hand_overs", "standstills", "direct_entries", "events"}

// moved are the columns that name a row: in a copy of the world they name the copy's.
var moved = []string{"id", "number", "invoice_id", "customer_id", "notice_id", "letter_id", "document_id", "last_entry_id", "entry_id", "hand_over_id", "subject_id"}

// generated are columns that the database reckons.
var generated = []string{"stage", "free", "sequence_in_force", "customer_number_key"}

// multiply makes copies of the world, from one number to another.
func multiply(b *testing.B, db *sql.DB, from, to int) {
	b.Helper()
	for _, table := range tables {
		columns := columnsOf(b, db, table)
		columns = slices.DeleteFunc(columns, func(c string) bool { return slices.Contains(generated, c) })
		values := make([]string, len(columns))
		for i, c := range columns {
			if values[i] = c; slices.Contains(moved, c) {
				values[i] = fmt.Sprintf("CASE WHEN %s = 0 THEN 0 ELSE %s + 10000 * n END", c, c)
			}
		}
		_, err := db.ExecContext(b.Context(), fmt.Sprintf("INSERT INTO %s (%s) WITH RECURSIVE copies (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM copies WHERE n < %d) SELECT %s FROM %s, copies WHERE id < 10000",
			table, strings.Join(columns, ", "), from, to-1, strings.Join(values, ", "), table))
		must(b, err)
	}
}

func count(b *testing.B, db *sql.DB, table string) (n int, err error) {
	b.Helper()
	err = db.QueryRowContext(b.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n) //nolint:gosec // the test's own
	return n, err
}

// read reads every row of a table once.
func read(b *testing.B, db *sql.DB, table string) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), "SELECT * FROM "+table) //nolint:gosec // the test's own
	must(b, err)
	defer func() { must(b, rows.Close()) }()
	columns, err := rows.Columns()
	must(b, err)
	into := make([]any, len(columns))
	for i := range into {
		into[i] = new(any)
	}
	for rows.Next() {
		must(b, rows.Scan(into...))
	}
	must(b, rows.Err())
}

// columnsOf returns the names of a table's columns.
func columnsOf(b *testing.B, db *sql.DB, table string) []string {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), "SELECT * FROM "+table+" LIMIT 0") //nolint:gosec // the test's own
	must(b, err)
	defer func() { must(b, rows.Close()) }()
	columns, err := rows.Columns()
	must(b, err)
	must(b, rows.Err())
	return columns
}
