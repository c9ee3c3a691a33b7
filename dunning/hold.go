package dunning

import (
	"context"
	"fmt"

	"purr/ledger/avtalegiro"
	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// HoldInvoice stops automatic dunning of an invoice until a day, or until a person removes the hold (rule E2). It
// replaces an earlier hold. An owed letter is still sent. A person can still have notices sent; if the claim is
// disputed, only without a fee (see FeeAllowed). seen is what the person saw of the hold (store's Look), if he looked: if somebody
// has held or released the invoice since, HoldInvoice fails with the conflict changed_meanwhile (rule D115).
func HoldInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, h models.Hold, actor string, seen ...models.Seen) (models.Invoice, error) {
	h, err := newHold(tx, c, h)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := avtalegiro.MayStop(ctx, tx, c, invoice); err != nil {
		return models.Invoice{}, err
	}
	return holdLocked(ctx, tx, c, invoice, h, actor)
}

// holdLocked puts a locked invoice on hold, with its event.
func holdLocked(ctx context.Context, tx *store.Tx, c models.Creditor, invoice models.Invoice, h models.Hold, actor string) (models.Invoice, error) {
	invoice.Hold = h
	if err := keepHold(ctx, tx, c, invoice.CustomerID, invoice.ID, h, actor); err != nil {
		return models.Invoice{}, err
	}
	text := fmt.Sprintf("Dunning of invoice %d put on hold%s", invoice.Number, detailsOf(h))
	return invoice, actOfHold(h, actor).onInvoice(ctx, tx, models.EventHoldSet, invoice, text)
}

// ReleaseInvoice removes an invoice's hold (rule E2), as it was seen (see HoldInvoice). It does nothing if
// the invoice has no hold.
func ReleaseInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil || !invoice.Hold.Active(today) {
		return err
	}
	invoice.Hold = models.Hold{}
	if err := endHold(ctx, tx, invoice.CreditorID, invoice.CustomerID, invoiceID, today, actor); err != nil {
		return err
	}
	text := fmt.Sprintf("Hold on dunning of invoice %d taken away", invoice.Number)
	return act{Actor: actor}.onInvoice(ctx, tx, models.EventHoldRemoved, invoice, text)
}

// HoldForAudit puts an invoice on hold on which the audit of a night found that the law was not kept, until a person ends that (rule U7). An
// invoice that somebody has put on hold before stays on hold as it is. One that is closed or with the debt collector, or of which nothing is
// owed, is left as it is. It returns the invoice's hold; the zero Hold if it is on none.
func HoldForAudit(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64) (models.Hold, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Hold{}, err
	}
	if invoice.Hold.Active(today) {
		return invoice.Hold, nil
	}
	if invoice.Closed != models.NotClosed || invoice.HandedOver != 0 || invoice.Claimed() <= 0 {
		return models.Hold{}, nil
	}
	if invoice, err = holdLocked(ctx, tx, c, invoice, models.Hold{Held: true, Reason: models.HoldAudit}, ""); err != nil {
		return models.Hold{}, err
	}
	return invoice.Hold, nil
}

// HoldCustomer stops automatic dunning of all invoices of a customer, as HoldInvoice does for one invoice.
func HoldCustomer(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, h models.Hold, actor string, seen ...models.Seen) (models.Customer, error) {
	h, err := newHold(tx, c, h)
	if err != nil {
		return models.Customer{}, err
	}
	customer, err := tx.LockCustomer(ctx, c.ID, customerID)
	if err != nil {
		return models.Customer{}, err
	}
	if customer.ForgottenAt != nil {
		return models.Customer{}, models.ErrForgotten
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingCustomerHold, ID: customerID}, seen...); err != nil {
		return models.Customer{}, err
	}
	customer.Hold = h
	if err := keepHold(ctx, tx, c, customerID, 0, h, actor); err != nil {
		return models.Customer{}, err
	}
	text := "Dunning of the customer put on hold" + detailsOf(h)
	return customer, actOfHold(h, actor).onCustomer(ctx, tx, models.EventHoldSet, customer, text)
}

// ReleaseCustomer removes a customer's hold, as ReleaseInvoice removes an invoice's.
func ReleaseCustomer(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, actor string, seen ...models.Seen) error {
	today, err := c.Today(tx.Now)
	if err != nil {
		return err
	}
	customer, err := tx.LockCustomer(ctx, c.ID, customerID)
	if err != nil {
		return err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingCustomerHold, ID: customerID}, seen...); err != nil || !customer.Hold.Active(today) {
		return err
	}
	customer.Hold = models.Hold{}
	if err := endHold(ctx, tx, c.ID, customerID, 0, today, actor); err != nil {
		return err
	}
	return act{Actor: actor}.onCustomer(ctx, tx, models.EventHoldRemoved, customer, "Hold on dunning of the customer taken away")
}

// paidDays is for how many bank days a customer is believed who says that he has paid (rule N6).
const paidDays = 5

// newHold returns the requested hold, switched on. That of a customer who says that he has paid lasts until the end of the fifth bank day
// after today, unless another day is given. It fails if the hold is not valid today in the creditor's time zone.
func newHold(tx *store.Tx, c models.Creditor, h models.Hold) (models.Hold, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Hold{}, err
	}
	h.Held = true
	if err := h.Validate(today); err != nil {
		return models.Hold{}, err
	}
	if h.Reason == models.HoldPaid && h.Until == 0 {
		h.Until = today
		for range paidDays {
			h.Until = calendar.NextBankDay(h.Until + 1)
		}
	}
	return h, nil
}

// detailsOf says until when and why a hold lasts.
func detailsOf(h models.Hold) string {
	var said string
	if h.Until != 0 {
		said = " until " + h.Until.String()
	}
	switch h.Reason {
	case models.HoldDispute:
		said += " (disputed)"
	case models.HoldPaid:
		said += " (says that it is paid)"
	case models.HoldCollector:
		said += " (the debt collector has given it back)"
	case models.HoldAudit:
		said += " (the audit found that the law was not kept)"
	case models.HoldOther:
	}
	return said
}

func actOfHold(h models.Hold, actor string) act {
	return act{Reason: string(h.Reason), Until: h.Until.String(), Comment: h.Comment, Actor: actor}
}

// FeeAllowed fails with the conflict disputed if a hold on the invoice or the customer says that the claim is
// disputed today. A customer with a reasonable objection pays no collection costs before the objection is examined
// (inkassoloven § 17, LOV-2026-05-22-19 §§ 14 to 18). Interest is no such cost, and still runs.
func FeeAllowed(invoice models.Invoice, customer models.Customer, today models.Date) error {
	if invoice.Hold.Disputed(today) || customer.Hold.Disputed(today) {
		return models.Conflict("disputed", "the claim is disputed: no fee may be charged before the hold is taken away (inkassoloven § 17)")
	}
	return nil
}
