package bench

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// InvoiceRows inserts the rows of an invoice again and again, without asking anything. It is safe for
// concurrent use.
type InvoiceRows struct {
	tables []tableRows
	number atomic.Int64 // the last one that was given out
}

// tableRows is what an invoice has in a table.
type tableRows struct {
	insertion string
	rows      [][]any
	number    int // the position of the column that must differ each time, -1 for none
}

// NewInvoiceRows reads the rows of the invoice with the ID.
func NewInvoiceRows(b *testing.B, db *sql.DB, id int64) *InvoiceRows {
	b.Helper()
	var r InvoiceRows
	r.tables = []tableRows{
		readRows(b, db, "invoices", "number", "WHERE id = ?", id),
		readRows(b, db, "invoice_lines", "invoice_id", "WHERE invoice_id = ?", id),
		readRows(b, db, "payment_references", "kid", "WHERE invoice_id = ?", id),
		readRows(b, db, "entries", "", "WHERE invoice_id = ?", id),
		readRows(b, db, "shipments", "", "WHERE document_kind = 'invoice' AND document_id = ?", id),
		readRows(b, db, "new_events", "", "WHERE invoice_id = ?", id),
	}
	r.number.Store((256 + id) << 32) // far from those that the program gives out, and from those of other such rows
	return &r
}

// Insert inserts the rows of one more invoice, and commits them.
func (r *InvoiceRows) Insert(ctx context.Context, db *sql.DB) error {
	number := r.number.Add(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	for _, t := range r.tables {
		if err := t.insert(ctx, tx, number); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// InsertOne inserts one row, the invoice's own, and commits it.
func (r *InvoiceRows) InsertOne(ctx context.Context, db *sql.DB) error {
	return r.tables[0].insert(ctx, db, r.number.Add(1))
}

// execer is a database, or a transaction in it.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// insert inserts the table's rows, with the given number in a table that has one.
func (t tableRows) insert(ctx context.Context, db execer, number int64) error {
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
func readRows(b *testing.B, db *sql.DB, table, number, where string, id int64) tableRows {
	b.Helper()
	found, err := db.QueryContext(b.Context(), "SELECT * FROM "+table+" "+where, id)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	all, err := found.Columns()
	if err != nil {
		b.Fatal(err)
	}
	t := tableRows{number: -1}
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
