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

// owned is a column that names a row.
type owned struct {
	table, column, owner string
	only                 string // which rows of the table name one; all of them if empty
}

// owners are the rows without which others make no sense. A foreign key would hold each, and would lock parents that
// everybody reads.
var owners = []owned{
	{"invoices", "customer_id", "customers", ""},
	{"credit_notes", "invoice_id", "invoices", ""},
	{"overdue_notices", "invoice_id", "invoices", ""},
	{"hand_overs", "invoice_id", "invoices", ""},
	{"statements", "customer_id", "customers", ""},
	{"standstills", "customer_id", "customers", ""},
	{"standstills", "invoice_id", "invoices", " AND t.invoice_id <> 0"},
	{"payment_plans", "invoice_id", "invoices", ""},
	{"invoices", "plan_id", "payment_plans", " AND t.plan_id <> 0"},
	{"likely_payers", "customer_id", "customers", ""},
	{"likely_payers", "payment_id", "unmatched_payments", ""},
	{"hand_overs", "seller_id", "sellers", " AND t.seller_id <> 0"},
	{"collection_reports", "hand_over_id", "hand_overs", ""},
	{"collection_reports", "invoice_id", "invoices", ""},
	{"entries", "hand_over_id", "hand_overs", " AND t.hand_over_id <> 0"},
	{"deleted_entries", "hand_over_id", "hand_overs", " AND t.hand_over_id <> 0"},
	{"direct_entries", "hand_over_id", "hand_overs", ""},
	{"direct_entries", "invoice_id", "invoices", ""},
	{"direct_entries", "file_id", "collector_files", " AND t.file_id <> 0"},
	{"collector_files", "seller_id", "sellers", " AND t.seller_id <> 0"},
	{"entries", "invoice_id", "invoices", ""},
	{"entries", "moved_to", "customers", " AND t.moved_to <> 0"},
	{"repayments", "customer_id", "customers", ""},
	{"repayments", "invoice_id", "invoices", ""},
	{"repayments", "file_id", "repayment_files", " AND t.file_id <> 0"},
	{"entries", "credit_note_id", "credit_notes", " AND t.credit_note_id <> 0"},
	{"deleted_entries", "invoice_id", "invoices", ""},
	{"deleted_entries", "credit_note_id", "credit_notes", " AND t.credit_note_id <> 0"},
	{"entries", "notice_id", "overdue_notices", " AND t.notice_id <> 0"},
	{"overdue_notices", "letter_id", "letters", " AND t.letter_id <> 0"},
	{"letters", "customer_id", "customers", ""},
	{"mandates", "customer_id", "customers", " AND t.customer_id <> 0"},
	{"bank_claims", "invoice_id", "invoices", ""},
	{"bank_claims", "customer_id", "customers", ""},
	{"bank_claims", "mandate_id", "mandates", ""},
	{"bank_claims", "file_id", "claim_files", " AND t.file_id <> 0"},
	{"bank_claims", "cancel_file_id", "claim_files", " AND t.cancel_file_id <> 0"},
	{"account_export_files", "export_id", "account_exports", ""},
	{"audits", "customer_id", "customers", " AND t.customer_id <> 0"},
	{"audit_findings", "audit_id", "audits", ""},
	{"audit_findings", "customer_id", "customers", ""},
	{"audit_findings", "invoice_id", "invoices", ""},
	{"audit_repayments", "audit_id", "audits", ""},
	{"audit_repayments", "customer_id", "customers", ""},
	{"audit_repayments", "invoice_id", "invoices", ""},
	{"unmatched_payments", "letter_id", "letters", " AND t.letter_id <> 0"},
	{"unmatched_payments", "reversal_of", "unmatched_payments", " AND t.reversal_of <> 0"},
}

// Orphans returns up to 100 rows of the creditor that name a row which is not there or is another creditor's. The database
// keeps the owners' IDs at hand: to look up each owner would take several times as long.
func (r reads) Orphans(ctx context.Context, creditorID int64) ([]Orphan, error) {
	var asks []string
	var args []any
	all := slices.Clone(owners)
	for _, kind := range models.DocumentKinds() {
		table := documentTables[kind].name
		all = append(all, owned{table, "seller_id", "sellers", " AND t.seller_id <> 0"},
			owned{"shipments", "document_id", table, " AND t.document_kind = '" + string(kind) + "'"})
	}
	for _, o := range all {
		asks = append(asks, fmt.Sprintf(`SELECT '%[1]s' AS orphan, t.id, '%[3]s' AS owner, t.%[2]s AS named FROM %[1]s t
			WHERE t.creditor_id = ?%[4]s AND t.%[2]s NOT IN (SELECT id FROM %[3]s WHERE creditor_id = ?)`, o.table, o.column, o.owner, o.only))
		args = append(args, creditorID, creditorID)
	}
	return scan[[]Orphan](r.with(ctx).Raw(strings.Join(asks, " UNION ALL ")+" LIMIT 100", args...))
}

// LostReferences returns up to 100 KIDs of the creditor's documents that lead a payment nowhere, or to another document (rule
// D20).
func (r reads) LostReferences(ctx context.Context, creditorID int64) ([]string, error) {
	return scan[[]string](r.with(ctx).Raw(`SELECT d.kid FROM invoices d
			LEFT JOIN payment_references p ON p.creditor_id = d.creditor_id AND p.kid = d.kid AND p.invoice_id = d.id AND p.credit_note_id = 0
			WHERE d.creditor_id = ? AND p.kid IS NULL
		UNION ALL SELECT d.kid FROM credit_notes d
			LEFT JOIN payment_references p ON p.creditor_id = d.creditor_id AND p.kid = d.kid AND p.invoice_id = d.invoice_id AND p.credit_note_id = d.id
			WHERE d.creditor_id = ? AND p.kid IS NULL
		UNION ALL SELECT d.kid FROM letters d
			LEFT JOIN payment_references p ON p.creditor_id = d.creditor_id AND p.kid = d.kid AND p.invoice_id = 0 AND p.letter_id = d.id
			WHERE d.creditor_id = ? AND d.kid <> '' AND p.kid IS NULL LIMIT 100`, creditorID, creditorID, creditorID))
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
	}{
		{"invoices WHERE adopted = FALSE", models.EventInvoiceCreated},
		{"invoices WHERE adopted = TRUE", models.EventInvoiceAdopted},
		{"credit_notes WHERE 1 = 1", models.EventCreditNoteCreated},
		{"overdue_notices WHERE adopted = FALSE", models.EventNoticeCreated},
	} {
		asks = append(asks, `SELECT ? AS type, (SELECT COUNT(*) FROM `+kind.table+` AND creditor_id = ?) AS made,
			(SELECT COUNT(*) FROM events WHERE creditor_id = ? AND type = ?) + (SELECT COUNT(*) FROM new_events WHERE creditor_id = ? AND type = ?) AS logged`)
		args = append(args, kind.event, creditorID, creditorID, kind.event, creditorID, kind.event)
	}
	if all, err = scan[[]Unlogged](r.with(ctx).Raw(strings.Join(asks, " UNION ALL "), args...)); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(u Unlogged) bool { return u.Made == u.Logged }), nil
}
