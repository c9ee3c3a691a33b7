package store

import (
	"context"

	"gorm.io/gorm/clause"

	"purr/models"
)

// DunningRules returns the figures of the law that were set for the creditor or, under creditor 0, for all creditors. They
// come in order of kind and date.
func (r reads) DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error) {
	return dunningRules.all(ctx, r, creditorID)
}

var dunningRules = selecting[models.DunningRule]("FROM dunning_rules WHERE creditor_id IN (0, ?) ORDER BY kind, from_date, creditor_id")

// SetDunningRule writes a figure of the law and sets its CreatedAt. It replaces a figure of the same creditor, kind and
// date.
func (tx *Tx) SetDunningRule(ctx context.Context, rule *models.DunningRule) error {
	rule.CreatedAt = tx.Now
	on := clause.OnConflict{
		Columns:   []clause.Column{{Name: "creditor_id"}, {Name: "kind"}, {Name: "from_date"}},
		DoUpdates: clause.AssignmentColumns([]string{"value", "source", "set_by", "created_at"}),
	}
	return tx.insertOr(ctx, rule, on)
}

// DeleteDunningRule deletes a figure of the law that was set for the creditor, or for all under creditor 0. It reports
// whether there was one.
func (tx *Tx) DeleteDunningRule(ctx context.Context, creditorID int64, kind models.RuleKind, from models.Date) (bool, error) {
	g := tx.with(ctx).Where("creditor_id = ? AND kind = ? AND from_date = ?", creditorID, kind, from).Delete(&models.DunningRule{})
	return g.RowsAffected > 0, classify(g.Error, "")
}

// dunningRuleWarning keeps that a creditor was warned of a period without a figure. FromDate is its first day.
type dunningRuleWarning struct {
	CreditorID int64           `gorm:"primaryKey"`
	Kind       models.RuleKind `gorm:"primaryKey"`
	FromDate   models.Date     `gorm:"primaryKey"`
}

// RecordRuleWarning keeps that the creditor is warned of a period without a figure of the kind. The period begins
// on the date. It reports false if that warning was kept before.
func (tx *Tx) RecordRuleWarning(ctx context.Context, creditorID int64, kind models.RuleKind, from models.Date) (bool, error) {
	return tx.insertIgnoring(ctx, &dunningRuleWarning{creditorID, kind, from})
}
