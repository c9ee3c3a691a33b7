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

// NoticesOfInvoices returns each of the invoices' overdue notices in order, without those that were withdrawn, by
// the invoice's ID.
func (r reads) NoticesOfInvoices(ctx context.Context, invoiceIDs []int64) (map[int64][]models.Notice, error) {
	var ns []models.Notice
	err := r.with(ctx).Where("invoice_id IN ? AND withdrawn IS NULL", invoiceIDs).Order("sequence").Find(&ns).Error
	of := make(map[int64][]models.Notice, len(invoiceIDs))
	for _, n := range ns {
		of[n.InvoiceID] = append(of[n.InvoiceID], n)
	}
	return of, classify(err, "")
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

// CreateNotices writes new notices with the lines of each and sets their IDs and CreatedAt.
func (tx *Tx) CreateNotices(ctx context.Context, notices []models.Notice, lines [][]models.NoticeLine) error {
	for i := range notices {
		notices[i].CreatedAt = tx.Now
	}
	if err := tx.insert(ctx, &notices); err != nil {
		return err
	}
	var all []models.NoticeLine
	for i, n := range notices {
		for k := range lines[i] {
			lines[i][k].NoticeID = n.ID
		}
		all = append(all, lines[i]...)
	}
	return tx.insert(ctx, &all)
}

// FollowNotices notes new notices on their invoices, which the caller has locked. It leaves the balances to
// RefreshBalances.
func (tx *Tx) FollowNotices(ctx context.Context, notices []models.Notice) error {
	type left struct { // how a notice leaves its invoice
		notices  int
		warned   bool
		deadline models.Date
	}
	alike := map[left][]int64{}
	for _, n := range notices {
		l := left{n.Sequence, n.Warning, n.DueDate}
		alike[l] = append(alike[l], n.InvoiceID)
	}
	for l, ids := range alike {
		set := map[string]any{"notices": l.notices, "warned": l.warned, "deadline": l.deadline}
		if err := tx.update(ctx, &models.Invoice{}, set, "id IN ?", ids); err != nil {
			return err
		}
	}
	return nil
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
