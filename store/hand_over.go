package store

import (
	"context"
	"time"

	"purr/models"
)

// owedHandOvers are the states in which the debt collector is owed something.
var owedHandOvers = []models.HandOverState{models.BundleOwed, models.WithdrawalOwed}

// HandOver returns one hand-over of the creditor.
func (r reads) HandOver(ctx context.Context, creditorID, id int64) (models.HandOver, error) {
	var h models.HandOver
	err := r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&h).Error
	return h, classify(err, "hand-over")
}

// LastHandOver returns an invoice's last hand-over, and false where it was never handed over.
func (r reads) LastHandOver(ctx context.Context, invoiceID int64) (models.HandOver, bool, error) {
	var hs []models.HandOver
	err := r.with(ctx).Where("invoice_id = ?", invoiceID).Order("id DESC").Limit(1).Find(&hs).Error
	if err != nil || len(hs) == 0 {
		return models.HandOver{}, false, classify(err, "")
	}
	return hs[0], true, nil
}

// OwedHandOvers returns up to limit hand-overs of all creditors of which the collector is owed something by the
// moment, the longest due first.
func (r reads) OwedHandOvers(ctx context.Context, by time.Time, limit int) ([]models.HandOver, error) {
	var hs []models.HandOver
	err := r.with(ctx).Where("state IN ? AND next_attempt <= ?", owedHandOvers, by).Order("next_attempt, id").Limit(limit).Find(&hs).Error
	return hs, classify(err, "")
}

// NextHandOver returns when the next hand-over is due of which the collector is owed something, and false where
// nothing is owed.
func (r reads) NextHandOver(ctx context.Context) (time.Time, bool, error) {
	var hs []models.HandOver
	err := r.with(ctx).Where("state IN ?", owedHandOvers).Order("next_attempt").Limit(1).Find(&hs).Error
	if err != nil || len(hs) == 0 {
		return time.Time{}, false, classify(err, "")
	}
	return hs[0].NextAttempt, true, nil
}

// HandedOver returns those of the invoices with the IDs that are handed over to debt collection.
func (r reads) HandedOver(ctx context.Context, invoiceIDs []int64) ([]models.Invoice, error) {
	var found []models.Invoice
	err := r.with(ctx).Where("id IN ? AND handed_over IS NOT NULL", invoiceIDs).Order("id").Find(&found).Error
	return found, classify(err, "")
}

// CreateHandOver writes a new hand-over, whose bundle is owed at once, and sets its ID.
func (tx *Tx) CreateHandOver(ctx context.Context, h *models.HandOver) error {
	h.State, h.NextAttempt, h.CreatedAt = models.BundleOwed, tx.Now, tx.Now
	return tx.insert(ctx, h)
}

// LockHandOver reads a hand-over of the creditor and locks it until the transaction ends.
func (tx *Tx) LockHandOver(ctx context.Context, creditorID, id int64) (models.HandOver, error) {
	var h models.HandOver
	err := forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&h).Error
	return h, classify(err, "hand-over")
}

// UpdateHandOver writes all fields of a hand-over, which the caller has locked, but for its bundle, which is
// SetBundle's.
func (tx *Tx) UpdateHandOver(ctx context.Context, h models.HandOver) error {
	return classify(tx.with(ctx).Omit("bundle").Save(&h).Error, "")
}

// SetBundle notes a hand-over's collection bundle unless it has one, and returns the one that holds.
func (tx *Tx) SetBundle(ctx context.Context, creditorID, id int64, sha256 string) (string, error) {
	err := tx.update(ctx, &models.HandOver{}, map[string]any{"bundle": sha256}, "id = ? AND creditor_id = ? AND bundle = ''", id, creditorID)
	if err != nil {
		return "", err
	}
	h, err := tx.HandOver(ctx, creditorID, id)
	return h.Bundle, err
}
