package bench

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/clock"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

const (
	gross        = 125_000 // øre, of each invoice and payment
	step         = 7919    // between two invoices that are paid one after the other: a prime, so that all are met
	linePayments = 1000    // of each line of the bank's statement
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
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(f)
	w := giro.NewWriter(out)
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
	for _, err := range append(errs, w.Close(), out.Flush(), f.Close()) {
		if err != nil {
			b.Fatal(err)
		}
	}
	return path
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

// Exec executes a statement.
func Exec(b *testing.B, tx *sql.Tx, statement string, args ...any) {
	b.Helper()
	if _, err := tx.ExecContext(b.Context(), statement, args...); err != nil {
		b.Fatal(err)
	}
}

// Repeat returns a list of n of the item.
func Repeat(item string, n int) string { return strings.Repeat(item+", ", n-1) + item }
