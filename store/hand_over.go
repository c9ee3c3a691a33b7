package store

import (
	"context"
	"time"

	"purr/models"
)

// owedHandOvers are the states in which something must be delivered to the debt collector.
var owedHandOvers = []models.HandOverState{models.BundleOwed, models.WithdrawalOwed}

// HandOver returns one hand-over of the creditor.
func (r reads) HandOver(ctx context.Context, creditorID, id int64) (models.HandOver, error) {
	return readOne[models.HandOver](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "hand-over")
}

// LastHandOver returns an invoice's last hand-over, and false if it was never handed over.
func (r reads) LastHandOver(ctx context.Context, invoiceID int64) (models.HandOver, bool, error) {
	return readFirst[models.HandOver](r.with(ctx).Where("invoice_id = ?", invoiceID).Order("id DESC"))
}

// OwedHandOvers returns up to limit hand-overs of all creditors that must be delivered by the moment and that nobody has
// in hand, the longest due first.
func (r reads) OwedHandOvers(ctx context.Context, by time.Time, limit int) ([]models.HandOver, error) {
	return readAll[models.HandOver](r.with(ctx).Where("state IN ? AND next_attempt <= ? AND taken_by = ''", owedHandOvers, by).Order("next_attempt, id").Limit(limit))
}

// LeasedHandOvers are the hand-overs of which something must be delivered to the debt collector.
var LeasedHandOvers = Leased{
	Table: "hand_overs", Name: "hand_overs", Words: "hand-overs",
	model: func() any { return new(models.HandOver) }, states: anyOf(owedHandOvers...), longest: func(w longestWaits) []any { return []any{w.attempt} },
}

// HandedOver returns those of the invoices with the IDs that are handed over to debt collection.
func (r reads) HandedOver(ctx context.Context, invoiceIDs []int64) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.with(ctx).Where("id IN ? AND handed_over IS NOT NULL", invoiceIDs).Order("id"))
}

// CreateHandOver writes a new hand-over and sets its ID. Its bundle is owed at once.
func (tx *Tx) CreateHandOver(ctx context.Context, h *models.HandOver) error {
	h.State, h.NextAttempt, h.CreatedAt = models.BundleOwed, tx.Common, tx.Now
	return tx.insert(ctx, h)
}

// LockHandOver reads a hand-over of the creditor and locks it until the transaction ends.
func (tx *Tx) LockHandOver(ctx context.Context, creditorID, id int64) (models.HandOver, error) {
	return readOne[models.HandOver](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "hand-over")
}

// UpdateHandOver writes all fields of a hand-over, which the caller has locked, except the bundle: SetBundle does that.
func (tx *Tx) UpdateHandOver(ctx context.Context, h models.HandOver) error {
	return tx.put(ctx, &h)
}

// SetBundle sets a hand-over's bundle unless it has one. It returns the bundle that the hand-over then has.
func (tx *Tx) SetBundle(ctx context.Context, creditorID, id int64, sha256 string) (string, error) {
	err := tx.set(ctx, &models.HandOver{}, map[string]any{"bundle": sha256}, "id = ? AND creditor_id = ? AND bundle = ''", id, creditorID)
	if err != nil {
		return "", err
	}
	h, err := tx.HandOver(ctx, creditorID, id)
	if err != nil {
		return "", err
	}
	return h.Bundle, nil
}
