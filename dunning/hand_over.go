package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// CanHandOver returns nil where a person may hand an invoice over to debt collection today, and otherwise
// the conflict that says why not: invoice_closed, invoice_handed_over, invoice_paid or not_overdue (rules E2,
// E6d). A debt-collection warning whose deadline runs does not hinder it: who decides that is the person.
func CanHandOver(invoice models.Invoice, today models.Date) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.HandedOver != 0:
		return errHandedOver(invoice)
	case invoice.Balance <= 0:
		return errPaid()
	case today <= invoice.DueDate:
		return errNotOverdue(invoice)
	}
	return nil
}

// HandOverInvoice hands an invoice over to debt collection at a person's wish (rule E2). It fails with the
// conflicts of CanHandOver. A letter that is owed on the invoice still goes out: what it says is owed.
func HandOverInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string) (models.Invoice, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Invoice{}, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := CanHandOver(invoice, today); err != nil {
		return models.Invoice{}, err
	}
	return handOver(ctx, tx, invoice, today, actor)
}

// handOver notes that a locked invoice goes to debt collection, and owes the collector its bundle. actor is who
// wishes it, empty where the policy does.
func handOver(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, actor string) (models.Invoice, error) {
	invoice.HandedOver = today
	if err := tx.FollowInvoice(ctx, invoice); err != nil {
		return invoice, err
	}
	entries, err := tx.EntriesAround(ctx, invoice.ID)
	if err != nil {
		return invoice, err
	}
	h := models.HandOver{CreditorID: invoice.CreditorID, InvoiceID: invoice.ID, HandedOver: today}
	for _, e := range entries {
		h.LastEntryID = max(h.LastEntryID, e.ID)
	}
	if err := tx.CreateHandOver(ctx, &h); err != nil {
		return invoice, err
	}
	text := fmt.Sprintf("Invoice %d handed over to debt collection with %s owed", invoice.Number, invoice.Balance)
	return invoice, logAct(ctx, tx, models.EventInvoiceHandedOver, invoice, text, act{Actor: actor})
}

// takeBack takes back the last hand-over of a locked invoice, where it is in one of the states. A bundle that has
// not left is not delivered; a collector who has it, or may have it, is told.
func takeBack(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, why string, from ...models.HandOverState) error {
	last, found, err := tx.LastHandOver(ctx, invoice.ID)
	if err != nil || !found {
		return err
	}
	h, err := tx.LockHandOver(ctx, invoice.CreditorID, last.ID)
	if err != nil || !slices.Contains(from, h.State) {
		return err
	}
	h.TakenBack = today
	text := fmt.Sprintf("The collection bundle of invoice %d will not be delivered: %s", invoice.Number, why)
	if h.State = models.HandOverEnded; h.Attempts > 0 {
		h.State, h.NextAttempt = models.WithdrawalOwed, tx.Now
		text = fmt.Sprintf("The collection bundle of invoice %d is taken back: %s", invoice.Number, why)
	}
	if err := tx.UpdateHandOver(ctx, h); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleWithdrawn, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID, Text: text,
	})
}
