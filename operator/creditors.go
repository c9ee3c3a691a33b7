package operator

import (
	"context"

	"purr/models"
	"purr/register"
	"purr/store"
)

// CreateCreditor writes a new creditor, with the defaults for what is not set. It fails where a field is
// wrong, or where the name or the bank account is another's.
func (o *Operator) CreateCreditor(ctx context.Context, c *models.Creditor) error {
	return o.DB.InTx(ctx, func(tx *store.Tx) error { return register.CreateCreditor(ctx, tx, c, o.Actor) })
}

// ChangeCreditor lets change set fields of the creditor with the name or number, and returns the creditor.
// It fails, changing nothing, where change does, where a field is wrong or the policy outside the law.
func (o *Operator) ChangeCreditor(ctx context.Context, nameOrNumber string, change func(*models.Creditor) error) (models.Creditor, error) {
	c, err := o.Creditor(ctx, nameOrNumber)
	if err != nil {
		return models.Creditor{}, err
	}
	maxFee, err := o.maxFee(ctx, c)
	if err != nil {
		return models.Creditor{}, err
	}
	return inTx(ctx, o, func(tx *store.Tx) (models.Creditor, error) {
		return register.ChangeCreditor(ctx, tx, c.ID, maxFee, o.Actor, change)
	})
}

// CreateKey makes an API key of a creditor, as OneCreditor finds it, and returns the key, which is not
// kept (rule D3).
func (o *Operator) CreateKey(ctx context.Context, creditor string, scope models.Scope, name string) (string, error) {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return "", err
	}
	return inTx(ctx, o, func(tx *store.Tx) (string, error) { return register.CreateKey(ctx, tx, c.ID, scope, name, o.Actor) })
}

// RevokeKey revokes a key of a creditor, as OneCreditor finds it.
func (o *Operator) RevokeKey(ctx context.Context, creditor string, id int64) error {
	c, err := o.OneCreditor(ctx, creditor)
	if err != nil {
		return err
	}
	return o.DB.InTx(ctx, func(tx *store.Tx) error { return register.RevokeKey(ctx, tx, c.ID, id, o.Actor) })
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
