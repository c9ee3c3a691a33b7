package register

import (
	"context"

	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// SetLogo lets all documents that a creditor issues from now on show a picture, given by the SHA-256 of what the archive keeps, or none if
// that is empty (rule L19). What was issued before stays as it is. The event has the old and the new SHA-256; of a logo that is so already
// there is none.
func SetLogo(ctx context.Context, tx *store.Tx, creditorID int64, sum, actor string) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil || before.Logo == sum {
		return before, err
	}
	c := before
	c.Logo = sum
	if err := payee.Write(ctx, tx, before, c); err != nil {
		return models.Creditor{}, err
	}
	changed := changed{{"logo", before.Logo, sum}}
	return c, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventCreditorChanged, Actor: actor, SubjectID: c.ID, Text: changed.text("Creditor changed by " + actor), Facts: changed.facts(),
	})
}
