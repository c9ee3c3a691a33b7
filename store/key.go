package store

import (
	"context"
	"time"

	"purr/models"
)

// KeyCreditor is a key with its creditor. One statement reads both, because every request needs them.
type KeyCreditor struct {
	Creditor models.Creditor `gorm:"embedded"`
	Key      models.Key      `gorm:"embedded;embeddedPrefix:key_"`
}

// keysWhere begins the FROM of KeyCreditor's columns. The condition on the key and keysWithCreditors follow. Only the key's
// columns are renamed: MariaDB takes its time for each that is.
const (
	keysWhere = `FROM (SELECT id AS key_id, creditor_id AS key_creditor_id, name AS key_name, scope AS key_scope, hash AS key_hash,
	created_at AS key_created_at, last_used_at AS key_last_used_at, revoked_at AS key_revoked_at FROM api_keys WHERE `
	keysWithCreditors = `) AS found JOIN creditors ON creditors.id = key_creditor_id`
)

// KeyByHash returns the key with the hash, revoked or not, and its creditor.
func (r reads) KeyByHash(ctx context.Context, hash string) (models.Key, models.Creditor, error) {
	row, err := keyByHash.one(ctx, r, "key", hash)
	if err != nil {
		return models.Key{}, models.Creditor{}, err
	}
	return row.Key, row.Creditor, nil
}

var keyByHash = selecting[KeyCreditor](keysWhere + "hash = ?" + keysWithCreditors)

// KeysInForce returns those of the keys that are not revoked, each with its creditor, in order of ID.
func (r reads) KeysInForce(ctx context.Context, ids []int64) ([]KeyCreditor, error) {
	return readAll[KeyCreditor](r.with(ctx).Raw("SELECT * "+keysWhere+"id IN ? AND revoked_at IS NULL"+keysWithCreditors+" ORDER BY key_id", ids))
}

// Keys returns the creditor's keys, oldest first.
func (r reads) Keys(ctx context.Context, creditorID int64) ([]models.Key, error) {
	return readAll[models.Key](r.with(ctx).Where("creditor_id = ?", creditorID).Order("id"))
}

// CreateKey writes a new key and sets its ID and CreatedAt.
func (tx *Tx) CreateKey(ctx context.Context, k *models.Key) error {
	k.CreatedAt = tx.Now
	return tx.insert(ctx, k)
}

// RevokeKey revokes the creditor's key with the ID. It fails with models.KindNotFound if no such key is in force.
func (tx *Tx) RevokeKey(ctx context.Context, creditorID, id int64) error {
	n, err := tx.setSome(ctx, &models.Key{}, map[string]any{"revoked_at": tx.Now}, "creditor_id = ? AND id = ? AND revoked_at IS NULL", creditorID, id)
	if err == nil && n == 0 {
		return models.NotFound("key in force")
	}
	return err
}

// TouchKey keeps that the key was used at the moment.
func (tx *Tx) TouchKey(ctx context.Context, id int64, at time.Time) error {
	return tx.set(ctx, &models.Key{}, map[string]any{"last_used_at": at}, "id = ?", id)
}
