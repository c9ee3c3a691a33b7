package dispatch

import (
	"context"

	"purr/documents"
	"purr/models"
	"purr/register"
	"purr/store"
)

// decide decides by which method a shipment goes for which models.Auto was asked: eFaktura is tried where it is set up (rule E20), else see
// models.Shipment.Decide. It fails with models.KindUnavailable while the network does not tell.
func (d *Dispatcher) decide(ctx context.Context, s models.Shipment) (models.ShipmentMethod, error) {
	if d.Ways.Real(models.ByEFaktura) && s.MayTryEFaktura() {
		return models.ByEFaktura, nil
	}
	receives, err := d.receives(ctx, s)
	if err != nil {
		return "", err
	}
	return s.Decide(receives), nil
}

// receives returns yes or no: whether a shipment can go by EHF, and its recipient receives documents of its kind. It asks the
// network unless it has told lately, and keeps with the customer what it told.
func (d *Dispatcher) receives(ctx context.Context, s models.Shipment) (models.Receives, error) {
	creditor, err := d.DB.Creditor(ctx, s.CreditorID)
	if err != nil {
		return "", err
	}
	rows, err := documents.Read(ctx, d.DB, s.CreditorID, s.Document())
	if err != nil {
		return "", err
	}
	shown, err := d.Documents.Seller(ctx, creditor, s.Document())
	if err != nil {
		return "", err
	}
	if d.Lookup == nil || models.LacksForEHF(creditor.As(shown), s.Recipient, rows.Invoice.Order) != nil {
		return models.ReceivesNo, nil //nolint:nilerr // what lacks is why it cannot
	}
	customer, err := d.DB.Customer(ctx, s.CreditorID, rows.Invoice.CustomerID)
	if err != nil {
		return "", err
	}
	number := s.Recipient.OrganisationNumber
	if told := customer.Reception; told.Known(number, d.Clock.Now()) {
		return told.Of(s.DocumentKind), nil
	}
	told, why := d.Lookup.Ask(ctx, number)
	if why != nil {
		told = models.UnknownReception(number)
	}
	err = d.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := register.NoteReception(ctx, tx, s.CreditorID, customer.ID, told)
		return err
	})
	if err != nil {
		return "", err
	}
	if told.Of(s.DocumentKind) == models.ReceivesUnknown {
		return "", &models.Error{Kind: models.KindUnavailable, Code: "unavailable", Msg: "it is not known whether the customer receives EHF", Err: why}
	}
	return told.Of(s.DocumentKind), nil
}
