package store

import (
	"context"
	"time"

	"purr/models"
)

// LateLetter is a notice in force whose letter may have left on a later day than its own, and which does not say so: it is of a
// release that did not heed that (rule D94).
type LateLetter struct {
	Creditor   models.Creditor // its ID, name and time zone
	NoticeID   int64
	InvoiceID  int64
	Sequence   int
	Warning    bool
	IssueDate  models.Date
	DueDate    models.Date
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
	err := r.each(ctx, `SELECT c.id, c.name, c.time_zone, n.id, n.invoice_id, n.sequence, n.warning, n.issue_date, n.due_date, s.id, s.sent_at, i.number, i.notices, i.stage, i.handed_over
		FROM overdue_notices n JOIN shipments s ON s.document_kind = 'overdue_notice' AND s.document_id = n.id AND NOT s.copy JOIN invoices i ON i.id = n.invoice_id JOIN creditors c ON c.id = n.creditor_id
		WHERE n.withdrawn IS NULL AND n.counts_until IS NULL AND s.state IN ('sent', 'delivered') AND s.sent_at >= `+tenth, nil, func() {
		if failure == nil {
			failure = do(l)
		}
	}, &l.Creditor.ID, &l.Creditor.Name, &l.Creditor.TimeZone, &l.NoticeID, &l.InvoiceID, &l.Sequence, &l.Warning, &l.IssueDate, &l.DueDate, &l.ShipmentID, &l.SentAt, &l.Number, &l.Notices, &l.Stage, &l.HandedOver)
	if err != nil {
		return err
	}
	return failure
}
