package operator

import (
	"context"

	"purr/models"
	"purr/register"
	"purr/store"
)

// CreateCreditor writes a new creditor, with the default for each field that is not set. It fails if a field is wrong,
// or if another creditor has the name or the bank account.
func (o *Operator) CreateCreditor(ctx context.Context, c *models.Creditor) error {
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return register.CreateCreditor(ctx, tx, c, o.Actor) })
}

// ChangeCreditor calls change to set fields of the creditor with the name or number, and returns the creditor. It
// changes nothing and fails if change fails, if a field is wrong, or if the policy is outside the law.
func (o *Operator) ChangeCreditor(ctx context.Context, nameOrNumber string, change func(*models.Creditor) error) (models.Creditor, error) {
	c, err := o.Creditor(ctx, nameOrNumber)
	if err != nil {
		return models.Creditor{}, err
	}
	maxFee, err := o.maxFee(ctx, c)
	if err != nil {
		return models.Creditor{}, err
	}
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Creditor, error) {
		return register.SetCreditor(ctx, tx, c.ID, maxFee, o.Actor, change)
	})
}

// CreateKey makes an API key for a creditor and returns the key. The database holds only its hash (rule D3).
// OneCreditor says how creditor names one.
func (o *Operator) CreateKey(ctx context.Context, creditor string, scope models.Scope, name string) (string, error) {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return "", err
	}
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (string, error) {
		return register.CreateKey(ctx, tx, c.ID, scope, name, o.Actor)
	})
}

// RevokeKey revokes a key of a creditor. OneCreditor says how creditor names one.
func (o *Operator) RevokeKey(ctx context.Context, creditor string, id int64) error {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return err
	}
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return register.RevokeKey(ctx, tx, c.ID, id, o.Actor) })
}

// FirstKey creates a creditor named default with an admin key, and returns the key (rule R5a). If there is a creditor
// already, it does nothing and returns no key. Each keep gets the key before the two are there for good: if one fails, neither is.
func (o *Operator) FirstKey(ctx context.Context, keep ...func(key string) error) (string, error) {
	creditors, err := o.DB.SomeCreditors(ctx, 1)
	if err != nil || len(creditors) > 0 {
		return "", err
	}
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (string, error) {
		c := models.NewCreditor(models.UnnamedCreditor)
		if err := register.CreateCreditor(ctx, tx, &c, o.Actor); err != nil {
			return "", err
		}
		key, err := register.CreateKey(ctx, tx, c.ID, models.ScopeAdmin, "first", o.Actor)
		if err != nil {
			return "", err
		}
		for _, k := range keep {
			if err := k(key); err != nil {
				return "", err
			}
		}
		return key, nil
	})
}
