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
	customer.Recipient.Email = cmp.Or(email, customer.Recipient.Email)
	switch to := customer.Recipient.Email; {
	case to == "":
		return models.Shipment{}, models.Invalid("email_required", "email", "the customer has no e-mail address")
	case len(to) > models.MaxEmail || !models.ValidEmail(to):
		return models.Shipment{}, models.Invalid("invalid_email", "email", "is not a valid e-mail address")
	}
	invoiced, err := tx.HasInvoices(ctx, customerID)
	if err != nil {
		return models.Shipment{}, err
	}
	if !invoiced {
		return models.Shipment{}, models.Conflict("no_invoices", "the customer never got an invoice")
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
	if s.SellerID, err = tx.KeepSeller(ctx, c.ID, c.Seller()); err != nil {
		return models.Shipment{}, err
	}
	if err := tx.CreateStatement(ctx, &s); err != nil {
		return models.Shipment{}, err
	}
	owed := []models.Shipment{{CreditorID: c.ID, DocumentKind: models.StatementDocument, DocumentID: s.ID, Method: models.ByEmail, Recipient: customer.Recipient}}
	if err := tx.CreateShipments(ctx, owed); err != nil {
		return models.Shipment{}, err
	}
	facts := models.Facts{"to": s.ToDate}
	text := fmt.Sprintf("Statement until %s is sent to the customer by e-mail, by %s", s.ToDate, actor)
	if s.FromDate != 0 {
		facts["from"] = s.FromDate
		text = fmt.Sprintf("Statement from %s until %s is sent to the customer by e-mail, by %s", s.FromDate, s.ToDate, actor)
	}
	return owed[0], tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventStatementCreated, Actor: actor, CustomerID: customerID, SubjectID: s.ID, Text: text, Facts: facts})
}
