package app

import (
	"context"
	"crypto/rand"
	"fmt"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// CreateCreditor writes a new creditor, with the defaults for what is not set. It fails where a field is
// wrong, or the name or bank account is another's.
func (a *App) CreateCreditor(ctx context.Context, c *models.Creditor) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return tx.CreateCreditor(ctx, c) })
}

// Creditor returns the creditor with the name or number. Where there is none the error says how to see which there are.
func (a *App) Creditor(ctx context.Context, nameOrNumber string) (models.Creditor, error) {
	c, err := a.DB.CreditorByName(ctx, nameOrNumber)
	if models.KindOf(err) == models.KindNotFound {
		err = fmt.Errorf("%w; purr creditor list shows which there are", err)
	}
	return c, err
}

// ChangeCreditor has change set fields of the creditor with the name or number, and returns it as it then
// is. It fails, changing nothing, where change does, a field is wrong then or the policy is outside the law.
func (a *App) ChangeCreditor(ctx context.Context, nameOrNumber string, change func(*models.Creditor) error) (models.Creditor, error) {
	found, err := a.Creditor(ctx, nameOrNumber)
	if err != nil {
		return found, err
	}
	var c models.Creditor
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		if c, err = tx.LockCreditor(ctx, found.ID); err != nil {
			return err
		}
		if err := change(&c); err != nil {
			return err
		}
		if err := c.Validate(); err != nil {
			return err
		}
		today, err := c.Today(tx.Now)
		if err != nil {
			return err
		}
		rules, err := dunning.RulesFor(ctx, a.Rules, tx, c.ID)
		if err != nil {
			return err
		}
		maxFee, _, _ := rules.MaxFee(today, today)
		if err := c.Policy.Validate(maxFee); err != nil {
			return err
		}
		return tx.UpdateCreditor(ctx, &c)
	})
	return c, err
}

// CreateKey makes an API key of the creditor with the name or number, and returns the key, which is not
// kept (rule D3).
func (a *App) CreateKey(ctx context.Context, creditor string, scope models.Scope, name string) (string, error) {
	c, err := a.Creditor(ctx, creditor)
	if err != nil {
		return "", err
	}
	secret := "purr_" + rand.Text()
	key := models.Key{CreditorID: c.ID, Name: name, Scope: scope, Hash: models.HashKey(secret)}
	return secret, a.DB.InTx(ctx, func(tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
}

// RevokeKey revokes a key of the creditor with the name or number.
func (a *App) RevokeKey(ctx context.Context, creditor string, id int64) error {
	c, err := a.Creditor(ctx, creditor)
	if err != nil {
		return err
	}
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return tx.RevokeKey(ctx, c.ID, id) })
}

// FirstKey creates a creditor named default and an admin key on an empty installation, and returns the
// key (rule R5a). On another it does nothing and returns no key.
func (a *App) FirstKey(ctx context.Context) (string, error) {
	creditors, err := a.DB.Creditors(ctx)
	if err != nil || len(creditors) > 0 {
		return "", err
	}
	c := models.NewCreditor("default")
	if err := a.CreateCreditor(ctx, &c); err != nil {
		return "", err
	}
	return a.CreateKey(ctx, c.Name, models.ScopeAdmin, "first")
}

// Verify proves the books of all creditors, and calls found for each thing that does not hold (rule R6).
func (a *App) Verify(ctx context.Context, found func(models.Creditor, ledger.Difference)) error {
	creditors, err := a.DB.Creditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range creditors {
		differences, err := ledger.Verify(ctx, a.DB, c)
		if err != nil {
			return err
		}
		for _, d := range differences {
			found(c, d)
		}
	}
	return nil
}

// RetryShipments has the shipments with the IDs, or all that failed where none is named, sent again, and
// returns how many there are (rule R5c).
func (a *App) RetryShipments(ctx context.Context, ids ...int64) (int, error) {
	if len(ids) == 0 {
		failed, err := a.DB.FailedShipments(ctx)
		if err != nil {
			return 0, err
		}
		for _, s := range failed {
			ids = append(ids, s.ID)
		}
	}
	for _, id := range ids {
		if err := a.DB.InTx(ctx, func(tx *store.Tx) error { return retryShipment(ctx, tx, id) }); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func retryShipment(ctx context.Context, tx *store.Tx, id int64) error {
	s, err := tx.LockShipment(ctx, id)
	if err != nil {
		return err
	}
	if s.State != models.ShipmentFailed {
		return models.Conflict("shipment_not_failed", "shipment %d is %s; only a failed one is sent again", id, s.State)
	}
	s.State, s.NextAttempt, s.FirstAttempt, s.Attempts = models.ShipmentOwed, tx.Now, nil, 0
	return tx.UpdateShipment(ctx, s)
}
