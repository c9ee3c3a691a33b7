package accounts_test

import (
	"bufio"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkExport hands a period with a million entries of 50 000 customers over to the accounts in each form (rule A1). The limit is to read
// each entry with its invoice and its customer, and to write what was read to a file.
func BenchmarkExport(b *testing.B) {
	const customers, invoices = 50_000, 526_500
	today := rows.Day("2026-09-01")
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		creditor := bench.Crowd{Customers: customers, Invoices: invoices}.Fill(b, db, today-1)
		bench.InTransaction(b, db.Bare, func(tx *sql.Tx) {
			bench.Exec(b, tx, `INSERT INTO invoice_lines (invoice_id, position, text, unit_price, num_items, vat, vat_percent, net, gross)
				SELECT id, 1, 'Rørleggerarbeid', 10000000, 1000, 'HIGH', 2500, net, gross FROM invoices`)
		})
		at := db.Store.WithClock(clock.NewTest(today.Time().Add(36 * time.Hour)))
		for _, form := range models.AccountForms {
			b.Run(string(form), func(b *testing.B) {
				benchmarkExport(b, db, at, creditor, accounts.Request{From: rows.Day("2020-01-01"), To: today, Form: form})
			})
		}
	})
}

func benchmarkExport(b *testing.B, db bench.Database, at *store.DB, creditor models.Creditor, r accounts.Request) {
	b.Helper()
	var ours, limit bench.Rate
	for b.Loop() {
		b.StopTimer()
		bench.InTransaction(b, db.Bare, func(tx *sql.Tx) {
			bench.Exec(b, tx, "DELETE FROM account_export_files")
			bench.Exec(b, tx, "DELETE FROM account_exports")
		})
		kept, err := archive.Open(b.TempDir())
		must(b, err)
		entries := 0
		limit.Time(1, func() { entries = readAndWrite(b, db, creditor.ID) })
		stop := bench.WatchMemory()
		b.StartTimer()
		var made accounts.Export
		ours.Time(1, func() { made, err = accounts.New(at, kept, "v1").Make(b.Context(), creditor, r, "a person") })
		b.StopTimer()
		must(b, err)
		peak := stop()
		if made.Export.Vouchers != entries || entries < 1_000_000 {
			b.Fatalf("there are %d vouchers of %d entries", made.Export.Vouchers, entries)
		}
		bench.ReportBytes(b, "heap", peak.Heap)
		bench.ReportBytes(b, "RSS", peak.RSS)
		bench.ReportBytes(b, "file", uint64(made.File.Size)) //nolint:gosec // a size is not below zero
		b.StartTimer()
	}
	b.ReportMetric(1/ours.PerSecond(), "s")
	b.ReportMetric(ours.CPU().Seconds(), "cpu-s")
	b.ReportMetric(1/limit.PerSecond(), "limit-s")
}

// readAndWrite reads each entry with its invoice and its customer, writes what it reads to a file, and returns how many there are.
func readAndWrite(b *testing.B, db bench.Database, creditor int64) (n int) {
	b.Helper()
	to, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	must(b, err)
	defer to.Close()
	w := bufio.NewWriter(to)
	found, err := db.Bare.QueryContext(b.Context(), `SELECT e.id, e.customer_id, e.invoice_id, e.type, e.amount, e.transaction_date, e.created_at, i.number, i.due_date, i.kid, c.name1,
		c.customer_number FROM entries e JOIN invoices i ON i.id = e.invoice_id JOIN customers c ON c.id = e.customer_id WHERE e.creditor_id = ? ORDER BY e.id`, creditor)
	must(b, err)
	defer found.Close()
	columns := make([]sql.RawBytes, 12)
	into := make([]any, len(columns))
	for i := range columns {
		into[i] = &columns[i]
	}
	for found.Next() {
		must(b, found.Scan(into...))
		for _, c := range columns {
			_, _ = w.Write(c)
			_ = w.WriteByte(',')
		}
		_ = w.WriteByte('\n')
		n++
	}
	must(b, found.Err())
	must(b, w.Flush())
	must(b, to.Sync())
	return n
}
