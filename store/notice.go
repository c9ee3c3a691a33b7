package store

import (
	"context"

	"purr/models"
)

// NoticeFilter narrows a list of overdue notices. The zero filter takes all.
type NoticeFilter struct{ Issued Dates }

// Notice returns one overdue notice of the creditor.
func (r reads) Notice(ctx context.Context, creditorID, id int64) (models.Notice, error) {
	var n models.Notice
	err := r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&n).Error
	return n, classify(err, "overdue notice")
}

// NoticesOf returns an invoice's overdue notices in order, without those that were withdrawn.
func (r reads) NoticesOf(ctx context.Context, invoiceID int64) ([]models.Notice, error) {
	var ns []models.Notice
	err := r.with(ctx).Where("invoice_id = ? AND withdrawn IS NULL", invoiceID).Order("sequence").Find(&ns).Error
	return ns, classify(err, "")
}

// NoticeLines returns a notice's lines in order.
func (r reads) NoticeLines(ctx context.Context, noticeID int64) ([]models.NoticeLine, error) {
	var ls []models.NoticeLine
	err := r.with(ctx).Where("notice_id = ?", noticeID).Order("position").Find(&ls).Error
	return ls, classify(err, "")
}

// Notices returns a page of the creditor's overdue notices and the number of all that the filter takes.
func (r reads) Notices(ctx context.Context, creditorID int64, f NoticeFilter, p Page) ([]models.Notice, int64, error) {
	g := f.Issued.apply(r.with(ctx).Where("creditor_id = ?", creditorID), "issue_date")
	return find[models.Notice](ctx, g, p)
}

// CreateNotice writes a new notice with its lines and sets their IDs and CreatedAt.
func (tx *Tx) CreateNotice(ctx context.Context, n *models.Notice, lines []models.NoticeLine) error {
	n.CreatedAt = tx.Now
	if err := tx.insert(ctx, n); err != nil {
		return err
	}
	for i := range lines {
		lines[i].NoticeID = n.ID
	}
	return tx.insert(ctx, &lines)
}

// WithdrawNotice notes that a notice was found needless on a day before it left, and takes back its
// shipments, which are owed or have failed for good (rule E6f).
func (tx *Tx) WithdrawNotice(ctx context.Context, n models.Notice, on models.Date) error {
	if err := tx.update(ctx, &models.Notice{}, map[string]any{"withdrawn": on}, "id = ?", n.ID); err != nil {
		return err
	}
	return tx.update(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND state IN ?", models.NoticeDocument, n.ID,
		[]models.ShipmentState{models.ShipmentOwed, models.ShipmentFailed})
}
