package operator

import (
	"context"
	"crypto/rand"

	"purr/models"
	"purr/store"
)

// CreateCreditor writes a new creditor, with the defaults for what is not set. It fails where a field is
// wrong, or where the name or the bank account is another's.
func (o *Operator) CreateCreditor(ctx context.Context, c *models.Creditor) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return o.DB.InTx(ctx, func(tx *store.Tx) error { return tx.CreateCreditor(ctx, c) })
}

// ChangeCreditor lets change set fields of the creditor with the name or number, and returns the creditor.
// It fails, changing nothing, where change does, where a field is wrong or the policy outside the law.
func (o *Operator) ChangeCreditor(ctx context.Context, nameOrNumber string, change func(*models.Creditor) error) (models.Creditor, error) {
	found, err := o.Creditor(ctx, nameOrNumber)
	if err != nil {
		return models.Creditor{}, err
	}
	var c models.Creditor
	err = o.DB.InTx(ctx, func(tx *store.Tx) error {
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
		rules, err := o.Rules.For(ctx, tx, c.ID)
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

// CreateKey makes an API key of a creditor, as OneCreditor finds it, and returns the key, which is not
// kept (rule D3).
func (o *Operator) CreateKey(ctx context.Context, creditor string, scope models.Scope, name string) (string, error) {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return "", err
	}
	secret := "purr_" + rand.Text()
	key := models.Key{CreditorID: c.ID, Name: name, Scope: scope, Hash: models.HashKey(secret)}
	return secret, o.DB.InTx(ctx, func(tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
}

// RevokeKey revokes a key of a creditor, as OneCreditor finds it.
func (o *Operator) RevokeKey(ctx context.Context, creditor string, id int64) error {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return err
	}
	return o.DB.InTx(ctx, func(tx *store.Tx) error { return tx.RevokeKey(ctx, c.ID, id) })
}

// FirstKey creates a creditor named default with an admin key, and returns the key (rule R5a). Where there
// is a creditor already it does nothing and returns no key.
func (o *Operator) FirstKey(ctx context.Context) (string, error) {
	creditors, err := o.DB.Creditors(ctx)
	if err != nil || len(creditors) > 0 {
		return "", err
	}
	c := models.NewCreditor("default")
	if err := o.CreateCreditor(ctx, &c); err != nil {
		return "", err
	}
	return o.CreateKey(ctx, c.Name, models.ScopeAdmin, "first")
}
