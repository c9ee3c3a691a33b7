package dunning

import (
	"context"
	"encoding/json"
	"fmt"

	"purr/models"
	"purr/store"
)

// act is what an event keeps, for programs, about a person's act.
type act struct {
	Reason  string `json:"reason,omitempty"` // of a closing or a hold
	Until   string `json:"until,omitempty"`  // a date
	Comment string `json:"comment,omitempty"`
	Actor   string `json:"actor,omitempty"`
}

// onInvoice writes a locked invoice after the act, and the act's event.
func (a act) onInvoice(ctx context.Context, tx *store.Tx, t models.EventType, i models.Invoice, text string) error {
	if err := tx.UpdateInvoice(ctx, i); err != nil {
		return err
	}
	return a.log(ctx, tx, models.Event{CreditorID: i.CreditorID, Type: t, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID, Text: text})
}

// onCustomer writes a locked customer after the act, and the act's event.
func (a act) onCustomer(ctx context.Context, tx *store.Tx, t models.EventType, c models.Customer, text string) error {
	if err := tx.UpdateCustomer(ctx, &c); err != nil {
		return err
	}
	return a.log(ctx, tx, models.Event{CreditorID: c.CreditorID, Type: t, CustomerID: c.ID, SubjectID: c.ID, Text: text})
}

// log writes the event of an act: the text, who did it, and the comment.
func (a act) log(ctx context.Context, tx *store.Tx, e models.Event) error {
	e.Actor = a.Actor
	if a.Actor != "" {
		e.Text += ", by " + a.Actor
	}
	if a.Comment != "" {
		e.Text += ": " + a.Comment
	}
	if a != (act{}) {
		data, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("describe what was done: %w", err)
		}
		e.Data = string(data)
	}
	return tx.Log(ctx, e)
}

// lockInvoice locks a creditor's invoice for an act. It returns the invoice and today in the creditor's time zone.
func lockInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64) (models.Invoice, models.Date, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Invoice{}, 0, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return models.Invoice{}, 0, err
	}
	return invoice, today, nil
}
