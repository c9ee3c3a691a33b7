package amends

import (
	"context"

	"purr/models"
	"purr/store"
)

// tell owes the customer a letter that says what was wrong, and how much comes back. It goes as the last letter on the invoice went, and where the
// customer lacks that address by e-mail or on paper. A customer who was forgotten, or who has neither, hears nothing.
func tell(ctx context.Context, tx *store.Tx, d Done, today models.Date) (models.ShipmentMethod, error) {
	customer, err := tx.LockCustomer(ctx, d.Invoice.CreditorID, d.Invoice.CustomerID)
	if err != nil || customer.ForgottenAt != nil {
		return "", err
	}
	method, err := methodFor(ctx, tx, d, customer.Recipient)
	if err != nil || method == "" {
		return "", err
	}
	letter := models.NewShipment(d.Invoice.CreditorID, d.Invoice.Document(), models.TellsOfCorrection, method, customer.Recipient)
	letter.Correction = models.Correction{Day: today, Back: d.Back(), Owed: d.Invoice.Balance, Collection: d.HandOver}
	for _, w := range d.Wrongs {
		letter.Correction.Wrongs = append(letter.Correction.Wrongs, models.CorrectedWrong{Text: w.Finding.Text(d.Invoice.Language), Fee: w.Fee, Interest: w.Interest})
	}
	if len(d.Warnings) > 0 {
		letter.Correction.Withdrawn = d.Warnings[len(d.Warnings)-1].IssueDate
	}
	return method, tx.CreateShipments(ctx, []models.Shipment{letter})
}

func methodFor(ctx context.Context, tx *store.Tx, d Done, to models.Recipient) (models.ShipmentMethod, error) {
	methods := []models.ShipmentMethod{models.ByPaper, models.ByEmail}
	notices, err := tx.NoticesOf(ctx, d.Invoice.ID)
	if err != nil {
		return "", err
	}
	if len(notices) > 0 {
		sent, err := tx.ShipmentsOf(ctx, notices[len(notices)-1].SentAs())
		if err != nil {
			return "", err
		}
		for _, s := range sent {
			if s.Role() == models.Original && s.Method == models.ByEmail && s.State.HasLeft() {
				methods = []models.ShipmentMethod{models.ByEmail, models.ByPaper}
			}
		}
	}
	for _, m := range methods {
		if m.LacksAddress(to, "shipment_method") == nil {
			return m, nil
		}
	}
	return "", nil
}
