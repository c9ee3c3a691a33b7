package store

import (
	"context"

	"purr/models"
)

// SentStatement returns one statement that a customer of the creditor was sent.
func (r reads) SentStatement(ctx context.Context, creditorID, id int64) (models.SentStatement, error) {
	return readOne[models.SentStatement](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "statement")
}

// SentStatementsByID returns those statements with the IDs that customers of the creditor were sent.
func (r reads) SentStatementsByID(ctx context.Context, creditorID int64, ids []int64) ([]models.SentStatement, error) {
	return readAll[models.SentStatement](r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID))
}

// CreateStatement writes a statement that is to be sent, and sets its ID.
func (tx *Tx) CreateStatement(ctx context.Context, s *models.SentStatement) error {
	s.CreatedAt = tx.Now
	return tx.insert(ctx, s)
}
