package ocr_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/archive"
	"purr/internal/testkit/bench"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
)

const (
	benchInvoices = 100_000
	benchGross    = 125_000 // øre, of each invoice and payment
	benchBatch    = 1000    // rows of a transaction
)

// BenchmarkImport imports files of as many payments as there are invoices. The limit is to insert the
// entries that come of it, and no more, into the same table.
func BenchmarkImport(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		account, kids := createInvoices(b, db)
		im := importer(b, db)
		var ours, limit bench.Rate
		for number := 1; b.Loop(); number++ {
			b.StopTimer()
			path := writeFile(b, number, benchInvoices, account, kids)
			b.StartTimer()
			var fileID int64
			ours.Time(benchInvoices, func() { fileID = importFile(b, im, path, benchInvoices) })
			b.StopTimer()
			entries := entriesOf(b, db.Bare, fileID)
			limit.Time(len(entries), func() { insertEntries(b, db, entries) })
			b.StartTimer()
		}
		bench.Report(b, "payments", &ours, &limit)
	})
}

// BenchmarkImportMemory imports a file of a million payments. The memory grows by the identities of its
// lines alone, as shows beside what a tenth of the payments takes.
func BenchmarkImportMemory(b *testing.B) {
	const few, many = 100_000, 1_000_000
	db := bench.MySQL(b)
	account, kids := createInvoices(b, db)
	im := importer(b, db)
	var ours bench.Rate
	var small, large bench.Peak
	for number := 1; b.Loop(); number += 2 {
		b.StopTimer()
		path := writeFile(b, number, few, account, kids)
		stop := bench.WatchMemory()
		importFile(b, im, path, few)
		small = stop()
		path = writeFile(b, number+1, many, account, kids)
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

// createInvoices writes a creditor with invoices and their entries, and returns its bank account and the
// KIDs.
func createInvoices(b *testing.B, db bench.Database) (account string, kids []string) {
	b.Helper()
	creditor := rows.Creditor(b, db.Store)
	for number := range benchInvoices {
		kids = append(kids, models.NewKID(fmt.Sprintf("%09d", number+1), models.Modulus10))
	}
	inTransaction(b, db.Bare, func(tx *sql.Tx) {
		number := 0
		for batch := range slices.Chunk(kids, db.Rows) {
			var args []any
			for _, kid := range batch {
				number++
				args = append(args, creditor.ID, kid, number)
			}
			exec(b, tx, "INSERT INTO payment_references (creditor_id, kid, invoice_id, credit_note_id) VALUES "+
				repeat("(?, ?, ?, 0)", len(batch)), args...)
		}
		exec(b, tx, `INSERT INTO invoices (id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid,
			bank_account, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code,
			recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number, search, balance, notices, warned,
			deadline, closed, hold_held, hold_comment, pdf, created_at)
			SELECT invoice_id, creditor_id, invoice_id, invoice_id, '2026-02-01', '2026-02-15', 14, 125000, 100000, '', kid,
			?, 'Kari Nordmann', '', 'Storgata 1', '', '0155', 'Oslo', 'NO', 'kari@example.no', '', 'kari nordmann', 125000, 0, 0,
			'2026-02-15', '', 0, '', '', '2026-02-01 10:00:00' FROM payment_references`, creditor.BankAccount)
		exec(b, tx, `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment,
			from_account_number, notice_id, payment_file_id, created_at)
			SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices`)
	})
	return creditor.BankAccount, kids
}

// writeFile writes a file that pays the KIDs in turn, in another order than they were sent in.
func writeFile(b *testing.B, number, payments int, account string, kids []string) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), strconv.Itoa(number)+".ocr")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(f)
	w := giro.NewWriter(out)
	today := models.DateOf(time.Now())
	errs := []error{
		w.StartTransmission(giro.TransmissionHeader{Number: strconv.Itoa(number), Recipient: "00012345", Created: today}),
		w.StartAssignment(giro.AssignmentHeader{AgreementID: "001234567", Number: strconv.Itoa(number), Account: account, Created: today}),
	}
	const step = 7919 // a prime, so that all are met
	for i := range payments {
		errs = append(errs, w.Write(giro.Payment{
			Type: giro.TypeAvtaleGiro, NetsDate: today - 1, BankDate: today - 2, Amount: benchGross, KID: kids[i*step%len(kids)],
			DebitAccount: strconv.Itoa(10_000_000_000 + i), ArchiveReference: strconv.Itoa(number), Centre: "26", DayCode: "02",
			PartialSettlement: "1", Serial: strconv.Itoa(i / 1000),
		}))
	}
	for _, err := range append(errs, w.Close(), out.Flush(), f.Close()) {
		if err != nil {
			b.Fatal(err)
		}
	}
	return path
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
		inTransaction(b, db.Bare, func(tx *sql.Tx) {
			for some := range slices.Chunk(batch, db.Rows) {
				args := make([]any, 0, 14*len(some))
				for _, e := range some {
					args = append(args, e.CreditorID+nobody, e.CustomerID, e.InvoiceID, e.CreditNoteID, string(e.Type), int64(e.Amount),
						e.TransactionDate.String(), e.BankDate.String(), e.Comment, e.FromAccountNumber, e.NoticeID, e.PaymentFileID, e.LineKey, now)
				}
				exec(b, tx, "INSERT INTO entries ("+entryColumns+", created_at) VALUES "+
					repeat("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", len(some)), args...)
			}
		})
	}
}

func inTransaction(b *testing.B, db *sql.DB, do func(*sql.Tx)) {
	b.Helper()
	tx, err := db.BeginTx(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	do(tx)
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

func exec(b *testing.B, tx *sql.Tx, statement string, args ...any) {
	b.Helper()
	if _, err := tx.ExecContext(b.Context(), statement, args...); err != nil {
		b.Fatal(err)
	}
}

// repeat returns a list of n of the item.
func repeat(item string, n int) string { return strings.Repeat(item+", ", n-1) + item }
