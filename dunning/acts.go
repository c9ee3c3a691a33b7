package dunning

import (
	"context"

	"purr/models"
	"purr/store"
)

// act is what an event keeps about a person's act. Empty elements are no facts.
type act struct {
	Reason  string // of a closing or a hold
	Until   string // a date
	Comment string
	Actor   string
	Was     string // of a reopening: how the invoice was closed, or handed_over
	Forced  bool   // of a hand-over

	WrittenOff models.Amount // of a reopening: what a run had written off (rule L25)

	InterestWaived  bool                  // of more time
	Method          models.ShipmentMethod // of more time: how a letter tells of it
	LetterWithdrawn bool                  // of more time: the letter of the time that ends has not left, and does not leave
}

// onInvoice writes a locked invoice after the act, and the act's event.
func (a act) onInvoice(ctx context.Context, tx *store.Tx, t models.EventType, i models.Invoice, text string) error {
	if err := tx.UpdateInvoice(ctx, i); err != nil {
		return err
	}
	return a.log(ctx, tx, models.Event{
		CreditorID: i.CreditorID, Type: t, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID, Text: text,
		Facts: models.Facts{"invoice_number": i.Number, "balance": i.Balance},
	})
}

// onCustomer writes a locked customer after the act, and the act's event.
func (a act) onCustomer(ctx context.Context, tx *store.Tx, t models.EventType, c models.Customer, text string) error {
	if err := tx.UpdateCustomer(ctx, &c); err != nil {
		return err
	}
	return a.log(ctx, tx, models.Event{CreditorID: c.CreditorID, Type: t, CustomerID: c.ID, SubjectID: c.ID, Text: text, Facts: models.Facts{}})
}

// log writes the event of an act: the text, who did it, and the comment. It adds to the facts, of which there must be a map.
func (a act) log(ctx context.Context, tx *store.Tx, e models.Event) error {
	e.Actor = a.Actor
	if a.Actor != "" {
		e.Text += ", by " + a.Actor
	}
	if a.Comment != "" {
		e.Text += ": " + a.Comment
	}
	for name, text := range map[string]string{"reason": a.Reason, "until": a.Until, "comment": a.Comment, "was": a.Was, "actor": a.Actor, "method": string(a.Method)} {
		if text != "" {
			e.Facts[name] = text
		}
	}
	if a.WrittenOff != 0 {
		e.Facts["written_off"] = a.WrittenOff
	}
	if a.Forced {
		e.Facts["forced"] = true
	}
	if a.InterestWaived {
		e.Facts["interest_waived"] = true
	}
	if a.LetterWithdrawn {
		e.Facts["letter_withdrawn"] = true
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
