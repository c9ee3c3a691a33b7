package store

import (
	"context"

	"purr/models"
)

// UnmatchedPayment returns one unmatched payment of the creditor.
func (r reads) UnmatchedPayment(ctx context.Context, creditorID, id int64) (models.UnmatchedPayment, error) {
	var u models.UnmatchedPayment
	err := r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&u).Error
	return u, classify(err, "unmatched payment")
}

// UnmatchedPayments returns a page of the creditor's unmatched payments: the open ones, the others, or
// both.
func (r reads) UnmatchedPayments(ctx context.Context, creditorID int64, open, resolved bool, p Page) ([]models.UnmatchedPayment, int64, error) {
	g := r.with(ctx).Where("creditor_id = ?", creditorID)
	if open != resolved {
		compare := "status = 'open'"
		if resolved {
			compare = "status <> 'open'"
		}
		g = g.Where(compare)
	}
	return find[models.UnmatchedPayment](ctx, g, p)
}

// PostedLines returns which of the lines of payment files the creditor's ledger has: the file of each, by its key.
func (r reads) PostedLines(ctx context.Context, creditorID int64, keys [][]byte) (map[string]int64, error) {
	return r.linesIn(ctx, &models.Entry{}, creditorID, keys)
}

// QueuedLines returns which of the lines of payment files wait or waited in the creditor's queue of unmatched
// payments: the file of each, by its key.
func (r reads) QueuedLines(ctx context.Context, creditorID int64, keys [][]byte) (map[string]int64, error) {
	return r.linesIn(ctx, &models.UnmatchedPayment{}, creditorID, keys)
}

func (r reads) linesIn(ctx context.Context, table any, creditorID int64, keys [][]byte) (map[string]int64, error) {
	var rows []struct {
		LineKey       []byte
		PaymentFileID int64
	}
	err := r.with(ctx).Model(table).Select("line_key, payment_file_id").Where("creditor_id = ? AND line_key IN ?", creditorID, keys).Find(&rows).Error
	known := make(map[string]int64, len(rows))
	for _, row := range rows {
		known[string(row.LineKey)] = row.PaymentFileID
	}
	return known, classify(err, "")
}

// LockUnmatchedPayment reads an unmatched payment of the creditor and locks it until the transaction ends.
func (tx *Tx) LockUnmatchedPayment(ctx context.Context, creditorID, id int64) (models.UnmatchedPayment, error) {
	var u models.UnmatchedPayment
	err := forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&u).Error
	return u, classify(err, "unmatched payment")
}

// CreateUnmatchedPayments writes new unmatched payments and sets their IDs.
func (tx *Tx) CreateUnmatchedPayments(ctx context.Context, us []models.UnmatchedPayment) error {
	for i := range us {
		us[i].CreatedAt = tx.Now
	}
	return tx.insert(ctx, &us)
}

// UpdateUnmatchedPayment writes all fields of an unmatched payment, which the caller has locked.
func (tx *Tx) UpdateUnmatchedPayment(ctx context.Context, u models.UnmatchedPayment) error {
	return classify(tx.with(ctx).Save(&u).Error, "")
}
