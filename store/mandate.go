package store

import (
	"context"

	"gorm.io/gorm/clause"

	"purr/models"
)

// Mandates returns a page of the creditor's mandates of AvtaleGiro, those that ended too, in order of ID, and the number of all (rule G2).
func (r reads) Mandates(ctx context.Context, creditorID int64, p Page) ([]models.Mandate, int64, error) {
	return find[models.Mandate](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// CountMandates returns how many mandates of the creditor have not ended.
func (r reads) CountMandates(ctx context.Context, creditorID int64) (int64, error) {
	return count(r.with(ctx).Model(&models.Mandate{}).Where("creditor_id = ? AND ended_on IS NULL", creditorID))
}

// MandatesOfCustomers returns the mandates of the creditor's customers that have not ended, by the customer's ID, the oldest first.
func (r reads) MandatesOfCustomers(ctx context.Context, creditorID int64, customerIDs []int64) (map[int64][]models.Mandate, error) {
	if len(customerIDs) == 0 {
		return nil, nil
	}
	live := r.with(ctx).Where("customer_id IN ? AND customer_id <> 0 AND creditor_id = ? AND ended_on IS NULL", customerIDs, creditorID).Order("id")
	return readGroups(live, func(m models.Mandate) int64 { return m.CustomerID })
}

// MandatesByID returns the creditor's mandates with the IDs, by ID.
func (r reads) MandatesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Mandate, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(m models.Mandate) int64 { return m.ID })
}

// KeepMandates writes mandates of the creditor as the bank tells of them: one that is there, by account and KID, is changed.
func (tx *Tx) KeepMandates(ctx context.Context, creditorID int64, mandates []models.Mandate) error {
	if len(mandates) == 0 {
		return nil
	}
	for i := range mandates {
		mandates[i].CreditorID, mandates[i].CreatedAt = creditorID, tx.Now
	}
	return tx.insertOr(ctx, &mandates, clause.OnConflict{
		Columns:   []clause.Column{{Name: "creditor_id"}, {Name: "account"}, {Name: "kid"}},
		DoUpdates: clause.AssignmentColumns([]string{"customer_id", "notice", "since", "ended_on"}),
	})
}

// MandatesOn returns the creditor's mandates on an account that have not ended, in order of ID.
func (r reads) MandatesOn(ctx context.Context, creditorID int64, account string) ([]models.Mandate, error) {
	return readAll[models.Mandate](r.with(ctx).Where("creditor_id = ? AND account = ? AND ended_on IS NULL", creditorID, account).Order("id"))
}

// EndMandates ends those of the creditor's mandates with the IDs that have not ended, on a day, and returns how many these were.
func (tx *Tx) EndMandates(ctx context.Context, creditorID int64, ids []int64, on models.Date) (int64, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	return tx.setSome(ctx, &models.Mandate{}, map[string]any{"ended_on": on}, "id IN ? AND creditor_id = ? AND ended_on IS NULL", ids, creditorID)
}

// EndAllMandates ends the creditor's mandates that have not ended, on a day.
func (tx *Tx) EndAllMandates(ctx context.Context, creditorID int64, on models.Date) error {
	return tx.set(ctx, &models.Mandate{}, map[string]any{"ended_on": on}, "creditor_id = ? AND ended_on IS NULL", creditorID)
}
