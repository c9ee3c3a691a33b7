package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// GiveMoreTime gives a customer more time for an invoice (rule N11): automatic dunning takes no step before the day is over. It
// replaces the time that was given before, with its waiver: the days that are not over bear interest unless it is waived again. It
// changes nothing if all is as it is asked for. A hold stands beside it, and a person can still have notices sent. It fails with the
// conflicts invoice_closed, invoice_handed_over and invoice_paid. seen is the invoice's hold as the person saw it, if he looked (see
// HoldInvoice).
//
// By a method it owes the customer a letter that says so: but none if one that says the same is owed, or has left and did not come
// back. To have that one once more, a person gives the time for another day. Letters of other time that have not left are withdrawn. It
// fails with models.KindInvalid if the customer lacks the address.
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
	to, err := lockTold(ctx, tx, invoice, r)
	if err != nil {
		return models.Invoice{}, err
	}
	given := invoice.MoreTime.Active(today) && invoice.MoreTime.Until == r.Until && invoice.MoreTime.Reason == r.Reason &&
		invoice.InterestFree.Has(r.Until) == r.WaiveInterest
	a := act{Until: r.Until.String(), Comment: r.Reason, Actor: actor, InterestWaived: r.WaiveInterest}
	if !given {
		if a.LetterWithdrawn, err = giveMoreTime(ctx, tx, &invoice, r, today, actor); err != nil {
			return models.Invoice{}, err
		}
	}
	told, err := tellOfTime(ctx, tx, invoice, r.Method, to.Recipient, today)
	if err != nil || given && !told {
		return invoice, err
	}
	text := fmt.Sprintf("More time for invoice %d, until %s", invoice.Number, r.Until)
	if r.WaiveInterest {
		text += ", without interest"
	}
	if told {
		a.Method, text = r.Method, text+", with a letter "+r.Method.InWords()
	}
	if a.LetterWithdrawn {
		text += ", the letter of the time before withdrawn before it left"
	}
	return invoice, a.onInvoice(ctx, tx, models.EventMoreTimeGiven, invoice, text)
}

// giveMoreTime gives the time for a locked invoice, and reports whether a letter of the time before was withdrawn. It does not write the
// invoice.
func giveMoreTime(ctx context.Context, tx *store.Tx, invoice *models.Invoice, r models.MoreTimeRequest, today models.Date, actor string) (bool, error) {
	withdrawn, err := endMoreTime(ctx, tx, invoice, today, actor)
	if err != nil {
		return false, err
	}
	invoice.MoreTime = models.MoreTime{Since: today, Until: r.Until, Reason: r.Reason}
	if r.WaiveInterest {
		invoice.InterestFree = invoice.InterestFree.With(models.Period{From: today, To: r.Until})
	}
	return withdrawn, tx.StandStill(ctx, &models.Standstill{
		CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Kind: models.StandsMoreTime, Comment: r.Reason,
		Until: r.Until, StartedBy: actor,
	})
}

// lockTold locks the customer whom a letter is to tell, as he was seen. It does nothing without a letter.
func lockTold(ctx context.Context, tx *store.Tx, invoice models.Invoice, r models.MoreTimeRequest) (models.Customer, error) {
	if r.Method == "" {
		return models.Customer{}, nil
	}
	customer, err := tx.LockCustomer(ctx, invoice.CreditorID, invoice.CustomerID)
	if err != nil {
		return models.Customer{}, err
	}
	return customer, tx.Unchanged(ctx, customer.CreditorID, models.Thing{Kind: models.ThingCustomer, ID: customer.ID}, r.SeenCustomer)
}

// tellOfTime owes a letter that tells of the time that was given for a locked invoice, and reports whether it does: not without a
// method, nor if one says the same already.
func tellOfTime(
	ctx context.Context, tx *store.Tx, invoice models.Invoice, by models.ShipmentMethod, to models.Recipient, today models.Date,
) (bool, error) {
	if by == "" {
		return false, nil
	}
	all, err := tx.ShipmentsOf(ctx, invoice.Document())
	if err != nil || slices.ContainsFunc(all, func(s models.Shipment) bool { return s.Tells(invoice) }) {
		return false, err
	}
	if lacks := by.LacksAddress(to, "shipment_method"); lacks != nil {
		return false, lacks
	}
	if _, err := tx.WithdrawTimeLetters(ctx, invoice.ID); err != nil { // one that failed, in whose place this one goes
		return false, err
	}
	letter := models.NewShipment(invoice.CreditorID, invoice.Document(), models.TellsOfTime, by, to)
	letter.MoreTime = models.TimeLetter{
		Day: today, Until: invoice.MoreTime.Until, Owed: invoice.Claimed(), Waived: invoice.InterestFree.Has(invoice.MoreTime.Until),
	}
	return true, tx.CreateShipments(ctx, []models.Shipment{letter})
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
	until := invoice.MoreTime.Until
	a := act{Until: until.String(), Actor: actor, InterestWaived: invoice.InterestFree.Has(until)}
	if a.LetterWithdrawn, err = endMoreTime(ctx, tx, &invoice, today, actor); err != nil {
		return err
	}
	text := fmt.Sprintf("The time given for invoice %d, until %s, ended", invoice.Number, until)
	if a.LetterWithdrawn {
		text += ", its letter withdrawn before it left"
	}
	return a.onInvoice(ctx, tx, models.EventMoreTimeEnded, invoice, text)
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
// invoice. The letters that tell of it, and have not left, are withdrawn: it reports whether there were any.
func endMoreTime(ctx context.Context, tx *store.Tx, invoice *models.Invoice, today models.Date, actor string) (bool, error) {
	invoice.MoreTime, invoice.InterestFree = models.MoreTime{}, invoice.InterestFree.Before(today)
	if err := tx.EndStandstill(ctx, invoice.CreditorID, invoice.CustomerID, invoice.ID, today, actor, models.StandsMoreTime); err != nil {
		return false, err
	}
	return tx.WithdrawTimeLetters(ctx, invoice.ID)
}
