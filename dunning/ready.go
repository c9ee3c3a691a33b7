package dunning

import (
	"context"
	"strings"

	"purr/models"
	"purr/store"
)

// TellOfMissing logs what a creditor lacks for dunning, once for each set of missing elements (rule L8). c is the
// creditor as it was read before.
func TellOfMissing(ctx context.Context, tx *store.Tx, c models.Creditor) error {
	if strings.Join(c.MissingToDun(), " ") == c.ToldMissing {
		return nil
	}
	c, err := tx.LockCreditor(ctx, c.ID)
	if err != nil {
		return err
	}
	missing := c.MissingToDun()
	now := strings.Join(missing, " ")
	if now == c.ToldMissing {
		return nil
	}
	c.ToldMissing = now
	if err := tx.UpdateCreditor(ctx, &c); err != nil || len(missing) == 0 {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventNotReady, SubjectID: c.ID,
		Text:  "Dunning takes no step until the creditor is complete. Missing: " + strings.Join(missing, ", "),
		Facts: models.Facts{"missing": missing},
	})
}
