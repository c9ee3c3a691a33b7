package store

import (
	"context"

	"purr/models"
)

// RepaymentFile returns one file of repayments of the creditor (rule N12).
func (r reads) RepaymentFile(ctx context.Context, creditorID, id int64) (models.RepaymentFile, error) {
	return readOne[models.RepaymentFile](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "repayment file")
}

// RepaymentFiles returns a page of the creditor's files of repayments, in order of ID, and the number of all of them.
func (r reads) RepaymentFiles(ctx context.Context, creditorID int64, p Page) ([]models.RepaymentFile, int64, error) {
	return find[models.RepaymentFile](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// NewestRepaymentFiles returns up to limit of the creditor's files of repayments, the newest first.
func (r reads) NewestRepaymentFiles(ctx context.Context, creditorID int64, limit int) ([]models.RepaymentFile, error) {
	return readAll[models.RepaymentFile](r.with(ctx).Where("creditor_id = ?", creditorID).Order("id DESC").Limit(limit))
}

// RepaymentFilesByID returns the creditor's files of repayments with the IDs, by ID.
func (r reads) RepaymentFilesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.RepaymentFile, error) {
	return readBy(r.with(ctx).Where("creditor_id = ? AND id IN ?", creditorID, ids), func(f models.RepaymentFile) int64 { return f.ID })
}

// RepaymentFileBytes returns the bytes of a file of repayments of the creditor. It fails with models.ErrBytesRemoved if the file named
// customers who were forgotten (rule O14).
func (r reads) RepaymentFileBytes(ctx context.Context, creditorID, id int64) (models.RepaymentFileBytes, error) {
	kept, err := readOne[models.RepaymentFileBytes](r.with(ctx).Where("file_id = ? AND creditor_id = ?", id, creditorID), "repayment file")
	if err == nil && len(kept.Pain) == 0 {
		err = models.ErrBytesRemoved
	}
	return kept, err
}

// NextRepaymentFile returns the number of the creditor's next file of repayments. The caller has locked the creditor.
func (tx *Tx) NextRepaymentFile(ctx context.Context, creditorID int64) (int64, error) {
	return scan[int64](tx.with(ctx).Model(&models.RepaymentFile{}).Select("COALESCE(MAX(number), 0) + 1").Where("creditor_id = ?", creditorID))
}

// CreateRepaymentFile writes a new file of repayments and sets its ID.
func (tx *Tx) CreateRepaymentFile(ctx context.Context, f *models.RepaymentFile) error {
	f.CreatedAt = tx.Now
	return tx.insert(ctx, f)
}

// KeepRepaymentFile keeps the bytes of a new file of repayments.
func (tx *Tx) KeepRepaymentFile(ctx context.Context, b models.RepaymentFileBytes) error {
	return tx.add(ctx, &b)
}

// UpdateRepaymentFile writes all fields of a file of repayments. The caller has locked the creditor.
func (tx *Tx) UpdateRepaymentFile(ctx context.Context, f models.RepaymentFile) error {
	return tx.put(ctx, &f)
}

// RepaymentFault is what does not agree in a creditor's repayments.
type RepaymentFault struct {
	What     RepaymentRelation
	ID       int64 // of the repayment, the file, the customer or the entry
	Kept     models.Amount
	Computed models.Amount
}

// RepaymentRelation is one that says what the amounts of repayments add up to.
type RepaymentRelation int

// The relations of repayments.
const (
	RepaymentPosted   RepaymentRelation = iota + 1 // a repayment that is paid is the sum of its entries; another has none
	RepaymentStray                                 // an entry of type REPAYMENT pays a repayment
	RepaymentFileSum                               // a file is the sum of its repayments
	RepaymentReserved                              // what is reserved while a repayment waits is no more than the free credit
)

// RepaymentFaults returns up to 100 disagreements in the creditor's repayments.
func (r reads) RepaymentFaults(ctx context.Context, creditorID int64) ([]RepaymentFault, error) {
	return scan[[]RepaymentFault](r.with(ctx).Raw(`SELECT what, id, kept, computed FROM (
			SELECT 1 AS what, r.id, CASE WHEN r.state = 'paid' THEN r.amount ELSE 0 END AS kept, COALESCE((SELECT SUM(e.amount) FROM repayment_entries l
				JOIN entries e ON e.id = l.entry_id AND e.type = 'REPAYMENT' AND e.customer_id = r.customer_id WHERE l.repayment_id = r.id), 0) AS computed
				FROM repayments r WHERE r.creditor_id = ?
			UNION ALL
			SELECT 2, e.id, e.amount, 0 FROM entries e WHERE e.creditor_id = ? AND e.type = 'REPAYMENT'
				AND NOT EXISTS (SELECT 1 FROM repayment_entries l WHERE l.entry_id = e.id AND l.creditor_id = e.creditor_id)
			UNION ALL
			SELECT 3, f.id, CASE WHEN f.state = 'withdrawn' THEN 0 ELSE f.amount END, COALESCE((SELECT SUM(r.amount) FROM repayments r WHERE r.file_id = f.id AND r.creditor_id = f.creditor_id), 0)
				FROM repayment_files f WHERE f.creditor_id = ?
			UNION ALL
			SELECT 4, o.customer_id, o.amount, CASE WHEN o.free < o.amount THEN o.free ELSE o.amount END FROM (
				SELECT r.customer_id, SUM(r.amount) AS amount,
					COALESCE((SELECT SUM(i.free) FROM invoices i WHERE i.creditor_id = ? AND i.customer_id = r.customer_id AND i.free > 0), 0)
					-COALESCE((SELECT SUM(c.balance) FROM credit_notes c WHERE c.creditor_id = ? AND c.customer_id = r.customer_id AND c.balance < 0), 0) AS free
				FROM repayments r WHERE r.creditor_id = ? AND r.state IN ('waiting', 'in_file') GROUP BY r.customer_id HAVING SUM(CASE WHEN r.state = 'waiting' THEN 1 ELSE 0 END) > 0) AS o
		) AS all_of WHERE kept <> computed ORDER BY what, id LIMIT 100`, creditorID, creditorID, creditorID, creditorID, creditorID, creditorID))
}
