package dunning

import (
	"context"

	"purr/models"
	"purr/store"
)

// keepHold keeps that an invoice or, where that is zero, a customer was put on hold, and that an earlier hold has ended (rule N11). The
// caller has locked it.
func keepHold(ctx context.Context, tx *store.Tx, c models.Creditor, customerID, invoiceID int64, h models.Hold, actor string) error {
	today, err := c.Today(tx.Now)
	if err != nil {
		return err
	}
	if err := endHold(ctx, tx, c.ID, customerID, invoiceID, today, actor); err != nil {
		return err
	}
	s := models.StandstillOf(customerID, invoiceID, h)
	s.CreditorID, s.StartedBy = c.ID, actor
	return tx.StandStill(ctx, &s)
}

// endHold keeps that the hold of an invoice or of a customer, if it has one, has ended today.
func endHold(ctx context.Context, tx *store.Tx, creditorID, customerID, invoiceID int64, today models.Date, actor string) error {
	return tx.EndStandstill(ctx, creditorID, customerID, invoiceID, today, actor, models.StandsOnHold, models.StandsDisputed)
}
