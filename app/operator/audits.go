package operator

import (
	"context"

	"purr/audit/asked"
	"purr/dunning/amends"
	"purr/models"
	"purr/store"
)

// StartAudit audits letters of a creditor and keeps what is found (rule U5). after is called with the audit when it has begun. Its errors are those
// of asked.Start.
func (o *Operator) StartAudit(ctx context.Context, c models.Creditor, r asked.Request, after func(models.Audit)) (models.Audit, error) {
	r.Actor = o.Actor
	a, err := inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Audit, error) { return asked.Start(ctx, tx, c.ID, r) })
	if err != nil {
		return a, err
	}
	after(a)
	if err := asked.Do(ctx, o.DB, o.Rules, c.ID, a.ID); err != nil {
		return a, err
	}
	return o.DB.Audit(ctx, c.ID, a.ID)
}

// PreviewRepayment calls do with what there is to put right of what a kept audit found (rule U6).
func (o *Operator) PreviewRepayment(ctx context.Context, auditID int64, do func(amends.Amend)) error {
	c, err := o.creditorOfAudit(ctx, auditID)
	if err != nil {
		return err
	}
	return amends.Preview(ctx, o.DB, o.Rules, c, auditID, func(a amends.Amend) error {
		do(a)
		return nil
	})
}

// Repay puts right what a kept audit found (rule U6). It calls did with each invoice.
func (o *Operator) Repay(ctx context.Context, auditID int64, did func(amends.Done)) error {
	c, err := o.creditorOfAudit(ctx, auditID)
	if err != nil {
		return err
	}
	return amends.Repay(ctx, o.DB, o.Rules, c, auditID, o.Actor, did)
}

func (o *Operator) creditorOfAudit(ctx context.Context, auditID int64) (models.Creditor, error) {
	id, err := o.DB.CreditorOfAudit(ctx, auditID)
	if err != nil {
		return models.Creditor{}, err
	}
	return o.DB.Creditor(ctx, id)
}
