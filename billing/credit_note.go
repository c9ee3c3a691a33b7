package billing

import (
	"context"
	"fmt"

	"purr/ledger"
	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// CreditNoteRequest is the request for a credit note.
type CreditNoteRequest struct {
	Method  models.ShipmentMethod
	Comment string
	Actor   string      // who asks for it, for the event log
	Seen    models.Seen // the invoice, as the person saw it (rule D115); may be empty
}

// Validate returns every fault of the request that can be found without the database.
func (cr CreditNoteRequest) Validate() models.Errors {
	faults := faultsOfAsked(cr.Method)
	faults.Prose("comment", cr.Comment, models.MaxComment)
	return faults
}

// IssueCreditNote credits a whole invoice, and settles what is still owed on it (rule D21). It fails with a conflict if the
// invoice is already credited.
func IssueCreditNote(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, cr CreditNoteRequest) (models.CreditNote, error) {
	if faults := cr.Validate(); len(faults) > 0 {
		return models.CreditNote{}, faults
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.CreditNote{}, err
	}
	account, err := payee.Named(ctx, tx, c)
	if err != nil {
		return models.CreditNote{}, err
	}
	invoice, err := lockUncredited(ctx, tx, c.ID, invoiceID, cr.Seen)
	if err != nil {
		return models.CreditNote{}, err
	}
	customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return models.CreditNote{}, err
	}
	faults := faultsOfMethod(cr.Method, c, customer.Recipient, invoice.Order, map[string]models.Place{"email": AtMethod(), "organisation_number": atRecipient})
	faults.NotPrintable(atRecipient, customer.Recipient.Unprintable())
	if err := faults.ErrorOrNil(); err != nil {
		return models.CreditNote{}, err
	}
	note := models.CreditNote{
		CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, IssueDate: today, Gross: invoice.Gross, Net: invoice.Net,
		Comment: cr.Comment, BankAccount: account, Recipient: customer.Recipient, Balance: -invoice.Gross,
		Language: customer.DocumentLanguage(),
	}
	if err := createNote(ctx, tx, c, &note); err != nil {
		return models.CreditNote{}, err
	}
	if err := writeCredit(ctx, tx, note, invoice, cr); err != nil {
		return models.CreditNote{}, err
	}
	return tx.CreditNote(ctx, c.ID, note.ID)
}

// lockUncredited locks an invoice that is to be credited. It fails if it is not as it was seen, or is credited already.
func lockUncredited(ctx context.Context, tx *store.Tx, creditorID, invoiceID int64, seen models.Seen) (models.Invoice, error) {
	invoice, err := tx.LockInvoice(ctx, creditorID, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.SameInvoice(ctx, invoice, seen); err != nil {
		return models.Invoice{}, err
	}
	_, credited, err := tx.CreditNoteOf(ctx, invoice.ID)
	if err == nil && credited {
		err = models.Conflict("already_credited", "the invoice is credited already")
	}
	return invoice, err
}

// createNote writes a credit note with its seller, its number and its KID.
func createNote(ctx context.Context, tx *store.Tx, c models.Creditor, note *models.CreditNote) (err error) {
	if note.SellerID, err = tx.KeepSeller(ctx, c.ID, c.Seller().WithAccount(note.BankAccount, c.Seller())); err != nil {
		return err
	}
	if note.Number, err = tx.NextNumbers(ctx, c.ID, 1); err != nil {
		return err
	}
	kids, err := newKIDs(ctx, tx, c, note.Number, 1)
	if err != nil {
		return err
	}
	note.KID = kids[0]
	return tx.CreateCreditNote(ctx, note)
}

// writeCredit writes the reference, entries, shipment and event of a new credit note.
func writeCredit(ctx context.Context, tx *store.Tx, note models.CreditNote, invoice models.Invoice, cr CreditNoteRequest) error {
	ref := store.Reference{CreditorID: note.CreditorID, KID: note.KID, InvoiceID: note.InvoiceID, CreditNoteID: note.ID}
	if err := tx.CreateReferences(ctx, []store.Reference{ref}); err != nil {
		return err
	}
	if err := tx.CreateEntries(ctx, []models.Entry{ledger.CreditNoteEntry(note)}); err != nil {
		return err
	}
	if err := ledger.Settle(ctx, tx, note, note.IssueDate); err != nil {
		return err
	}
	if err := tx.CreateShipments(ctx, []models.Shipment{models.NewShipment(note.CreditorID, note.Document(), models.Original, cr.Method, note.Recipient)}); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: note.CreditorID, Type: models.EventCreditNoteCreated, Actor: cr.Actor, InvoiceID: note.InvoiceID, CustomerID: note.CustomerID, SubjectID: note.ID,
		Facts: models.Facts{"invoice_number": invoice.Number, "credit_note_number": note.Number, "gross_amount": note.Gross},
		Text:  fmt.Sprintf("Credit note %d of %s on invoice %d", note.Number, note.Gross, invoice.Number),
	})
}
