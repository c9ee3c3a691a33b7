package billing

import (
	"context"
	"errors"

	"purr/models"
	"purr/store"
)

// address gives the invoices their recipients: existing customers and new ones. It locks existing customers, so
// that nobody deletes them meanwhile. It refuses a request that does not suit its customer.
func address(ctx context.Context, tx *store.Tx, c models.Creditor, orders []InvoiceRequest, issued []Issued) error {
	if err := addressKnown(ctx, tx, c, orders, issued); err != nil {
		return err
	}
	var fresh []models.Customer
	var of []*models.Invoice
	for i, o := range orders {
		if issued[i].Err == nil && o.NewCustomer != nil {
			issued[i].Invoice.Recipient = o.NewCustomer.Recipient
			issued[i].Err = o.FaultsOfRecipient(c, o.NewCustomer.Recipient, true).ErrorOrNil()
		}
		if issued[i].Err == nil && o.Accept != nil {
			issued[i].Shipments = shipmentsOf(issued[i].Invoice, o)
			issued[i].Err = o.Accept(issued[i])
		}
		if issued[i].Err != nil || o.NewCustomer == nil {
			continue
		}
		customer := *o.NewCustomer
		customer.CreditorID = c.ID
		fresh, of = append(fresh, customer), append(of, &issued[i].Invoice)
	}
	if err := tx.CreateCustomers(ctx, fresh); err != nil {
		return atRecipient(err)
	}
	for i, customer := range fresh {
		addressTo(of[i], customer)
	}
	return nil
}

// addressTo lets an invoice show the customer as it is now.
func addressTo(i *models.Invoice, customer models.Customer) {
	i.CustomerID, i.Recipient, i.Language = customer.ID, customer.Recipient, customer.DocumentLanguage()
}

func addressKnown(ctx context.Context, tx *store.Tx, c models.Creditor, orders []InvoiceRequest, issued []Issued) error {
	var ids []int64
	for i, o := range orders {
		if issued[i].Err == nil && o.NewCustomer == nil {
			ids = append(ids, o.CustomerID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	recipients, err := tx.LockRecipients(ctx, c.ID, ids)
	if err != nil {
		return err
	}
	for i, o := range orders {
		if issued[i].Err != nil || o.NewCustomer != nil {
			continue
		}
		customer, found := recipients[o.CustomerID]
		if !found {
			missing := models.NotFound("customer") // the answer is the same for another creditor's customer (rule D2)
			missing.Field = "recipient"
			issued[i].Err = missing
			continue
		}
		issued[i].Err = o.FaultsOfRecipient(c, customer.Recipient, false).ErrorOrNil()
		addressTo(&issued[i].Invoice, customer)
	}
	return nil
}

// atRecipient returns a fault of a new customer with its field as the request names it.
func atRecipient(err error) error {
	var fault *models.Error
	if errors.As(err, &fault) && fault.Field != "" {
		fault.Field = "recipient/" + fault.Field
	}
	return err
}
