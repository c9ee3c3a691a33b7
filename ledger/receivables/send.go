package receivables

import (
	"cmp"
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// Send has a customer's statement for a period sent by e-mail: to the customer's address, unless another is given (rule
// L16). An open end is that of ReadStatement, whose refusals it has. It also fails with models.KindInvalid without a valid
// address, and with the conflict no_invoices for a customer who never got an invoice.
func Send(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, d store.Dates, email, actor string) (models.Shipment, error) {
	customer, err := tx.LockCustomer(ctx, c.ID, customerID)
	if err != nil {
		return models.Shipment{}, err
	}
	if customer.ForgottenAt != nil {
		return models.Shipment{}, models.ErrForgotten
	}
	customer.Recipient.Email = cmp.Or(email, customer.Recipient.Email)
	if err := sendable(ctx, tx, customer); err != nil {
		return models.Shipment{}, err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Shipment{}, err
	}
	shown, err := ReadStatement(ctx, tx.View(), c.ID, customerID, d, today)
	if err != nil {
		return models.Shipment{}, err
	}
	s := models.SentStatement{CreditorID: c.ID, CustomerID: customerID, FromDate: shown.From, ToDate: shown.To}
	owed, err := owe(ctx, tx, c, &s, customer.Recipient)
	if err != nil {
		return models.Shipment{}, err
	}
	return owed, tx.Log(ctx, created(s, actor))
}

// owe writes a statement, and that it is to be sent.
func owe(ctx context.Context, tx *store.Tx, c models.Creditor, s *models.SentStatement, to models.Recipient) (models.Shipment, error) {
	var err error
	if s.SellerID, err = tx.KeepSeller(ctx, c.ID, c.Seller()); err != nil {
		return models.Shipment{}, err
	}
	if err := tx.CreateStatement(ctx, s); err != nil {
		return models.Shipment{}, err
	}
	owed := []models.Shipment{models.NewShipment(c.ID, models.Document{Kind: models.StatementDocument, ID: s.ID}, models.Original, models.ByEmail, to)}
	if err := tx.CreateShipments(ctx, owed); err != nil {
		return models.Shipment{}, err
	}
	return owed[0], nil
}

// sendable returns nil if a customer can get a statement at the address, and why not otherwise.
func sendable(ctx context.Context, tx *store.Tx, customer models.Customer) error {
	switch to := customer.Recipient.Email; {
	case to == "":
		return models.Invalid("email_required", "email", "the customer has no e-mail address")
	case len(to) > models.MaxEmail || !models.ValidEmail(to):
		return models.Invalid("invalid_email", "email", "is not a valid e-mail address")
	}
	if invoiced, err := tx.HasInvoices(ctx, customer.ID); err != nil || invoiced {
		return err
	}
	return models.Conflict("no_invoices", "the customer never got an invoice")
}

// created returns the event of a statement that will be sent.
func created(s models.SentStatement, actor string) models.Event {
	facts := models.Facts{"to": s.ToDate}
	text := fmt.Sprintf("Statement until %s is sent to the customer by e-mail, by %s", s.ToDate, actor)
	if s.FromDate != 0 {
		facts["from"] = s.FromDate
		text = fmt.Sprintf("Statement from %s until %s is sent to the customer by e-mail, by %s", s.FromDate, s.ToDate, actor)
	}
	return models.Event{CreditorID: s.CreditorID, Type: models.EventStatementCreated, Actor: actor, CustomerID: s.CustomerID, SubjectID: s.ID, Text: text, Facts: facts}
}
