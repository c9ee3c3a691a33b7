package store

import (
	"context"
	"time"

	"purr/models"
)

// CreditorFaults returns up to limit faults of the creditors' work, by creditor.
func (r reads) CreditorFaults(ctx context.Context, limit int) ([]models.CreditorFault, error) {
	return readAll[models.CreditorFault](r.with(ctx).Order("creditor_id, work").Limit(limit))
}

// FaultyCreditors counts the creditors of whose work something fails.
func (r reads) FaultyCreditors(ctx context.Context) (int64, error) {
	return scan[int64](r.with(ctx).Model(&models.CreditorFault{}).Select("COUNT(DISTINCT creditor_id)"))
}

// HasFault reports whether a kind of the creditor's work fails.
func (r reads) HasFault(ctx context.Context, creditorID int64, work models.CreditorWork) (bool, error) {
	_, has, err := creditorFault.first(ctx, r, creditorID, work)
	return has, err
}

var creditorFault = selecting[models.CreditorFault]("FROM creditor_faults WHERE creditor_id = ? AND work = ?")

// KeepFault writes that a kind of the creditor's work fails. It reports false if that is known, and keeps what is known.
func (tx *Tx) KeepFault(ctx context.Context, creditorID int64, work models.CreditorWork, reason string) (bool, error) {
	return tx.insertIgnoring(ctx, &models.CreditorFault{
		CreditorID: creditorID, Work: work, Reason: models.Foreign(reason, models.MaxReason), Since: tx.Now,
	})
}

// EndFault writes that a kind of the creditor's work succeeds, and returns since when it has failed. It reports false if it did not fail.
func (tx *Tx) EndFault(ctx context.Context, creditorID int64, work models.CreditorWork) (since time.Time, was bool, err error) {
	f, was, err := creditorFault.first(ctx, tx.reads, creditorID, work)
	if err != nil || !was {
		return time.Time{}, false, err
	}
	g := tx.with(ctx).Where("creditor_id = ? AND work = ?", creditorID, work).Delete(&models.CreditorFault{})
	return f.Since, g.RowsAffected > 0, classify(g.Error, "")
}

// CreditorExists reports whether there is a creditor. Unlike Creditor it needs no row that can be read.
func (r reads) CreditorExists(ctx context.Context, id int64) (there bool, err error) {
	err = r.each(ctx, "SELECT EXISTS (SELECT 1 FROM creditors WHERE id = ?)", []any{id}, func() {}, &there)
	return there, err
}
