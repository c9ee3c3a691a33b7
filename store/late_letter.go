package store

import (
	"context"
	"time"

	"purr/models"
)

// LateLetter is a notice in force whose letter may have left on a later day than its own (rule D94).
type LateLetter struct {
	Creditor   models.Creditor // its ID, name and time zone
	NoticeID   int64
	InvoiceID  int64
	Sequence   int
	Warning    bool
	IssueDate  models.Date
	DueDate    models.Date
	Counts     models.Date // until when it runs, as it says itself; zero if it does not: then it is of a release that did not heed that
	ShipmentID int64
	SentAt     time.Time

	// Of the invoice.
	Number     int64
	Notices    int
	Stage      models.Stage
	HandedOver models.Date
}

// LateLetters calls do for each of them, of any creditor, in no order. A letter that left between its day's tenth hour in
// Greenwich and the end of the creditor's day is among them too.
func (r reads) LateLetters(ctx context.Context, do func(LateLetter) error) error {
	tenth := "n.issue_date + INTERVAL 10 HOUR" // by which the day has ended nowhere
	if dialect(r.db.Name()) == dialectSQLite {
		tenth = "datetime(n.issue_date, '+10 hours')"
	}
	var l LateLetter
	var failure error
	const columns = `SELECT c.id, c.name, c.time_zone, n.id, n.invoice_id, n.sequence, n.warning, n.issue_date, n.due_date, n.counts_until, s.id, s.sent_at, i.number, i.notices, i.stage, i.handed_over
		FROM overdue_notices n JOIN shipments s ON `
	rest := ` AND NOT s.copy JOIN invoices i ON i.id = n.invoice_id JOIN creditors c ON c.id = n.creditor_id
		WHERE n.withdrawn IS NULL AND s.state IN ('sent', 'delivered') AND s.sent_at >= ` + tenth
	err := r.each(ctx, columns+"s.document_kind = 'overdue_notice' AND s.document_id = n.id"+rest+
		" UNION ALL "+columns+"n.letter_id <> 0 AND s.document_kind = 'letter' AND s.document_id = n.letter_id"+rest, nil, func() {
		if failure == nil {
			failure = do(l)
		}
	}, &l.Creditor.ID, &l.Creditor.Name, &l.Creditor.TimeZone, &l.NoticeID, &l.InvoiceID, &l.Sequence, &l.Warning, &l.IssueDate, &l.DueDate, &l.Counts, &l.ShipmentID, &l.SentAt, &l.Number, &l.Notices, &l.Stage, &l.HandedOver)
	if err != nil {
		return err
	}
	return failure
}

// Unfounded is a notice in force on an invoice whose original has not left: it failed, or came back before the notice was issued (rule
// D98).
type Unfounded struct {
	Creditor   models.Creditor // its ID and name
	NoticeID   int64
	InvoiceID  int64
	Sequence   int
	Warning    bool
	IssueDate  models.Date
	Number     int64 // of the invoice
	ShipmentID int64 // the original's
	State      models.ShipmentState
	ReportedAt *time.Time // when the original failed or came back, as was told; nil if nobody told it
}

// UnfoundedNotices calls do for each of them, of any creditor, in no order.
func (r reads) UnfoundedNotices(ctx context.Context, do func(Unfounded) error) error {
	var u Unfounded
	var failure error
	err := r.each(ctx, `SELECT c.id, c.name, n.id, n.invoice_id, n.sequence, n.warning, n.issue_date, i.number, s.id, s.state, s.reported_at
		FROM overdue_notices n JOIN shipments s ON s.document_kind = 'invoice' AND s.document_id = n.invoice_id AND NOT s.copy JOIN invoices i ON i.id = n.invoice_id JOIN creditors c ON c.id = n.creditor_id
		WHERE n.withdrawn IS NULL AND (s.state = 'failed' OR s.state = 'returned' AND s.reported_at <= n.created_at) AND NOT EXISTS (SELECT 1 FROM shipments o
			WHERE o.document_kind = 'invoice' AND o.document_id = n.invoice_id AND NOT o.copy AND (o.state IN ('sent', 'delivered') OR o.id > s.id AND o.state IN ('failed', 'returned')))`, nil, func() {
		if failure == nil {
			failure = do(u)
		}
	}, &u.Creditor.ID, &u.Creditor.Name, &u.NoticeID, &u.InvoiceID, &u.Sequence, &u.Warning, &u.IssueDate, &u.Number, &u.ShipmentID, &u.State, &u.ReportedAt)
	if err != nil {
		return err
	}
	return failure
}
