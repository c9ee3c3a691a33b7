package ocr_test

import (
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"purr/models"
	"purr/ocr"
	"purr/store/archive"
	"purr/test/testkit/bench"
)

const (
	benchInvoices = 100_000
	benchBatch    = 1000 // rows of a transaction
)

// BenchmarkImport imports files of as many payments as there are invoices. The limit is to insert the
// entries that come of it, and no more, into the same table.
func BenchmarkImport(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		account, kids := bench.Payable(b, db, benchInvoices)
		im := importer(b, db)
		var ours, limit bench.Rate
		for number := 1; b.Loop(); number++ {
			b.StopTimer()
			path := bench.BankFile(b, number, benchInvoices, account, kids)
			b.StartTimer()
			var fileID int64
			ours.Time(benchInvoices, func() { fileID = importFile(b, im, path, benchInvoices) })
			b.StopTimer()
			entries := entriesOf(b, db.Bare, fileID)
			limit.Time(len(entries), func() { insertEntries(b, db, entries) })
			b.StartTimer()
		}
		bench.Report(b, "payments", &ours, &limit)
		ours.ReportCPU(b, "payment")
	})
}

// BenchmarkImportCamt imports camt.054 files. The limit is to import the same payments as OCR giro, into a database of
// their own: in one database, each would be looked for among those of the other format.
func BenchmarkImportCamt(b *testing.B) {
	const payments = 50_000
	db, other := bench.MySQL(b), bench.MySQL(b)
	account, kids := bench.Payable(b, db, payments)
	otherAccount, _ := bench.Payable(b, other, payments)
	im, otherIm := importer(b, db), importer(b, other)
	var ours, limit bench.Rate
	for number := 1; b.Loop(); number++ {
		b.StopTimer()
		path, otherPath := bench.CamtFile(b, number, payments, account, kids), bench.BankFile(b, number, payments, otherAccount, kids)
		b.StartTimer()
		ours.Time(payments, func() { importFile(b, im, path, payments) })
		b.StopTimer()
		limit.Time(payments, func() { importFile(b, otherIm, otherPath, payments) })
		b.StartTimer()
	}
	bench.Report(b, "payments", &ours, &limit)
	ours.ReportCPU(b, "payment")
	limit.ReportCPU(b, "ocr-payment")
}

// BenchmarkImportMemory imports a file of a million payments. The memory grows by the identities of its
// lines alone, as shows beside what a tenth of the payments takes.
func BenchmarkImportMemory(b *testing.B) {
	const few, many = 100_000, 1_000_000
	db := bench.MySQL(b)
	account, kids := bench.Payable(b, db, benchInvoices)
	im := importer(b, db)
	var ours bench.Rate
	var small, large bench.Peak
	for number := 1; b.Loop(); number += 2 {
		b.StopTimer()
		path := bench.BankFile(b, number, few, account, kids)
		stop := bench.WatchMemory()
		importFile(b, im, path, few)
		small = stop()
		path = bench.BankFile(b, number+1, many, account, kids)
		stop = bench.WatchMemory()
		b.StartTimer()
		ours.Time(many, func() { importFile(b, im, path, many) })
		large = stop()
	}
	b.ReportMetric(ours.PerSecond(), "payments/s")
	bench.ReportBytes(b, "heap", large.Heap)
	bench.ReportBytes(b, "RSS", large.RSS)
	bench.ReportBytes(b, "heap-at-a-tenth", small.Heap)
}

func importer(b *testing.B, db bench.Database) *ocr.Importer {
	b.Helper()
	a, err := archive.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	return ocr.NewImporter(db.Store, a, slog.New(slog.DiscardHandler))
}

// importFile imports a file, whose payments must all match, and returns its ID.
func importFile(b *testing.B, im *ocr.Importer, path string, payments int) int64 {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	file, err := im.Import(b.Context(), f, ocr.Source{Filename: filepath.Base(path), Kind: ocr.FromCommand})
	if err != nil || file.State != models.FileImported || file.LinesDone != payments {
		b.Fatalf("%d payments are %s, %v: %v", file.LinesDone, file.State, file.Faults, err)
	}
	return file.ID
}

const entryColumns = `creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, bank_date, comment,
	from_account_number, notice_id, payment_file_id, line_key`

// entriesOf reads the entries of a file.
func entriesOf(b *testing.B, db *sql.DB, fileID int64) (entries []models.Entry) {
	b.Helper()
	found, err := db.QueryContext(b.Context(), "SELECT "+entryColumns+" FROM entries WHERE payment_file_id = ? ORDER BY id", fileID)
	if err != nil {
		b.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var e models.Entry
		if err := found.Scan(&e.CreditorID, &e.CustomerID, &e.InvoiceID, &e.CreditNoteID, &e.Type, &e.Amount, &e.TransactionDate, &e.BankDate,
			&e.Comment, &e.FromAccountNumber, &e.NoticeID, &e.PaymentFileID, &e.LineKey); err != nil {
			b.Fatal(err)
		}
		entries = append(entries, e)
	}
	if err := found.Err(); err != nil {
		b.Fatal(err)
	}
	return entries
}

// insertEntries inserts the entries again, for a creditor that does not exist.
func insertEntries(b *testing.B, db bench.Database, entries []models.Entry) {
	b.Helper()
	const nobody = 1 << 40
	now := time.Now().UTC()
	for batch := range slices.Chunk(entries, benchBatch) {
		bench.InTransaction(b, db.Bare, func(tx *sql.Tx) {
			for some := range slices.Chunk(batch, db.Rows) {
				args := make([]any, 0, 14*len(some))
				for _, e := range some {
					args = append(args, e.CreditorID+nobody, e.CustomerID, e.InvoiceID, e.CreditNoteID, string(e.Type), int64(e.Amount),
						e.TransactionDate.String(), e.BankDate.String(), e.Comment, e.FromAccountNumber, e.NoticeID, e.PaymentFileID, e.LineKey, now)
				}
				bench.Exec(b, tx, "INSERT INTO entries ("+entryColumns+", created_at) VALUES "+
					bench.Repeat("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", len(some)), args...)
			}
		})
	}
}
