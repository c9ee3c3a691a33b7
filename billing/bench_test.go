package billing_test

import (
	"fmt"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/testkit/bench"
	"purr/models"
	"purr/store"
)

// benchRounds is how many invoices each client issues one after the other before the limit is measured
// again.
const benchRounds = 25

// BenchmarkIssue has clients issue invoices of one creditor, one transaction each. The limit is what the
// database takes when as many clients insert one row each time, and commit it.
func BenchmarkIssue(b *testing.B) {
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
				creditor, customers := createCustomers(b, db.Store, clients)
				var ours, limit bench.Rate
				for b.Loop() {
					ours.Time(clients*benchRounds, func() {
						bench.Clients(clients, benchRounds, func(client, _ int) { issue(b, db.Store, creditor, customers[client]) })
					})
					b.StopTimer()
					limit.Time(clients*benchRounds, func() {
						bench.Clients(clients, benchRounds, func(client, _ int) { insertEntry(b, db, creditor, customers[client]) })
					})
					b.StartTimer()
				}
				bench.Report(b, "invoices", &ours, &limit)
			})
		})
	}
}

func createCustomers(b *testing.B, db *store.DB, customers int) (creditor models.Creditor, ids []int64) {
	b.Helper()
	creditor = models.NewCreditor("benchmark")
	creditor.BankAccount = "12345678903"
	err := db.InTx(b.Context(), func(tx *store.Tx) error {
		if err := tx.CreateCreditor(b.Context(), &creditor); err != nil {
			return err
		}
		for range customers {
			c := models.Customer{CreditorID: creditor.ID, Recipient: models.Recipient{
				Name1: "Kari Nordmann", Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO", Email: "kari@example.no",
			}}
			if err := tx.CreateCustomer(b.Context(), &c); err != nil {
				return err
			}
			ids = append(ids, c.ID)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return creditor, ids
}

func issue(b *testing.B, db *store.DB, creditor models.Creditor, customerID int64) {
	err := db.InTx(b.Context(), func(tx *store.Tx) error {
		_, err := billing.Issue(b.Context(), tx, creditor, billing.Order{
			CustomerID: customerID, NumDueDays: 14, Method: models.ByEmail, Lines: []models.Line{
				{Text: "Membership", UnitPrice: 500_0000, NumItems: 1000, VAT: models.VATNone},
				{Text: "Magazine", UnitPrice: 80_0000, NumItems: 2000, VAT: models.VATHigh},
			},
		})
		return err
	})
	if err != nil {
		b.Error(err)
	}
}

func insertEntry(b *testing.B, db bench.Database, creditor models.Creditor, customerID int64) {
	now := time.Now().UTC()
	_, err := db.Bare.ExecContext(b.Context(), `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount,
		transaction_date, comment, from_account_number, notice_id, payment_file_id, created_at) VALUES (?, ?, 0, 0, 'INVOICE', ?, ?, '', '', 0, 0, ?)`,
		creditor.ID, customerID, 70_000, now.Format(time.DateOnly), now)
	if err != nil {
		b.Error(err)
	}
}
