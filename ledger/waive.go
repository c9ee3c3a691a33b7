package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// Waiver is what a person asks for who waives what is left of an invoice's fees, interest and compensation (rule N9).
type Waiver struct {
	Comment string
	Actor   string
	Seen    models.Seen // the invoice, as the person saw it (store's LookAtInvoice); may be empty
}

// Validate returns the faults of a waiver that can be found without the invoice.
func (w Waiver) Validate() (faults models.Errors) {
	faults.Prose("comment", w.Comment, models.MaxComment)
	return faults
}

// WaiveChargesByHand waives what is left of the fees, interest and compensation on an invoice whose principal is paid (rule N9). It fails
// with the conflict principal_owed if that is not paid, no_charges_left if nothing is left, and invoice_closed.
func WaiveChargesByHand(ctx context.Context, tx *store.Tx, creditorID, invoiceID int64, w Waiver, today models.Date) (models.Invoice, error) {
	invoice, err := tx.LockInvoice(ctx, creditorID, invoiceID)
	if err != nil {
		return invoice, err
	}
	if faults := w.Validate(); len(faults) > 0 {
		return invoice, faults
	}
	if err := tx.SameInvoice(ctx, invoice, w.Seen); err != nil {
		return invoice, err
	}
	entries, err := tx.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return invoice, err
	}
	switch left := law.Allocate(entries); {
	case invoice.Closed != models.NotClosed:
		return invoice, models.Conflict("invoice_closed", "the invoice is closed")
	case left.Principal > 0:
		return invoice, models.Conflict("principal_owed", "%s of the principal is owed: only what is left of charges is waived", left.Principal)
	case left.Fees+left.Interest <= 0:
		return invoice, models.Conflict("no_charges_left", "no fees and no interest are left on the invoice")
	}
	if err := WaiveCharges(ctx, tx, invoice, today, w.Comment, w.Actor); err != nil {
		return invoice, err
	}
	return tx.Invoice(ctx, creditorID, invoiceID)
}

// WaiveCharges reverses what is left of the fees and interest on a locked invoice whose principal is paid (rules L7, N9). Nothing is
// owed after it but a repayment. actor is the person who waives it, empty for a run.
func WaiveCharges(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, comment, actor string) error {
	entries, err := tx.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return err
	}
	left := law.Allocate(entries)
	if err := Post(ctx, tx, charges(invoice, -left.Fees, -left.Interest, today, comment), actor); err != nil {
		return err
	}
	facts := models.Facts{"invoice_number": invoice.Number, "overdue_charge": left.Fees, "interest": left.Interest}
	if comment != "" {
		facts["comment"] = comment
	}
	return tx.Log(ctx, models.Event{
		CreditorID: invoice.CreditorID, Type: models.EventChargesWaived, Actor: actor, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID,
		Text:  fmt.Sprintf("Fees of %s and interest of %s waived on invoice %d, whose principal is paid", left.Fees, left.Interest, invoice.Number),
		Facts: facts,
	})
}

// TakeChargesBack takes fees and interest off a locked invoice that were charged unlawfully (rule U6), and no more than is charged on it. What was
// paid of them is credit of the customer's after it (rule L5). The entries name no notice: what its notices charge stays as they say it. actor is
// the person who takes them back.
func TakeChargesBack(ctx context.Context, tx *store.Tx, invoice models.Invoice, fees, interest models.Amount, today models.Date, comment, actor string) error {
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return err
	}
	all := TotalsOf(entries)
	fees, interest = min(fees, max(all.Fees, 0)), min(interest, max(all.Interest, 0))
	return Post(ctx, tx, charges(invoice, -fees, -interest, today, comment), actor)
}

// charges returns the entries of fees and of interest on an invoice that no notice has.
func charges(invoice models.Invoice, fees, interest models.Amount, today models.Date, comment string) (entries []models.Entry) {
	add := func(t models.EntryType, amount models.Amount) {
		if amount != 0 {
			entries = append(entries, models.Entry{
				CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: t, Amount: amount, TransactionDate: today, Comment: comment,
			})
		}
	}
	add(models.EntryOverdueCharge, fees)
	add(models.EntryInterest, interest)
	return entries
}

// overtaken returns the conflict of a waiver that is not the last that was done with its invoice.
func overtaken(change *models.Change, seen []models.Seen) error {
	if len(seen) > 0 {
		return models.ChangedMeanwhile(change)
	}
	return models.Conflict("waiver_overtaken", "something was done with the invoice since its charges were waived")
}

// endsWith reports whether the last entries are of the types and the amounts of others.
func endsWith(entries, others []models.Entry) bool {
	return len(others) <= len(entries) && slices.EqualFunc(entries[len(entries)-len(others):], others, func(a, b models.Entry) bool {
		return a.Type == b.Type && a.Amount == b.Amount
	})
}

// RestoreCharges takes the waiver of what was left of an invoice's charges back: they are owed again. It does so while that waiver is the
// last that was done with the invoice. Else it fails with the conflict waiver_overtaken, or nothing_waived, or if the person saw it with changed_meanwhile (rules N9, D115). seen is how
// often its charges were waived and restored, as the person saw it.
func RestoreCharges(ctx context.Context, tx *store.Tx, creditorID, invoiceID int64, today models.Date, actor string, seen ...models.Seen) (models.Invoice, error) {
	invoice, err := tx.LockInvoice(ctx, creditorID, invoiceID)
	if err != nil {
		return invoice, err
	}
	if err := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingCharges, ID: invoiceID}, seen...); err != nil {
		return invoice, err
	}
	waived, change, err := tx.LastWaiver(ctx, creditorID, invoiceID)
	switch {
	case err != nil:
		return invoice, err
	case waived.Type == "":
		return invoice, models.Conflict("nothing_waived", "no charges of the invoice were waived")
	case change != nil && change.Event != models.EventChargesWaived:
		return invoice, overtaken(change, seen)
	}
	var was struct {
		Fees     models.Amount `json:"overdue_charge"`
		Interest models.Amount `json:"interest"`
	}
	if err := json.Unmarshal([]byte(waived.Data), &was); err != nil {
		return invoice, fmt.Errorf("read what was waived on invoice %d: %w", invoice.Number, err)
	}
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return invoice, err
	}
	if !endsWith(entries, charges(invoice, -was.Fees, -was.Interest, today, "")) {
		return invoice, overtaken(change, seen)
	}
	if err := Post(ctx, tx, charges(invoice, was.Fees, was.Interest, today, ""), actor); err != nil {
		return invoice, err
	}
	err = tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventChargesRestored, Actor: actor, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID,
		Text:  fmt.Sprintf("Fees of %s and interest of %s are owed again on invoice %d", was.Fees, was.Interest, invoice.Number),
		Facts: models.Facts{"invoice_number": invoice.Number, "overdue_charge": was.Fees, "interest": was.Interest},
	})
	if err != nil {
		return invoice, err
	}
	return tx.Invoice(ctx, creditorID, invoiceID)
}
