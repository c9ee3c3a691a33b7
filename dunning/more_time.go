package dunning

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// GiveMoreTime gives a customer more time for an invoice (rule N11): automatic dunning takes no step before the day is over. It
// replaces the time that was given before, with its waiver: the days that are not over bear interest unless it is waived again. It
// changes nothing if all is as it is asked for. A hold stands beside it, and a person can still have notices sent. It fails with the
// conflicts invoice_closed, invoice_handed_over and invoice_paid. seen is the invoice's hold as the person saw it, if he looked (see
// HoldInvoice).
func GiveMoreTime(
	ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, r models.MoreTimeRequest, actor string, seen ...models.Seen,
) (models.Invoice, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := r.Validate(today); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := CanHaveMoreTime(invoice); err != nil {
		return models.Invoice{}, err
	}
	old, waived := invoice.MoreTime, invoice.InterestFree.Has(r.Until)
	if old.Active(today) && old.Until == r.Until && old.Reason == r.Reason && waived == r.WaiveInterest {
		return invoice, nil
	}
	if err := endMoreTime(ctx, tx, &invoice, today, actor); err != nil {
		return models.Invoice{}, err
	}
	invoice.MoreTime = models.MoreTime{Since: today, Until: r.Until, Reason: r.Reason}
	if r.WaiveInterest {
		invoice.InterestFree = invoice.InterestFree.With(models.Period{From: today, To: r.Until})
	}
	text := fmt.Sprintf("More time for invoice %d, until %s", invoice.Number, r.Until)
	if r.WaiveInterest {
		text += ", without interest"
	}
	s := models.Standstill{
		CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoiceID, Kind: models.StandsMoreTime, Comment: r.Reason, Until: r.Until, StartedBy: actor,
	}
	if err := tx.StandStill(ctx, &s); err != nil {
		return models.Invoice{}, err
	}
	return invoice, actOfMoreTime(invoice.MoreTime, r.WaiveInterest, actor).onInvoice(ctx, tx, models.EventMoreTimeGiven, invoice, text)
}

// EndMoreTime ends the time that a customer was given for an invoice, as it was seen (see HoldInvoice). The days that are not over,
// today among them, bear interest again. It does nothing if no such time runs.
func EndMoreTime(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil || !invoice.MoreTime.Active(today) {
		return err
	}
	was, waived := invoice.MoreTime, invoice.InterestFree.Has(invoice.MoreTime.Until)
	if err := endMoreTime(ctx, tx, &invoice, today, actor); err != nil {
		return err
	}
	was.Reason = ""
	text := fmt.Sprintf("The time given for invoice %d, until %s, ended", invoice.Number, was.Until)
	return actOfMoreTime(was, waived, actor).onInvoice(ctx, tx, models.EventMoreTimeEnded, invoice, text)
}

// CanHaveMoreTime returns nil if the customer can be given more time for an invoice. Otherwise it returns the conflict invoice_closed,
// invoice_handed_over or invoice_paid.
func CanHaveMoreTime(invoice models.Invoice) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.HandedOver != 0:
		return errHandedOver(invoice)
	case invoice.Claimed() <= 0:
		return errPaid()
	}
	return nil
}

// endMoreTime takes away the time that was given for a locked invoice, and its waiver for the days from today on. It does not write the
// invoice.
func endMoreTime(ctx context.Context, tx *store.Tx, invoice *models.Invoice, today models.Date, actor string) error {
	invoice.MoreTime, invoice.InterestFree = models.MoreTime{}, invoice.InterestFree.Before(today)
	return tx.EndStandstill(ctx, invoice.CreditorID, invoice.CustomerID, invoice.ID, today, actor, models.StandsMoreTime)
}

func actOfMoreTime(m models.MoreTime, waived bool, actor string) act {
	return act{Until: m.Until.String(), Comment: m.Reason, Actor: actor, InterestWaived: waived}
}
