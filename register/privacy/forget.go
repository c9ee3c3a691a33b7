package privacy

import (
	"context"

	"purr/models"
	"purr/store"
)

// Forget forgets a creditor's customer, and returns what is left of it (rule O14). It fails with the conflict documents_open while
// something is not closed, and with bookkeeping while documents must be kept, unless a person insists (of.Despite). A customer who was
// forgotten before stays so: nothing is told, and what has come since goes too, where nothing refuses it. of.Again refuses nothing: in a
// database that is lost by now the customer was forgotten.
func Forget(ctx context.Context, tx *store.Tx, c models.Creditor, id int64, of models.Forgetting, actor string) (models.Customer, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Customer{}, err
	}
	before := models.Customer{}
	customer, done, err := tx.Forget(ctx, c.ID, id, of, today, func(ctx context.Context, customer models.Customer) (bool, error) {
		before = customer
		affairs, err := tx.Affairs(ctx, c.ID, id, c.DisplayZone())
		if err != nil {
			return false, err
		}
		refusal := affairs.Refusal(today, of.Despite)
		if customer.ForgottenAt != nil {
			return refusal == nil && affairs.Newest >= models.DateOf(customer.ForgottenAt.In(c.DisplayZone())), nil
		}
		if of.Again {
			return true, nil
		}
		return refusal == nil, refusal
	})
	if err != nil || !done || before.ForgottenAt != nil {
		return customer, err
	}
	return customer, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventCustomerForgotten, Actor: actor, CustomerID: id, SubjectID: id,
		Text: "Customer forgotten by " + actor, Facts: models.Facts{"customer": id},
	})
}
