package dunning

import (
	"context"

	"purr/models"
	"purr/store"
)

// wantAddress tells a person, once, that a customer's notices wait for its address (rule L6).
func wantAddress(ctx context.Context, tx *store.Tx, customer models.Customer, today models.Date) error {
	fresh, err := tx.WantAddress(ctx, customer.CreditorID, customer.ID, today)
	if err != nil || !fresh {
		return err
	}
	lacks := "address1"
	if customer.Recipient.Addressed() {
		lacks = "e-mail address" // reminders go by e-mail (rule L22)
	}
	return tx.Log(ctx, models.Event{
		CreditorID: customer.CreditorID, Type: models.EventAddressWanted, CustomerID: customer.ID, SubjectID: customer.ID,
		Text: "A notice waits for the customer's address: there is no " + lacks,
	})
}
