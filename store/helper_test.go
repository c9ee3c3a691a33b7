package store_test

import (
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// everything is a page that holds all that a test makes.
var everything = store.Page{Number: 1, Size: 1000}

// day reads a date of a test's table, and an empty text as the zero Date.
func day(s string) models.Date {
	var d models.Date
	if err := d.UnmarshalText([]byte(s)); err != nil {
		panic(err)
	}
	return d
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantKind checks that an error is of a kind.
func wantKind(t testing.TB, err error, want models.Kind) {
	t.Helper()
	if err == nil || models.KindOf(err) != want {
		t.Errorf("got %v of kind %d, want kind %d", err, models.KindOf(err), want)
	}
}

// addInvoice writes an invoice without entries, with the next number. The customer need not exist. An invoice
// without a deadline gets one.
func addInvoice(t testing.TB, tx *store.Tx, c models.Creditor, invoice *models.Invoice) error {
	t.Helper()
	number, err := tx.NextNumbers(t.Context(), c.ID, 1)
	if err != nil {
		return err
	}
	invoice.CreditorID, invoice.Number = c.ID, number
	if invoice.IssueDate == 0 {
		invoice.IssueDate = rows.Today
	}
	if invoice.Deadline == 0 {
		invoice.Deadline = rows.Today + 14
	}
	invoice.DueDate = invoice.Deadline
	invoices := []models.Invoice{*invoice}
	err = tx.CreateInvoices(t.Context(), invoices, [][]models.Line{{{Position: 1, Text: "Cat food", VAT: models.VATNone}}})
	*invoice = invoices[0]
	return err
}

// addCreditNote writes a credit note of an invoice that need not exist.
func addCreditNote(t testing.TB, tx *store.Tx, c models.Creditor, note *models.CreditNote) error {
	t.Helper()
	number, err := tx.NextNumbers(t.Context(), c.ID, 1)
	if err != nil {
		return err
	}
	note.CreditorID, note.Number = c.ID, number
	if note.InvoiceID == 0 {
		note.InvoiceID = -c.ID*1_000_000 - number // no such invoice exists, and no other credit note has it
	}
	if note.IssueDate == 0 {
		note.IssueDate = rows.Today
	}
	return tx.CreateCreditNote(t.Context(), note, nil)
}

// at is a moment on the day on which the tests' clocks stand.
func at(clock string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, "2026-03-02T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return t
}
