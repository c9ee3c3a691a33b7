package store

import (
	"context"
	"time"

	"purr/models"
)

// The states of batches that are not over: those that have something to send, and those whose letters do not say yet what
// became of them.
var (
	unsentBatches    = []models.BatchState{models.BatchGathered, models.BatchSealed}
	unsettledBatches = []models.BatchState{models.BatchAccepted, models.BatchGivenUp}
)

// CreditorsWithLetters returns the creditors with letters that are due by the moment and in nobody's hand.
func (r reads) CreditorsWithLetters(ctx context.Context, by time.Time) ([]int64, error) {
	const due = "EXISTS (SELECT 1 FROM shipments s WHERE s.state = ? AND s.creditor_id = creditors.id AND s.next_attempt <= ? AND s.taken_by = '' AND s.batch_id = 0 AND s.method IN ?)"
	return idsOf(r.with(ctx).Model(&models.Creditor{}).Where(due, models.ShipmentOwed, by, models.BatchMethods).Order("id"))
}

// CreditorsWithBatches returns the creditors with batches that are due by the moment and in nobody's hand, or not settled.
func (r reads) CreditorsWithBatches(ctx context.Context, by time.Time) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.LetterBatch{}).Distinct("creditor_id").
		Where("state IN ? OR state IN ? AND next_attempt <= ? AND taken_by = ''", unsettledBatches, unsentBatches, by).Order("creditor_id"))
}

// LeasedBatches are the batches that have something to send.
var LeasedBatches = Leased{
	Table: "letter_batches", Name: "batches", Words: "batches",
	model: func() any { return new(models.LetterBatch) }, states: anyOf(unsentBatches...), longest: func(w longestWaits) []any { return []any{w.attempt} },
}

// BatchesToSettle asks whether there are batches whose letters do not all say yet what became of them.
var BatchesToSettle = Question{"EXISTS (SELECT 1 FROM letter_batches WHERE state IN (?, ?))", these(anyOf(unsettledBatches...)...)}

// UnsettledBatches returns the creditor's batches whose letters do not all say yet what became of them, oldest first.
func (r reads) UnsettledBatches(ctx context.Context, creditorID int64) ([]models.LetterBatch, error) {
	return readAll[models.LetterBatch](r.with(ctx).Where("state IN ? AND creditor_id = ?", unsettledBatches, creditorID).Order("id"))
}

// LettersOfBatch returns up to limit letters that are in the batch's hand, in order of their IDs.
func (r reads) LettersOfBatch(ctx context.Context, batchID int64, limit int) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("batch_id = ? AND batch_id <> 0", batchID).Order("id").Limit(limit))
}

// LockDueBatch returns the creditor's oldest batch that has something to send, is due and is in nobody's hand, and locks it.
// It reports false if there is none.
func (tx *Tx) LockDueBatch(ctx context.Context, creditorID int64) (models.LetterBatch, bool, error) {
	return readFirst[models.LetterBatch](forUpdate(tx.with(ctx)).
		Where("state IN ? AND creditor_id = ? AND next_attempt <= ? AND taken_by = ''", unsentBatches, creditorID, tx.Common).Order("id"))
}

// LockBatch reads a batch and locks it until the transaction ends.
func (tx *Tx) LockBatch(ctx context.Context, id int64) (models.LetterBatch, error) {
	return readOne[models.LetterBatch](forUpdate(tx.with(ctx)).Where("id = ?", id), "batch of letters")
}

// LockLettersOfBatch returns the letters in the batch's hand that are still owed, in order of their IDs, and locks them.
func (tx *Tx) LockLettersOfBatch(ctx context.Context, batchID int64) ([]models.Shipment, error) {
	return readAll[models.Shipment](forUpdate(tx.with(ctx)).Where("batch_id = ? AND batch_id <> 0 AND state = ?", batchID, models.ShipmentOwed).Order("id"))
}

// CreateBatch writes a new batch and sets its ID.
func (tx *Tx) CreateBatch(ctx context.Context, b *models.LetterBatch) error {
	b.CreatedAt = tx.Now
	return tx.insert(ctx, b)
}

// UpdateBatch writes all fields of a batch, which the caller has locked.
func (tx *Tx) UpdateBatch(ctx context.Context, b models.LetterBatch) error {
	return tx.put(ctx, &b)
}
