// Package rows makes rows for a test's database: creditors, customers, invoices and credit notes. The test changes the
// fields that matter to it; all others have valid defaults. The program's own functions make the rows, so the books
// hold. The package knows nothing of bank files, dunning or HTTP.
package rows

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// Start is the time of the databases' clocks: a Monday, noon in Oslo.
var Start = time.Date(2026, time.March, 2, 11, 0, 0, 0, time.UTC)

// Today is the day of Start.
var Today = models.DateOf(Start)

// EachDatabase runs the test on a migrated SQLite and a migrated MySQL (or MariaDB) database. Their clocks show Start.
func EachDatabase(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) { test(t, Open(t, databaseURL)) })
}

// Open opens and migrates a database whose clock shows Start. It closes the database when the test ends.
func Open(t testing.TB, databaseURL string) *store.DB {
	t.Helper()
	return OpenWith(t, databaseURL, clock.NewTest(Start))
}

// OpenWith opens a database as Open does, with the given clock.
func OpenWith(t testing.TB, databaseURL string, c clock.Clock) *store.DB {
	t.Helper()
	Migrate(t, databaseURL)
	db, err := store.Open(databaseURL, c)
	testkit.Must(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	testkit.Must(t, db.CheckSchema(t.Context()))
	return db
}

// On returns the database with its clock at the same time of another day. Rows made with it are dated that day.
func On(db *store.DB, day models.Date) *store.DB {
	return db.WithClock(clock.NewTest(Start.AddDate(0, 0, int(day-Today))))
}

// Write runs do in a transaction. It fails the test if the transaction is not committed.
func Write(t testing.TB, db *store.DB, do func(tx *store.Tx) error) {
	t.Helper()
	if err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return do(tx) }); err != nil {
		t.Fatal(err)
	}
}

// creditors counts the creditors, whose names and bank accounts must differ.
var creditors atomic.Int64

// Creditor makes a creditor with the defaults of the program and a bank account of its own.
func Creditor(t testing.TB, db *store.DB, change ...func(*models.Creditor)) models.Creditor {
	t.Helper()
	n := creditors.Add(1)
	c := models.NewCreditor(fmt.Sprintf("Creditor %d", n))
	c.Address1, c.PostalCode, c.PostalName, c.Email = "Storgata 1", "0155", "Oslo", "post@example.no"
	c.OrganisationNumber, c.BankAccount = "974760673", account(n)
	c.VATRegistered, c.VATKnown = true, true
	for _, f := range change {
		f(&c)
	}
	Write(t, db, func(tx *store.Tx) error { return tx.CreateCreditor(t.Context(), &c) })
	return c
}

// account returns the bank account with the number in its register. If no check digit makes that number valid, it uses
// the next number, up to a hundred further.
func account(n int64) string {
	for filler := range 100 {
		base := fmt.Sprintf("%08d%02d", 15_000_000+n, filler)
		if a := base + string(models.CheckDigit11(base)); models.ValidBankAccount(a) {
			return a
		}
	}
	panic("rows: there are accounts without a check digit, but not a hundred in a row")
}

// Customer makes a customer of the creditor, with an e-mail address.
func Customer(t testing.TB, db *store.DB, c models.Creditor, change ...func(*models.Customer)) models.Customer {
	t.Helper()
	customer := models.Customer{CreditorID: c.ID, Recipient: models.Recipient{
		Name1: "Kari Nordmann", Address1: "Lillegata 2", PostalCode: "5003", PostalName: "Bergen", CountryCode: "NO", Email: "kari@example.no",
	}}
	for _, f := range change {
		f(&customer)
	}
	Write(t, db, func(tx *store.Tx) error { return tx.CreateCustomer(t.Context(), &customer) })
	return customer
}

// Invoice issues an invoice on the database's day: 1000.00 kroner without VAT, due in 14 days, on paper, to a new
// customer. The changes alter this.
func Invoice(t testing.TB, db *store.DB, c models.Creditor, change ...func(*billing.InvoiceRequest)) models.Invoice {
	t.Helper()
	o := billing.InvoiceRequest{NumDueDays: 14, Method: models.ByPaper}
	Of(1000_00)(&o)
	for _, f := range change {
		f(&o)
	}
	if o.CustomerID == 0 && o.NewCustomer == nil {
		To(Customer(t, db, c))(&o)
	}
	invoice, err := TryIssue(t, db, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return invoice
}

// TryIssue issues an invoice in a transaction of its own.
func TryIssue(t testing.TB, db *store.DB, c models.Creditor, o billing.InvoiceRequest) (invoice models.Invoice, err error) {
	t.Helper()
	err = db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		made, err := billing.Issue(t.Context(), tx, c, []billing.InvoiceRequest{o})
		if err != nil {
			return err
		}
		invoice, err = made[0].Invoice, made[0].Err
		return err
	})
	return invoice, err
}

// To sends an invoice to the customer.
func To(customer models.Customer) func(*billing.InvoiceRequest) {
	return func(o *billing.InvoiceRequest) { o.CustomerID, o.NewCustomer = customer.ID, nil }
}

// Of gives an invoice one line of the amount, without VAT.
func Of(amount models.Amount) func(*billing.InvoiceRequest) {
	return func(o *billing.InvoiceRequest) {
		o.Lines = []models.Line{{Text: "Cat food", UnitPrice: models.Price(amount) * 100, NumItems: 1000, VAT: models.VATNone}}
	}
}

// DueIn sets how many days after its issue an invoice falls due.
func DueIn(days int) func(*billing.InvoiceRequest) {
	return func(o *billing.InvoiceRequest) { o.NumDueDays = days }
}

// CreditNote credits an invoice on the database's day, on paper.
func CreditNote(t testing.TB, db *store.DB, c models.Creditor, invoice models.Invoice) models.CreditNote {
	t.Helper()
	var note models.CreditNote
	Write(t, db, func(tx *store.Tx) (err error) {
		note, err = billing.IssueCreditNote(t.Context(), tx, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper})
		return err
	})
	return note
}

// Send notes that all that is owed of a creditor's shipments has left, each when it was made.
func Send(t testing.TB, db *store.DB, c models.Creditor) {
	t.Helper()
	farAhead := Start.AddDate(100, 0, 0)
	for more := true; more; {
		Write(t, db, func(tx *store.Tx) error {
			owed, err := tx.DueShipments(t.Context(), c.ID, farAhead, 1000, models.ByPaper, models.ByEmail)
			if err != nil {
				return err
			}
			more = len(owed) == 1000
			for _, s := range owed {
				made := s.CreatedAt
				s.State, s.SentAt = models.ShipmentSent, &made
				if err := tx.UpdateShipment(t.Context(), s); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
