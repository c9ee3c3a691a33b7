package store

import (
	"context"

	"gorm.io/gorm/clause"
)

// setting is one fact of the installation.
type setting struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

// Setting returns a fact of the installation, empty where it was never set.
func (r reads) Setting(ctx context.Context, name string) (string, error) {
	var rows []setting
	err := r.with(ctx).Where("name = ?", name).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return "", classify(err, "")
	}
	return rows[0].Value, nil
}

// SetSetting keeps a fact of the installation.
func (tx *Tx) SetSetting(ctx context.Context, name, value string) error {
	return classify(tx.with(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&setting{name, value}).Error, "")
}
