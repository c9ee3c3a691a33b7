package store

import (
	"context"

	"gorm.io/gorm/clause"

	"purr/models"
)

// DunningRules returns the figures of the law that were set for the creditor alone and, as creditor 0's, for
// all of them, by kind and date.
func (r reads) DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error) {
	var rules []models.DunningRule
	err := r.with(ctx).Where("creditor_id IN ?", []int64{0, creditorID}).Order("kind, from_date, creditor_id").Find(&rules).Error
	return rules, classify(err, "")
}

// SetDunningRule writes a figure of the law in the place of the one, if any, of the same creditor, kind and
// date, and sets its CreatedAt.
func (tx *Tx) SetDunningRule(ctx context.Context, rule *models.DunningRule) error {
	rule.CreatedAt = tx.Now
	on := clause.OnConflict{
		Columns:   []clause.Column{{Name: "creditor_id"}, {Name: "kind"}, {Name: "from_date"}},
		DoUpdates: clause.AssignmentColumns([]string{"value", "source", "set_by", "created_at"}),
	}
	return classify(tx.with(ctx).Clauses(on).Create(rule).Error, "")
}

// DeleteDunningRule removes a figure of the law that was set for the creditor, 0 for all, and reports whether
// there was one.
func (tx *Tx) DeleteDunningRule(ctx context.Context, creditorID int64, kind models.RuleKind, from models.Date) (bool, error) {
	g := tx.with(ctx).Where("creditor_id = ? AND kind = ? AND from_date = ?", creditorID, kind, from).Delete(&models.DunningRule{})
	return g.RowsAffected > 0, classify(g.Error, "")
}

// dunningRuleWarning is a span of days without a figure, named by its first day, of which a creditor was warned.
type dunningRuleWarning struct {
	CreditorID int64           `gorm:"primaryKey"`
	Kind       models.RuleKind `gorm:"primaryKey"`
	FromDate   models.Date     `gorm:"primaryKey"`
}

// NoteRuleWarning notes that the creditor is warned of the days from a date on, for which there is no figure of
// a kind. It reports false where that was noted before.
func (tx *Tx) NoteRuleWarning(ctx context.Context, creditorID int64, kind models.RuleKind, from models.Date) (bool, error) {
	return tx.insertIgnoring(ctx, &dunningRuleWarning{creditorID, kind, from})
}
