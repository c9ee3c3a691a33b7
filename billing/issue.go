package billing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Issue makes an invoice: a number from the gapless series, a KID, the recipient as it is now, exact
// amounts, its INVOICE entry and its shipments (rules D13 to D20). It fails with models.Errors where
// the order is wrong, in itself or for its customer.
func Issue(ctx context.Context, tx *store.Tx, c models.Creditor, o Order) (models.Invoice, error) {
	if faults := o.Validate(); len(faults) > 0 {
		return models.Invoice{}, faults
	}
	o.Lines = slices.Clone(o.Lines) // they are priced and stored in place, and the transaction may be made again
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice := models.Invoice{
		CreditorID: c.ID, IssueDate: today, DueDate: today + models.Date(o.NumDueDays), Deadline: today + models.Date(o.NumDueDays),
		NumDueDays: o.NumDueDays, Note: o.Note, BankAccount: c.BankAccount,
	}
	if err := price(ctx, tx, &invoice, o.Lines); err != nil {
		return models.Invoice{}, err
	}
	customer, err := recipient(ctx, tx, c.ID, o)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice.CustomerID, invoice.Recipient = customer.ID, customer.Recipient
	// The series is locked from here on: what follows is only what needs the number.
	if invoice.Number, invoice.KID, err = nextNumber(ctx, tx, c); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.CreateInvoice(ctx, &invoice, o.Lines); err != nil {
		return models.Invoice{}, err
	}
	return invoice, follow(ctx, tx, invoice, o)
}

// price prices the lines at the VAT percents of the issue date and sets the invoice's totals.
func price(ctx context.Context, tx *store.Tx, invoice *models.Invoice, lines []models.Line) error {
	rates, err := tx.VATRates(ctx, invoice.CreditorID)
	if err != nil {
		return err
	}
	var faults models.Errors
	for i := range lines {
		l := &lines[i]
		l.Position = i + 1
		l.VATPercent, _ = rates.At(l.VAT, invoice.IssueDate)
		if err := l.Price(); err != nil {
			faults.Add("amount_too_large", fmt.Sprintf("lines/line[%d]", i+1), "the line's amount is beyond %s", models.MaxAmount)
		}
	}
	if len(faults) > 0 {
		return faults
	}
	invoice.Net, invoice.Gross, err = models.Totals(lines)
	invoice.Balance = invoice.Gross
	return err
}

// recipient returns the order's customer, locked so that it is not deleted meanwhile, or makes it.
func recipient(ctx context.Context, tx *store.Tx, creditorID int64, o Order) (models.Customer, error) {
	if o.NewCustomer == nil {
		customer, err := tx.LockCustomer(ctx, creditorID, o.CustomerID)
		if models.KindOf(err) == models.KindNotFound {
			missing := models.NotFound("customer") // another creditor's is none either (rule D2)
			missing.Field = "recipient"
			return customer, missing
		}
		if err == nil {
			err = needEmail(o.Method, customer.Recipient, "recipient")
		}
		return customer, err
	}
	customer := *o.NewCustomer
	customer.CreditorID = creditorID
	if err := needEmail(o.Method, customer.Recipient, "recipient/email"); err != nil {
		return customer, err
	}
	err := tx.CreateCustomer(ctx, &customer)
	var taken *models.Error
	if errors.As(err, &taken) && taken.Field != "" {
		taken.Field = "recipient/" + taken.Field
	}
	if err != nil {
		return customer, err
	}
	return customer, tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventCustomerCreated, CustomerID: customer.ID, SubjectID: customer.ID, Text: "Customer created with an invoice",
	})
}

func needEmail(m models.ShipmentMethod, r models.Recipient, field string) error {
	if m == models.ByEmail && r.Email == "" {
		return models.Invalid("email_required", field, "delivery by EMAIL needs a customer with an e-mail address")
	}
	return nil
}

// follow writes what hangs on a new invoice: reference, entry, shipments and event.
func follow(ctx context.Context, tx *store.Tx, i models.Invoice, o Order) error {
	if err := tx.CreateReference(ctx, store.Reference{CreditorID: i.CreditorID, KID: i.KID, InvoiceID: i.ID}); err != nil {
		return err
	}
	if err := tx.CreateEntries(ctx, []models.Entry{ledger.Opening(i)}); err != nil {
		return err
	}
	if err := tx.CreateShipments(ctx, shipments(i, o)); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: i.CreditorID, Type: models.EventInvoiceCreated, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text: fmt.Sprintf("Invoice %d of %s to %s, due %s", i.Number, i.Gross, i.Recipient.Name1, i.DueDate),
	})
}

func shipments(i models.Invoice, o Order) []models.Shipment {
	ss := []models.Shipment{original(i.CreditorID, i.Document(), o.Method, i.Recipient)}
	for _, email := range o.Copies {
		copied := original(i.CreditorID, i.Document(), models.ByEmail, models.Recipient{Email: email})
		copied.Copy = true
		ss = append(ss, copied)
	}
	return ss
}

func original(creditorID int64, d models.Document, m models.ShipmentMethod, r models.Recipient) models.Shipment {
	return models.Shipment{CreditorID: creditorID, DocumentKind: d.Kind, DocumentID: d.ID, Method: m, Recipient: r}
}
