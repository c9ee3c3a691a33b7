package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// Orphan is a row that names another row of its creditor which is not there.
type Orphan struct {
	Table string `gorm:"column:orphan"`
	ID    int64
	Owner string // the table of the row that it names
	Named int64  // the ID of that row
}

// owners are the rows without which others make no sense. A foreign key would hold each, and would lock parents that
// everybody reads.
var owners = []struct {
	table, column, owner string
	only                 string // which rows of the table name one; all of them if empty
}{
	{"invoices", "customer_id", "customers", ""},
	{"credit_notes", "invoice_id", "invoices", ""},
	{"overdue_notices", "invoice_id", "invoices", ""},
	{"hand_overs", "invoice_id", "invoices", ""},
	{"statements", "customer_id", "customers", ""},
	{"entries", "invoice_id", "invoices", ""},
	{"entries", "credit_note_id", "credit_notes", " AND t.credit_note_id <> 0"},
	{"entries", "notice_id", "overdue_notices", " AND t.notice_id <> 0"},
	{"shipments", "document_id", "invoices", " AND t.document_kind = 'invoice'"},
	{"shipments", "document_id", "credit_notes", " AND t.document_kind = 'credit_note'"},
	{"shipments", "document_id", "overdue_notices", " AND t.document_kind = 'overdue_notice'"},
	{"shipments", "document_id", "statements", " AND t.document_kind = 'statement'"},
}

// Orphans returns up to 100 rows of the creditor that name a row which is not there or is another creditor's.
func (r reads) Orphans(ctx context.Context, creditorID int64) ([]Orphan, error) {
	var asks []string
	var args []any
	for _, o := range owners {
		asks = append(asks, fmt.Sprintf(`SELECT '%[1]s' AS orphan, t.id, '%[3]s' AS owner, t.%[2]s AS named FROM %[1]s t
			LEFT JOIN %[3]s o ON o.id = t.%[2]s AND o.creditor_id = t.creditor_id
			WHERE t.creditor_id = ? AND o.id IS NULL%[4]s`, o.table, o.column, o.owner, o.only))
		args = append(args, creditorID)
	}
	return scan[[]Orphan](r.with(ctx).Raw(strings.Join(asks, " UNION ALL ")+" LIMIT 100", args...))
}

// LineMismatches returns up to 100 invoices of the creditor whose gross amount is not the sum of their lines.
func (r reads) LineMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.gross AS kept, COALESCE(SUM(l.gross), 0) AS computed
		FROM invoices d LEFT JOIN invoice_lines l ON l.invoice_id = d.id
		WHERE d.creditor_id = ? GROUP BY d.id, d.gross HAVING d.gross <> COALESCE(SUM(l.gross), 0) LIMIT 100`, creditorID)
}

// LostReferences returns up to 100 KIDs of the creditor's documents that lead a payment nowhere, or to another document (rule
// D20).
func (r reads) LostReferences(ctx context.Context, creditorID int64) ([]string, error) {
	return scan[[]string](r.with(ctx).Raw(`SELECT d.kid FROM (
			SELECT kid, id AS invoice_id, 0 AS credit_note_id FROM invoices WHERE creditor_id = ?
			UNION ALL
			SELECT kid, invoice_id, id FROM credit_notes WHERE creditor_id = ?
		) AS d LEFT JOIN payment_references p ON p.creditor_id = ? AND p.kid = d.kid AND p.invoice_id = d.invoice_id AND p.credit_note_id = d.credit_note_id
		WHERE p.kid IS NULL LIMIT 100`, creditorID, creditorID, creditorID))
}

// Unlogged is how many documents of one kind there are, and of how many the log tells.
type Unlogged struct {
	Type         models.EventType // what tells of a new one
	Made, Logged int64
}

// Unlogged returns the kinds of documents of which the creditor has more or fewer than the log tells of (rule E7).
func (r reads) Unlogged(ctx context.Context, creditorID int64) (all []Unlogged, err error) {
	var asks []string
	var args []any
	for _, kind := range []struct {
		table string
		event models.EventType
	}{{"invoices", models.EventInvoiceCreated}, {"credit_notes", models.EventCreditNoteCreated}, {"overdue_notices", models.EventNoticeCreated}} {
		asks = append(asks, `SELECT ? AS type, (SELECT COUNT(*) FROM `+kind.table+` WHERE creditor_id = ?) AS made,
			(SELECT COUNT(*) FROM events WHERE creditor_id = ? AND type = ?) + (SELECT COUNT(*) FROM new_events WHERE creditor_id = ? AND type = ?) AS logged`)
		args = append(args, kind.event, creditorID, creditorID, kind.event, creditorID, kind.event)
	}
	if all, err = scan[[]Unlogged](r.with(ctx).Raw(strings.Join(asks, " UNION ALL "), args...)); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(u Unlogged) bool { return u.Made == u.Logged }), nil
}
