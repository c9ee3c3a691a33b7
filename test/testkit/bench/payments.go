package bench

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

const (
	gross        = 125_000 // øre, of each invoice and payment
	step         = 7919    // between two invoices that are paid one after the other: a prime, so that all are met
	linePayments = 1000    // of each line of the bank's statement
	createdAt    = "2026-02-01 10:00:00"
)

// Payable writes a creditor with a number of invoices, each of 1250 kroner to a customer of its own, with all that belongs to
// them, and returns its bank account and the KIDs.
func Payable(b *testing.B, db Database, invoices int) (account string, kids []string) {
	b.Helper()
	creditor := rows.Creditor(b, db.Store)
	for number := range invoices {
		kids = append(kids, models.NewKID(fmt.Sprintf("%09d", number+1), models.Modulus10))
	}
	InTransaction(b, db.Bare, func(tx *sql.Tx) {
		number := 0
		for batch := range slices.Chunk(kids, db.Rows) {
			var args []any
			for _, kid := range batch {
				number++
				args = append(args, creditor.ID, kid, number)
			}
			Exec(b, tx, "INSERT INTO payment_references (creditor_id, kid, invoice_id, credit_note_id) VALUES "+
				Repeat("(?, ?, ?, 0)", len(batch)), args...)
		}
		Exec(b, tx, `INSERT INTO invoices (id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid,
			bank_account, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code,
			recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number, search, balance, notices, warned,
			deadline, closed, hold_held, hold_comment, pdf, created_at)
			SELECT invoice_id, creditor_id, invoice_id, invoice_id, '2026-02-01', '2026-02-15', 14, 125000, 100000, '', kid,
			?, 'Kari Nordmann', '', 'Storgata 1', '', '0155', 'Oslo', 'NO', 'kari@example.no', '', 'kari nordmann', 125000, 0, 0,
			'2026-02-15', '', 0, '', '', '2026-02-01 10:00:00' FROM payment_references`, creditor.BankAccount)
		Exec(b, tx, `INSERT INTO customers (id, creditor_id, name1, name2, address1, address2, postal_code, postal_name, country_code, email,
			customer_number, organisation_number, language, hold_held, hold_comment, search, created_at)
			SELECT id, creditor_id, 'Kari Nordmann', '', 'Storgata 1', '', '0155', 'Oslo', 'NO', 'kari@example.no', '', '', 'nb', 0, '',
			'kari nordmann', created_at FROM invoices`)
		Exec(b, tx, `INSERT INTO invoice_lines (invoice_id, position, text, unit_price, num_items, vat, vat_percent, net, gross)
			SELECT id, 1, 'Rørleggerarbeid', 10000000, 1000, 'HIGH', 2500, net, gross FROM invoices`)
		Exec(b, tx, `INSERT INTO events (creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data)
			SELECT creditor_id, created_at, 'invoice.created', 'purr', id, customer_id, id, '', '' FROM invoices`)
		Exec(b, tx, `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment,
			from_account_number, notice_id, payment_file_id, created_at)
			SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices`)
	})
	return creditor.BankAccount, kids
}

// BankFile writes an OCR giro file of its own number that pays the KIDs in turn, 1250 kroner each, in another order
// than they were sent in.
func BankFile(b *testing.B, number, payments int, account string, kids []string) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), strconv.Itoa(number)+".ocr")
	if err := os.WriteFile(path, bankFile(b, number, payments, account, kids), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func bankFile(b *testing.B, number, payments int, account string, kids []string) []byte {
	b.Helper()
	var out bytes.Buffer
	w := giro.NewWriter(&out)
	today := models.DateOf(clock.System{}.Now())
	errs := []error{
		w.StartTransmission(giro.TransmissionHeader{Number: strconv.Itoa(number), Recipient: "00012345", Created: today}),
		w.StartAssignment(giro.AssignmentHeader{AgreementID: "001234567", Number: strconv.Itoa(number), Account: account, Created: today}),
	}
	for i := range payments {
		errs = append(errs, w.Write(giro.Payment{
			Type: giro.TypeAvtaleGiro, NetsDate: today - 1, BankDate: today - 2, Amount: gross, KID: kids[i*step%len(kids)],
			DebitAccount: strconv.Itoa(10_000_000_000 + i), ArchiveReference: strconv.Itoa(number), Centre: "26", DayCode: "02",
			PartialSettlement: "1", Serial: strconv.Itoa(i / linePayments),
		}))
	}
	if err := errors.Join(append(errs, w.Close())...); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// Paid writes bank files as if they were imported: their bytes into the archive, and the rows that the books have of them. It
// asks nothing before, and so takes a small part of the time of an import. The files are those of BankFile from the first
// number on, of a number of payments each; the KIDs are those of Payable, from the place of the file's first payment on.
func Paid(b *testing.B, db Database, kept *archive.Archive, first, files, payments int, account string, kids []string) {
	b.Helper()
	var creditor int64
	if err := db.Bare.QueryRowContext(b.Context(), "SELECT id FROM creditors").Scan(&creditor); err != nil {
		b.Fatal(err)
	}
	const together = 100 // files
	for from := first; from < first+files; from += together {
		var contents [][]byte
		for n := from; n < min(from+together, first+files); n++ {
			contents = append(contents, bankFile(b, n, payments, account, kids[n*payments%len(kids):]))
		}
		sums, err := kept.PutAll(b.Context(), contents)
		if err != nil {
			b.Fatal(err)
		}
		InTransaction(b, db.Bare, func(tx *sql.Tx) {
			for i, content := range contents {
				writePaid(b, tx, creditor, from+i, sums[i], content, db.Rows)
			}
		})
	}
	Exec(b, db.Bare, "UPDATE invoices SET balance = (SELECT SUM(e.amount) FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0)")
}

// writePaid writes the rows of one imported file, which has the number as its ID.
func writePaid(b *testing.B, tx *sql.Tx, creditor int64, number int, sum string, content []byte, atOnce int) {
	b.Helper()
	var all []*giro.Transaction
	r := giro.NewReader(bytes.NewReader(content), models.DateOf(clock.System{}.Now()))
	for {
		t, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		own := *t // the reader writes the next one in its place
		all = append(all, &own)
	}
	account, date := all[0].Assignment.Account, all[0].NetsDate.String()
	total := len(all) * gross
	Exec(b, tx, `INSERT INTO payment_files (id, owner_id, filename, source, sha256, size, format, sender, transmission_number, recipient_unit,
		state, duplicate_of, identity, faults, warnings, lines_done, latest_date, received_at, finished_at, accept_conflict, has_statement)
		VALUES (?, 0, ?, 'command', ?, ?, 'ocr_giro', '00008080', ?, '00012345', 'imported', 0, ?, '', '', ?, ?, ?, ?, 0, 1)`,
		number, fmt.Sprint(number, ".ocr"), sum, len(content), fmt.Sprintf("%07d", number), "0:"+sum, len(all), date, createdAt, createdAt)
	Exec(b, tx, `INSERT INTO payment_file_parts (payment_file_id, creditor_id, transactions, amount, matched, matched_amount, unmatched,
		unmatched_amount, duplicates, duplicates_amount, ignored, ignored_amount, latest_date)
		VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?)`, number, creditor, len(all), total, len(all), total, date)
	lines := map[string]int{} // of the bank's statement, by their reference
	for _, t := range all {
		lines[t.SettlementReference()]++
	}
	for reference, n := range lines {
		Exec(b, tx, `INSERT INTO statement_lines (payment_file_id, creditor_id, account, transaction_date, format, reference, entry, transactions,
			amount, file_amount, matched, matched_amount, unmatched, unmatched_amount, duplicates, duplicates_amount)
			VALUES (?, ?, ?, ?, 'ocr_giro', ?, 0, ?, ?, ?, ?, ?, 0, 0, 0, 0)`,
			number, creditor, account, date, reference, n, n*gross, n*gross, n, n*gross)
	}
	for some := range slices.Chunk(all, atOnce) {
		var args []any
		for _, t := range some {
			fingerprint := t.Fingerprint()
			key := sha256.Sum256(append(fingerprint[:], 0, 0, 0, 0)) // no two lines are equal
			invoice, err := strconv.Atoi(t.KID()[:9])
			if err != nil {
				b.Fatal(err)
			}
			args = append(args, invoice, invoice, date, t.BankDate.String(), t.DebitAccount(), number, key[:])
		}
		Exec(b, tx, `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, bank_date, comment,
			from_account_number, notice_id, payment_file_id, line_key, created_at) VALUES `+
			Repeat(fmt.Sprintf("(%d, ?, ?, 0, 'OCR', %d, ?, ?, '', ?, 0, ?, ?, '%s')", creditor, -gross, createdAt), len(some)), args...)
	}
}

// CamtFile writes what BankFile writes as camt.054, a thousand payments to each statement line.
func CamtFile(b *testing.B, number, payments int, account string, kids []string) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), strconv.Itoa(number)+".xml")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := camt.NewWriter(f)
	today := models.DateOf(clock.System{}.Now())
	id := fmt.Sprintf("MSG-%d", number)
	errs := []error{
		w.StartMessage(camt.MessageHeader{ID: id, Created: today}),
		w.StartNotification(camt.NotificationHeader{ID: id, Created: today, Account: account}),
	}
	for first := 0; first < payments; first += linePayments {
		line := make([]camt.Payment, min(linePayments, payments-first))
		for k := range line {
			i := first + k
			line[k] = camt.Payment{
				Amount: gross, Name: "Kari Nordmann", KID: kids[i*step%len(kids)], DebitAccount: debitAccount(i), BankDate: today - 2,
				BankReference: strconv.Itoa(600_000_000 + i), EndToEndID: "NOTPROVIDED",
			}
		}
		errs = append(errs, w.Write(camt.EntryHeader{
			Amount: gross * models.Amount(len(line)), Booked: today - 1, Value: today - 1, BankReference: fmt.Sprintf("%s-%d", id, first),
		}, line...))
	}
	for _, err := range append(errs, w.Close(), f.Close()) {
		if err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// debitAccount returns a payer's account whose check digit is right.
func debitAccount(i int) string {
	for account := int64(10_000_000_000) + int64(i)*20; ; account++ {
		if s := strconv.FormatInt(account, 10); models.ValidBankAccount(s) {
			return s
		}
	}
}

// InTransaction calls do in a transaction.
func InTransaction(b *testing.B, db *sql.DB, do func(*sql.Tx)) {
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

// Exec executes a statement in a database or a transaction.
func Exec(b *testing.B, on execer, statement string, args ...any) {
	b.Helper()
	if _, err := on.ExecContext(b.Context(), statement, args...); err != nil {
		b.Fatal(err)
	}
}

// Repeat returns a list of n of the item.
func Repeat(item string, n int) string { return strings.Repeat(item+", ", n-1) + item }
