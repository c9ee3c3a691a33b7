package dunning

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// HoldInvoice stops automatic dunning of an invoice until a day, or until the hold is taken away (rule E2).
// It takes the place of a hold that the invoice has. A letter that is owed already still goes out, and
// notices can still be asked for.
func HoldInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, h models.Hold, actor string) (models.Invoice, error) {
	h, err := newHold(tx, c, h)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice.Hold = h
	if err := tx.FollowInvoice(ctx, invoice); err != nil {
		return models.Invoice{}, err
	}
	text := fmt.Sprintf("Dunning of invoice %d put on hold%s", invoice.Number, untilOf(h))
	return invoice, logAct(ctx, tx, models.EventHoldSet, invoice, text, actOfHold(h, actor))
}

// ReleaseInvoice takes an invoice's hold away (rule E2). Where there is none it does nothing.
func ReleaseInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string) error {
	today, err := c.Today(tx.Now)
	if err != nil {
		return err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil || !invoice.Hold.Active(today) {
		return err
	}
	invoice.Hold = models.Hold{}
	if err := tx.FollowInvoice(ctx, invoice); err != nil {
		return err
	}
	text := fmt.Sprintf("Hold on dunning of invoice %d taken away", invoice.Number)
	return logAct(ctx, tx, models.EventHoldRemoved, invoice, text, act{Actor: actor})
}

// HoldCustomer stops automatic dunning of all invoices of a customer, as HoldInvoice does of one.
func HoldCustomer(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, h models.Hold, actor string) (models.Customer, error) {
	h, err := newHold(tx, c, h)
	if err != nil {
		return models.Customer{}, err
	}
	customer, err := tx.LockCustomer(ctx, c.ID, customerID)
	if err != nil {
		return models.Customer{}, err
	}
	customer.Hold = h
	if err := tx.UpdateCustomer(ctx, &customer); err != nil {
		return models.Customer{}, err
	}
	text := "Dunning of the customer put on hold" + untilOf(h)
	return customer, actOfHold(h, actor).log(ctx, tx, customerEvent(models.EventHoldSet, customer, text))
}

// ReleaseCustomer takes a customer's hold away, as ReleaseInvoice does an invoice's.
func ReleaseCustomer(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, actor string) error {
	today, err := c.Today(tx.Now)
	if err != nil {
		return err
	}
	customer, err := tx.LockCustomer(ctx, c.ID, customerID)
	if err != nil || !customer.Hold.Active(today) {
		return err
	}
	customer.Hold = models.Hold{}
	if err := tx.UpdateCustomer(ctx, &customer); err != nil {
		return err
	}
	return act{Actor: actor}.log(ctx, tx, customerEvent(models.EventHoldRemoved, customer, "Hold on dunning of the customer taken away"))
}

// newHold returns the hold that is asked for, held. It fails where it is wrong on the creditor's day.
func newHold(tx *store.Tx, c models.Creditor, h models.Hold) (models.Hold, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return h, err
	}
	h.Held = true
	return h, h.Validate(today)
}

func untilOf(h models.Hold) string {
	if h.Until == 0 {
		return ""
	}
	return " until " + h.Until.String()
}

func actOfHold(h models.Hold, actor string) act {
	return act{Until: h.Until.String(), Comment: h.Comment, Actor: actor}
}

func customerEvent(t models.EventType, c models.Customer, text string) models.Event {
	return models.Event{CreditorID: c.CreditorID, Type: t, CustomerID: c.ID, SubjectID: c.ID, Text: text}
}
