package billing_test

import (
	"context"
	"fmt"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// benchRounds is how many invoices each client issues one after the other before the limits are measured
// again.
const benchRounds = 25

// BenchmarkIssue has clients issue invoices of one creditor, or of several, as requests do. Invoices of a creditor that are
// asked for at the same time share a transaction. The limit is how many single rows as many clients insert, with a commit
// for each. An invoice takes rows in six tables and a number that all clients of the creditor wait for. So the benchmark
// also measures bare inserts of these rows, a transaction each.
func BenchmarkIssue(b *testing.B) {
	for _, of := range []struct{ clients, creditors int }{{1, 1}, {16, 1}, {64, 8}} {
		b.Run(fmt.Sprintf("clients=%d,creditors=%d", of.clients, of.creditors), func(b *testing.B) {
			bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
				creditors := make([]models.Creditor, of.creditors)
				for i := range creditors {
					creditors[i] = rows.Creditor(b, db.Store)
				}
				benchmarkIssue(b, db, of.clients, creditors...)
			})
		})
	}
}

// BenchmarkIssueAmong does what BenchmarkIssue does for a creditor that has many invoices already, on MySQL (or MariaDB).
func BenchmarkIssueAmong(b *testing.B) {
	for _, invoices := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("invoices=%d", invoices), func(b *testing.B) {
			db := bench.MySQL(b)
			creditor := bench.Crowd{Customers: invoices / 3, Invoices: invoices}.Fill(b, db, models.DateOf(db.Store.Now()))
			if _, err := db.Bare.ExecContext(b.Context(), "UPDATE number_series SET next_number = ? WHERE creditor_id = ?", invoices+1, creditor.ID); err != nil {
				b.Fatal(err)
			}
			for _, clients := range []int{1, 64} {
				b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) { benchmarkIssue(b, db, clients, creditor) })
			}
		})
	}
}

// asked is an invoice that a client asks for.
type asked struct {
	of models.Creditor
	billing.InvoiceRequest
}

func benchmarkIssue(b *testing.B, db bench.Database, clients int, creditors ...models.Creditor) {
	wishes := make([]asked, clients)
	for i := range wishes {
		wishes[i].of = creditors[i%len(creditors)]
		wishes[i].InvoiceRequest = benchOrder(rows.Customer(b, db.Store, wishes[i].of))
	}
	model := rows.Invoice(b, db.Store, wishes[0].of, func(o *billing.InvoiceRequest) { *o = wishes[0].InvoiceRequest })
	group := store.NewGroup(db.Store, 64, func(ctx context.Context, tx *store.Tx, together []asked) error {
		orders := make([]billing.InvoiceRequest, len(together))
		for i, wish := range together {
			orders[i] = wish.InvoiceRequest
		}
		_, err := billing.Issue(ctx, tx, together[0].of, orders)
		return err
	})
	bare := bench.NewInvoiceRows(b, db.Bare, model.ID)
	var ours, same, limit bench.Rate
	for b.Loop() {
		ours.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(client int) error {
				return group.Do(b.Context(), wishes[client].of.ID, wishes[client])
			})
		})
		b.StopTimer()
		same.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(int) error { return bare.Insert(b.Context(), db.Bare) })
		})
		limit.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(int) error { return bare.InsertOne(b.Context(), db.Bare) })
		})
		b.StartTimer()
	}
	bench.Report(b, "invoices", &ours, &limit)
	b.ReportMetric(ours.PerSecond()/same.PerSecond(), "of-same-rows")
	ours.ReportCPU(b, "invoice")
	same.ReportCPU(b, "bare-rows")
}

func benchOrder(customer models.Customer) billing.InvoiceRequest {
	return billing.InvoiceRequest{
		CustomerID: customer.ID, NumDueDays: 14, Method: models.ByEmail, Lines: []models.Line{
			{Text: "Membership", UnitPrice: 500_0000, NumItems: 1000, VAT: models.VATNone},
			{Text: "Magazine", UnitPrice: 80_0000, NumItems: 2000, VAT: models.VATHigh},
		},
	}
}
