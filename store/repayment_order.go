package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// RepaymentFilter narrows a list of repayments. The zero filter takes all.
type RepaymentFilter struct {
	CustomerID int64
	FileID     int64
	State      models.RepaymentState
}

// Repayment returns one repayment of the creditor (rule N12).
func (r reads) Repayment(ctx context.Context, creditorID, id int64) (models.Repayment, error) {
	return readOne[models.Repayment](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "repayment")
}

// Repayments returns a page of the creditor's repayments that the filter takes, in order of ID, and the number of all of them.
func (r reads) Repayments(ctx context.Context, creditorID int64, f RepaymentFilter, p Page) ([]models.Repayment, int64, error) {
	return find[models.Repayment](ctx, r.repayments(ctx, creditorID, f), p)
}

// NewestRepayments does what Repayments does, the newest first, with the sum of all that the filter takes.
func (r reads) NewestRepayments(ctx context.Context, creditorID int64, f RepaymentFilter, p Page) (rs []models.Repayment, total int64, sum models.Amount, err error) {
	err = eachRow(r.repayments(ctx, creditorID, f).Model(&models.Repayment{}).Select("COUNT(*), COALESCE(SUM(amount), 0)"), func() {}, &total, &sum)
	if err != nil || p.beyond(total) {
		return nil, total, sum, err
	}
	rs, err = readAll[models.Repayment](r.repayments(ctx, creditorID, f).Order("id DESC").Offset(p.offset()).Limit(p.Size))
	return rs, total, sum, err
}

func (r reads) repayments(ctx context.Context, creditorID int64, f RepaymentFilter) *gorm.DB {
	g := r.with(ctx).Where("creditor_id = ?", creditorID)
	if f.CustomerID != 0 {
		g = g.Where("customer_id = ?", f.CustomerID)
	}
	if f.FileID != 0 {
		g = g.Where("file_id = ?", f.FileID)
	}
	if f.State != "" {
		g = g.Where("state = ?", f.State)
	}
	return g
}

// RepaymentsOfFile returns the repayments of a file of the creditor, in order of ID.
func (r reads) RepaymentsOfFile(ctx context.Context, creditorID, fileID int64) ([]models.Repayment, error) {
	return readAll[models.Repayment](r.with(ctx).Where("creditor_id = ? AND file_id = ?", creditorID, fileID).Order("id"))
}

// OpenRepayments returns the repayments of the creditor's customers that reserve free credit, in order of ID.
func (r reads) OpenRepayments(ctx context.Context, creditorID int64, customerIDs ...int64) ([]models.Repayment, error) {
	return readAll[models.Repayment](r.with(ctx).Where("creditor_id = ? AND customer_id IN ? AND state IN ?", creditorID, customerIDs, models.RepaymentsOpen).Order("id"))
}

// WaitingRepayments returns up to limit of the creditor's repayments that are in no file yet, in order of ID.
func (r reads) WaitingRepayments(ctx context.Context, creditorID int64, limit int) ([]models.Repayment, error) {
	return readAll[models.Repayment](r.with(ctx).Where("creditor_id = ? AND state = ?", creditorID, models.RepaymentWaiting).Order("id").Limit(limit))
}

// Reserved returns how much of the free credit of each of the creditor's customers is reserved for repayments, in øre. It leaves out
// customers of whom nothing is.
func (r reads) Reserved(ctx context.Context, creditorID int64, customerIDs ...int64) (map[int64]models.Amount, error) {
	type row struct {
		CustomerID int64
		Amount     models.Amount
	}
	rows, err := scan[[]row](r.reservations(ctx, creditorID).Where("customer_id IN ?", customerIDs).Select("customer_id, SUM(amount) AS amount").Group("customer_id"))
	if err != nil {
		return nil, err
	}
	reserved := make(map[int64]models.Amount, len(rows))
	for _, row := range rows {
		reserved[row.CustomerID] = row.Amount
	}
	return reserved, nil
}

// reservations begins a query on the repayments that reserve free credit of the creditor's customers.
func (r reads) reservations(ctx context.Context, creditorID int64) *gorm.DB {
	return r.from(ctx, "repayments", "repayments_state").Where("creditor_id = ? AND state IN ?", creditorID, models.RepaymentsOpen)
}

// WaitingOnInvoices returns the customers of the creditor's invoices with the IDs for whom a repayment waits, in order of ID.
func (r reads) WaitingOnInvoices(ctx context.Context, creditorID int64, invoiceIDs []int64) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Raw(`SELECT DISTINCT i.customer_id FROM invoices i JOIN repayments r ON r.customer_id = i.customer_id AND r.state = ?
		WHERE i.creditor_id = ? AND i.id IN ? ORDER BY i.customer_id`, models.RepaymentWaiting, creditorID, invoiceIDs))
}

// CreateRepayment writes a new repayment and sets its ID. The caller has locked the customer.
func (tx *Tx) CreateRepayment(ctx context.Context, r *models.Repayment) error {
	r.CreatedAt = tx.Now
	return tx.insert(ctx, r)
}

// LockRepayments reads those of the creditor's repayments with the IDs and locks them, in order of ID.
func (tx *Tx) LockRepayments(ctx context.Context, creditorID int64, ids ...int64) ([]models.Repayment, error) {
	return readAll[models.Repayment](forUpdate(tx.with(ctx)).Where("creditor_id = ? AND id IN ?", creditorID, ids).Order("id"))
}

// UpdateRepayments writes all fields of repayments, which the caller has locked.
func (tx *Tx) UpdateRepayments(ctx context.Context, rs []models.Repayment) error {
	return tx.put(ctx, &rs)
}

// CreateRepaymentEntries writes which entries pay which repayments.
func (tx *Tx) CreateRepaymentEntries(ctx context.Context, es []models.RepaymentEntry) error {
	return tx.add(ctx, &es)
}

// EntriesOfRepayments returns the entries that pay the creditor's repayments with the IDs, in order of ID, and which repayment each pays.
func (r reads) EntriesOfRepayments(ctx context.Context, creditorID int64, ids []int64) ([]models.Entry, map[int64]int64, error) {
	links, err := readAll[models.RepaymentEntry](r.with(ctx).Where("creditor_id = ? AND repayment_id IN ?", creditorID, ids))
	if err != nil || len(links) == 0 {
		return nil, nil, err
	}
	of, entryIDs := map[int64]int64{}, make([]int64, len(links))
	for n, l := range links {
		of[l.EntryID], entryIDs[n] = l.RepaymentID, l.EntryID
	}
	entries, err := readAll[models.Entry](r.with(ctx).Where("creditor_id = ? AND id IN ?", creditorID, entryIDs).Order("id"))
	return entries, of, err
}

// DeleteRepaymentEntries deletes which entries pay the creditor's repayments with the IDs.
func (tx *Tx) DeleteRepaymentEntries(ctx context.Context, creditorID int64, ids []int64) error {
	return classify(tx.with(ctx).Where("creditor_id = ? AND repayment_id IN ?", creditorID, ids).Delete(&models.RepaymentEntry{}).Error, "")
}
