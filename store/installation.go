package store

import (
	"context"
	"crypto/rand"

	"gorm.io/gorm/clause"
)

// setting is one fact of the installation.
type setting struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

// Setting returns a fact of the installation, empty if it was never set.
func (r reads) Setting(ctx context.Context, name string) (string, error) {
	row, _, err := readFirst[setting](r.with(ctx).Where("name = ?", name))
	if err != nil {
		return "", err
	}
	return row.Value, nil
}

// SetSetting keeps a fact of the installation.
func (tx *Tx) SetSetting(ctx context.Context, name, value string) error {
	return classify(tx.with(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&setting{name, value}).Error, "")
}

// InstallationID returns what tells this installation from all others, and makes it if it was never asked for. Copies
// of an installation have the same.
func (db *DB) InstallationID(ctx context.Context) (id string, err error) {
	const name = "installation"
	if id, err = db.Setting(ctx, name); err != nil || id != "" {
		return id, err
	}
	made := rand.Text()
	err = db.InTx(ctx, func(tx *Tx) error {
		if id, err = tx.Setting(ctx, name); err != nil || id != "" {
			return err
		}
		id = made
		return tx.SetSetting(ctx, name, id)
	})
	return id, err
}
