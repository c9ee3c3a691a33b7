package register

import (
	"context"
	"crypto/rand"
	"fmt"

	"purr/models"
	"purr/store"
)

// CreateKey makes an API key for a creditor and returns the key. The database holds only its hash (rule D3). The name
// says what the key is for.
func CreateKey(ctx context.Context, tx *store.Tx, creditorID int64, scope models.Scope, name, actor string) (string, error) {
	name = models.OneLine(name)
	if err := models.ValidateKeyName(name); err != nil {
		return "", err
	}
	secret := "purr_" + rand.Text()
	key := models.Key{CreditorID: creditorID, Name: name, Scope: scope, Hash: models.HashKey(secret)}
	if err := tx.CreateKey(ctx, &key); err != nil {
		return "", err
	}
	if err := logKey(ctx, tx, models.EventKeyCreated, key, actor, "created by "+actor); err != nil {
		return "", err
	}
	return secret, nil
}

// RevokeKey revokes a creditor's API key at once. It fails with models.KindNotFound if there is no such key, or if it
// is revoked already. seen is what the person saw of the key (store's Look), if he looked: if somebody has revoked it since,
// RevokeKey fails with the conflict changed_meanwhile (rule D115).
func RevokeKey(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string, seen ...models.Seen) error {
	if err := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingKey, ID: id}, seen...); err != nil {
		return err
	}
	if err := tx.RevokeKey(ctx, creditorID, id); err != nil {
		return err
	}
	keys, err := tx.Keys(ctx, creditorID)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if key.ID == id {
			return logKey(ctx, tx, models.EventKeyRevoked, key, actor, "revoked by "+actor)
		}
	}
	return models.NotFound("key in force")
}

func logKey(ctx context.Context, tx *store.Tx, t models.EventType, k models.Key, actor, done string) error {
	return tx.Log(ctx, models.Event{
		CreditorID: k.CreditorID, Type: t, Actor: actor, SubjectID: k.ID, Text: fmt.Sprintf("API key %d (%s) of scope %s %s", k.ID, k.Name, k.Scope, done),
		Facts: models.Facts{"name": k.Name, "scope": k.Scope},
	})
}
