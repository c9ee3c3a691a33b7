package register

import (
	"cmp"
	"context"

	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// SeenLogo is how a creditor's logo looks.
func SeenLogo(c models.Creditor) models.Seen { return models.Seen(cmp.Or(c.Logo, "none")) }

// SetLogo lets all documents that a creditor issues from now on show a picture, given by the SHA-256 of what the archive keeps, or none if
// that is empty (rule L19). What was issued before stays as it is. The event has the old and the new SHA-256; of a logo that is so already
// there is none. seen is the logo that a person has looked at (SeenLogo), if he has: if it is another now, SetLogo fails with the conflict
// changed_meanwhile (rule D115).
func SetLogo(ctx context.Context, tx *store.Tx, creditorID int64, sum, actor string, seen ...models.Seen) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return before, err
	}
	if len(seen) > 0 {
		if err := tx.Same(ctx, creditorID, models.Thing{Kind: models.ThingSettings, ID: creditorID}, seen[0], SeenLogo(before)); err != nil {
			return models.Creditor{}, err
		}
	}
	if before.Logo == sum {
		return before, nil
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
