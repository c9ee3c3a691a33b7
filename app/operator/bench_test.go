package operator_test

import (
	"log/slog"
	"testing"

	"purr/app/operator"
	"purr/internal/clock"
	"purr/law"
	"purr/ocr"
	"purr/store/archive"
	"purr/test/testkit/bench"
)

// BenchmarkProve proves an installation of 3000 payment files and a million entries (rule O7), and one of a third of them:
// the time grows as the rows do. The limit is to read each entry once.
func BenchmarkProve(b *testing.B) {
	const (
		invoices = 250_000
		payments = 250 // of each file
		few      = 1000
		many     = 3000
	)
	db := bench.MySQL(b)
	account, kids := bench.Payable(b, db, invoices)
	if _, err := db.Bare.ExecContext(b.Context(), "UPDATE number_series SET next_number = ?", invoices+1); err != nil {
		b.Fatal(err)
	}
	kept, err := archive.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	o := operator.Operator{
		DB: db.Store, Rules: law.Default(), Clock: clock.System{}, Archive: kept,
		Importer: ocr.NewImporter(db.Store, kept, slog.New(slog.DiscardHandler)),
	}
	prove := func(rate *bench.Rate, files int) {
		rate.Time(invoices+files*payments, func() {
			seen, err := o.Prove(b.Context(), operator.Proof{}, func(f operator.Finding) { b.Error(f) })
			if want := int64(invoices + files*payments); err != nil || seen.Entries != want || seen.Files != int64(files) {
				b.Fatalf("seen are %+v, %v", seen, err)
			}
		})
	}
	var small, ours, limit bench.Rate
	bench.Paid(b, db, kept, 1, few, payments, account, kids)
	prove(&small, few)
	bench.Paid(b, db, kept, few+1, many-few, payments, account, kids)
	for b.Loop() {
		stop := bench.WatchMemory()
		prove(&ours, many)
		b.StopTimer()
		bench.ReportBytes(b, "heap", stop().Heap)
		limit.Time(invoices+many*payments, func() { readEntries(b, db) })
		b.StartTimer()
	}
	bench.Report(b, "entries", &ours, &limit)
	ours.ReportCPU(b, "entry")
	b.ReportMetric(small.PerSecond(), "entries/s-at-a-third")
}

// readEntries reads every entry once.
func readEntries(b *testing.B, db bench.Database) {
	b.Helper()
	rows, err := db.Bare.QueryContext(b.Context(), "SELECT invoice_id, type, amount, payment_file_id, line_key FROM entries")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var invoice, amount, file int64
		var kind string
		var key []byte
		if err := rows.Scan(&invoice, &kind, &amount, &file, &key); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}
