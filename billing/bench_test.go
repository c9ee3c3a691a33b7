package billing_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"purr/billing"
	"purr/internal/testkit/bench"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// benchRounds is how many invoices each client issues one after the other before the limits are measured
// again.
const benchRounds = 25

// BenchmarkIssue has clients issue invoices of one creditor, as requests do: those that are asked for at the
// same time share a transaction. The limit is what the database takes when as many clients insert one row each
// time, and commit it. An invoice is six tables' rows and a number that all wait for, so beside it stands
// what the database takes of those rows bare, a transaction each.
func BenchmarkIssue(b *testing.B) {
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			bench.EachDatabase(b, func(b *testing.B, db bench.Database) { benchmarkIssue(b, db, clients) })
		})
	}
}

func benchmarkIssue(b *testing.B, db bench.Database, clients int) {
	creditor := rows.Creditor(b, db.Store)
	customers := make([]models.Customer, clients)
	for i := range customers {
		customers[i] = rows.Customer(b, db.Store, creditor)
	}
	model := rows.Invoice(b, db.Store, creditor, func(o *billing.Order) { *o = benchOrder(customers[0]) })
	group := store.NewGroup(db.Store, 64, func(ctx context.Context, tx *store.Tx, orders []billing.Order) error {
		_, err := billing.Issue(ctx, tx, creditor, orders)
		return err
	})
	bare := newBareInvoice(b, db.Bare, model)
	var ours, same, limit bench.Rate
	for b.Loop() {
		ours.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(client int) error {
				return group.Do(b.Context(), creditor.ID, benchOrder(customers[client]))
			})
		})
		b.StopTimer()
		same.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(int) error { return bare.insert(b.Context(), db.Bare) })
		})
		limit.Time(clients*benchRounds, func() {
			bench.Clients(b, clients, benchRounds, func(int) error { return bare.entry.insert(b.Context(), db.Bare, 0) })
		})
		b.StartTimer()
	}
	bench.Report(b, "invoices", &ours, &limit)
	b.ReportMetric(ours.PerSecond()/same.PerSecond(), "of-same-rows")
}

func benchOrder(customer models.Customer) billing.Order {
	return billing.Order{
		CustomerID: customer.ID, NumDueDays: 14, Method: models.ByEmail, Lines: []models.Line{
			{Text: "Membership", UnitPrice: 500_0000, NumItems: 1000, VAT: models.VATNone},
			{Text: "Magazine", UnitPrice: 80_0000, NumItems: 2000, VAT: models.VATHigh},
		},
	}
}

// bareInvoice inserts the rows of an invoice again and again, without asking anything.
type bareInvoice struct {
	tables []bareTable
	entry  bareTable
	number atomic.Int64 // the last one that was given out
}

// bareTable is what an invoice has in a table.
type bareTable struct {
	insertion string
	rows      [][]any
	number    int // the position of the column that must differ each time, -1 for none
}

func newBareInvoice(b *testing.B, db *sql.DB, i models.Invoice) *bareInvoice {
	b.Helper()
	bare := &bareInvoice{entry: readRows(b, db, "entries", "", "WHERE invoice_id = ?", i.ID)}
	bare.tables = []bareTable{
		readRows(b, db, "invoices", "number", "WHERE id = ?", i.ID),
		readRows(b, db, "invoice_lines", "invoice_id", "WHERE invoice_id = ?", i.ID),
		readRows(b, db, "payment_references", "kid", "WHERE invoice_id = ?", i.ID),
		bare.entry,
		readRows(b, db, "shipments", "", "WHERE document_kind = 'invoice' AND document_id = ?", i.ID),
		readRows(b, db, "events", "", "WHERE invoice_id = ?", i.ID),
	}
	bare.number.Store(1 << 40) // far from those that the program gives out
	return bare
}

func (bare *bareInvoice) insert(ctx context.Context, db *sql.DB) error {
	number := bare.number.Add(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	for _, t := range bare.tables {
		if err := t.insert(ctx, tx, number); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// execer is a database, or a transaction in it.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// insert inserts the table's rows, with the given number in a table that has one.
func (t bareTable) insert(ctx context.Context, db execer, number int64) error {
	var args []any
	for _, row := range t.rows {
		start := len(args)
		args = append(args, row...)
		if t.number >= 0 {
			args[start+t.number] = number
		}
	}
	_, err := db.ExecContext(ctx, t.insertion, args...)
	return err
}

// readRows reads rows of a table, but for their IDs and what the database generates.
func readRows(b *testing.B, db *sql.DB, table, number, where string, id int64) bareTable {
	b.Helper()
	found, err := db.QueryContext(b.Context(), "SELECT * FROM "+table+" "+where, id)
	if err != nil {
		b.Fatal(err)
	}
	defer found.Close()
	all, err := found.Columns()
	if err != nil {
		b.Fatal(err)
	}
	t := bareTable{number: -1}
	var columns []string
	for found.Next() {
		columns = columns[:0]
		values, into := make([]any, len(all)), make([]any, len(all))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			b.Fatal(err)
		}
		var row []any
		for i, name := range all {
			if name == "id" || name == "stage" {
				continue
			}
			if name == number {
				t.number = len(columns)
			}
			columns = append(columns, "`"+name+"`")
			row = append(row, values[i])
		}
		t.rows = append(t.rows, row)
	}
	if err := found.Err(); err != nil || len(t.rows) == 0 {
		b.Fatalf("%d rows in %s: %v", len(t.rows), table, err)
	}
	marks := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	t.insertion = fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", table, strings.Join(columns, ", "), marks+strings.Repeat(", "+marks, len(t.rows)-1))
	return t
}
