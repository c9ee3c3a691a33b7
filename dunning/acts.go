package dunning

import (
	"context"
	"encoding/json"
	"fmt"

	"purr/models"
	"purr/store"
)

// act is what an event keeps, for programs, of what a person did.
type act struct {
	Reason  string `json:"reason,omitempty"` // of a closing or a hold
	Until   string `json:"until,omitempty"`  // a date
	Comment string `json:"comment,omitempty"`
	Actor   string `json:"actor,omitempty"`
}

// logOf writes the event of an act on an invoice: the text, who did it, and the comment.
func (a act) logOf(ctx context.Context, tx *store.Tx, t models.EventType, invoice models.Invoice, text string) error {
	return a.log(ctx, tx, models.Event{
		CreditorID: invoice.CreditorID, Type: t, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID, Text: text,
	})
}

// log writes the event of an act.
func (a act) log(ctx context.Context, tx *store.Tx, e models.Event) error {
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

// lockInvoice locks a creditor's invoice for an act, and returns it with the creditor's day.
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
