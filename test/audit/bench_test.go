package audit_test

import (
	"database/sql"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"purr/app/operator"
	"purr/audit"
	"purr/store"
	"purr/test/testkit/bench"
)

// BenchmarkAuditU11 audits the world as many times as make some fifty thousand letters, and a third of them: the time grows as the letters do, and
// the memory does not. The limit is to read each row once, of it the columns that an audit reads, in the order of the tables, and to do nothing with
// them.
func BenchmarkAuditU11(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(operator.AuditGarbage))
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
		n := letters(b, plain)
		rate.Time(n, func() {
			for _, c := range creditors {
				a, err := audit.New(b.Context(), db, w.in.App.Rules, c)
				must(b, err)
				must(b, a.Judge(b.Context(), store.AuditFilter{}, audit.Options{}, v, nil))
			}
		})
		if len(v.Findings) > 0 || v.Letters != int64(n) {
			b.Fatalf("%d letters of %d, findings: %+v", v.Letters, n, v.Findings[:min(3, len(v.Findings))])
		}
	}
	const third, all = 700, 2100
	var small, ours, limit bench.Rate
	multiply(b, plain, 1, third)
	stop := bench.WatchMemory()
	judge(&small)
	heap := stop().Heap
	multiply(b, plain, third, all)
	for b.Loop() {
		stop := bench.WatchMemory()
		judge(&ours)
		b.StopTimer()
		bench.ReportBytes(b, "heap", stop().Heap)
		limit.Time(letters(b, plain), func() {
			for _, what := range whatIsRead {
				read(b, plain, what)
			}
		})
		b.StartTimer()
	}
	bench.Report(b, "letters", &ours, &limit)
	ours.ReportCPU(b, "letter")
	bench.ReportBytes(b, "heap-at-a-third", heap) // the loop forgets what was reported before it
	b.ReportMetric(small.PerSecond(), "letters/s-at-a-third")
}

// tables are those of which copies are made.
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
		values, only := make([]string, len(columns)), ""
		if table == "events" {
			only = " AND customer_id <> 0" // a creditor is not changed as often as it has invoices
		}
		for i, c := range columns {
			if values[i] = c; slices.Contains(moved, c) {
				values[i] = fmt.Sprintf("CASE WHEN %s = 0 THEN 0 ELSE %s + 10000 * n END", c, c)
			}
		}
		_, err := db.ExecContext(b.Context(), fmt.Sprintf("INSERT INTO %s (%s) WITH RECURSIVE copies (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM copies WHERE n < %d) SELECT %s FROM %s, copies WHERE id < 10000%s",
			table, strings.Join(columns, ", "), from, to-1, strings.Join(values, ", "), table, only))
		must(b, err)
	}
}

// letters returns how many letters there are.
func letters(b *testing.B, db *sql.DB) (n int) {
	b.Helper()
	must(b, db.QueryRowContext(b.Context(), "SELECT (SELECT COUNT(*) FROM overdue_notices) + (SELECT COUNT(*) FROM hand_overs)").Scan(&n))
	return n
}

// whatIsRead are the rows that an audit reads, with their columns.
var whatIsRead = []string{
	"id, name1, name2, address1, address2, postal_code, postal_name, country_code, organisation_number, dunning_policy FROM customers",
	"id, creditor_id, customer_id, number, issue_date, due_date, gross, kid, bank_account, seller_id, balance, repayment_owed, written_off, notices, warned, deadline, closed, " +
		"kept_open, handed_over, interest_free, plan_id, acknowledged, adopted, drawn, created_at FROM invoices",
	"id, creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, notice_id, moved_from, moved_to, adopted, hand_over_id, created_at FROM entries",
	"id, creditor_id, customer_id, invoice_id, letter_id, sequence, issue_date, due_date, counts_until, warning, announces, fee, compensation, interest, gross, kid, " + recipient +
		", seller_id, language, sheet, pdf, ehf, withdrawn, asked_by, asked_fee, asked_interest, adopted, created_at FROM overdue_notices",
	"notice_id, position, gross, type, transaction_date FROM overdue_notice_lines",
	"* FROM notice_recalculations",
	"* FROM letters",
	"id, document_kind, document_id, ordinary, method, " + recipient + ", state, sent_at, reported_at, retried_at, fallback_of, created_at FROM shipments WHERE NOT copy",
	"id, creditor_id, invoice_id, handed_over, forced, last_entry_id, bundle, state, delivered_at, taken_back, created_at FROM hand_overs",
	"* FROM standstills",
	"id, at, type, actor, invoice_id, customer_id, subject_id, data FROM events WHERE type IN ('invoice.handed_over', 'invoice.closed', 'invoice.reopened', 'customer.changed')",
}

const recipient = "recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_organisation_number"

// read reads the columns of every row of a table once.
func read(b *testing.B, db *sql.DB, what string) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), "SELECT "+what)
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
