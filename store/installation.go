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
	row, _, err := settingByName.first(ctx, r, name)
	if err != nil {
		return "", err
	}
	return row.Value, nil
}

var settingByName = selecting[setting]("FROM settings WHERE name = ?")

// SetSetting keeps a fact of the installation.
func (tx *Tx) SetSetting(ctx context.Context, name, value string) error {
	return tx.insertOr(ctx, &setting{name, value}, clause.OnConflict{UpdateAll: true})
}

// InstallationID returns what tells this installation from all others, and makes it if it was never asked for. Copies
// of an installation have the same.
func (db *DB) InstallationID(ctx context.Context) (string, error) {
	return db.drawn(ctx, "installation")
}

// BounceKey returns the key that proves which delivery reports answer this installation's e-mails (rule S3a), and makes it
// if it was never asked for. It is as secret as the rest of the database.
func (db *DB) BounceKey(ctx context.Context) (string, error) { return db.drawn(ctx, "bounce_key") }

// FormKey returns the key that seals the forms which the console's sign-in carries (rule D116), and makes it if it was never asked
// for. It is as secret as the rest of the database.
func (db *DB) FormKey(ctx context.Context) (string, error) { return db.drawn(ctx, "form_key") }

// drawn returns a fact that is drawn at random when it is first asked for. Whoever asks at the same moment gets the same.
func (db *DB) drawn(ctx context.Context, name string) (string, error) {
	if value, err := db.Setting(ctx, name); err != nil || value != "" {
		return value, err
	}
	made := setting{name, rand.Text()}
	err := db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.insertOr(ctx, &made, clause.OnConflict{DoNothing: true})
	})
	if err != nil {
		return "", err
	}
	return db.Setting(ctx, name) // that of who was first
}

// HasWorked reports whether a part has ever worked on the installation: there is a run, an invoice, a customer or a payment file.
func (r reads) HasWorked(ctx context.Context) (bool, error) {
	for _, table := range []string{"runs", "invoices", "customers", "payment_files"} {
		n, err := scan[int64](r.with(ctx).Raw("SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " LIMIT 1) AS first"))
		if err != nil || n > 0 {
			return err == nil, err
		}
	}
	return false, nil
}
