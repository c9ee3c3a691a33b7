package billing

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// CreditNoteRequest is the request for a credit note.
type CreditNoteRequest struct {
	Method  models.ShipmentMethod
	Comment string
	Lines   []CreditLine // what is credited; nil for all that is left (rules D21, L27)
	Actor   string       // who asks for it, for the event log
	Seen    models.Seen  // the invoice, as the person saw it (rule D115); may be empty
}

// Validate returns every fault of the request that can be found without the database.
func (cr CreditNoteRequest) Validate(c models.Creditor) models.Errors {
	faults := faultsOfAsked(cr.Method, models.CreditNoteDocument)
	faults.Prose("comment", cr.Comment, models.MaxComment)
	switch n := len(cr.Lines); {
	case n == 0 && cr.Lines != nil:
		faults.Add("required", "lines", "at least one line is required, or no lines at all to credit the whole invoice")
	case n > c.MaxLines:
		faults.Add("too_many_lines", "lines", "has %d lines, the most is %d", n, c.MaxLines)
	}
	for i, l := range cr.Lines {
		faults = append(faults, l.faults().Under(atLine(i))...)
	}
	return faults
}

// IssueCreditNote credits an invoice, or a part of it, and settles what is still owed on it (rules D21, L27). It fails with a conflict
// if the invoice is already credited, or nothing is left of it after partial credit notes, and with models.ErrForgotten if nobody knows
// any more to whom the note would go (rule O14): a sales document names its buyer (bokføringsforskriften § 5-1-1).
func IssueCreditNote(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, cr CreditNoteRequest) (models.CreditNote, error) {
	if faults := cr.Validate(c); len(faults) > 0 {
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
	invoice, left, err := lockUncredited(ctx, tx, c.ID, invoiceID, cr.Seen)
	if err != nil {
		return models.CreditNote{}, err
	}
	customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return models.CreditNote{}, err
	}
	if customer.ForgottenAt != nil {
		return models.CreditNote{}, models.ErrForgotten
	}
	faults := faultsOfMethod(cr.Method, c, customer.Recipient, invoice.Order, map[string]models.Place{"email": AtMethod(), "organisation_number": atRecipient})
	faults.NotPrintable(atRecipient, customer.Recipient.Unprintable())
	if err := faults.ErrorOrNil(); err != nil {
		return models.CreditNote{}, err
	}
	note := models.CreditNote{
		CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, IssueDate: today, Gross: invoice.Gross, Net: invoice.Net,
		Comment: cr.Comment, BankAccount: account, Recipient: customer.Recipient, Language: c.LanguageOf(customer),
	}
	lines, err := cr.linesOf(&note, invoice, left)
	if err != nil {
		return models.CreditNote{}, err
	}
	note.Balance = -note.Gross
	if err := createNote(ctx, tx, c, &note, lines); err != nil {
		return models.CreditNote{}, err
	}
	if err := writeCredit(ctx, tx, note, invoice, cr); err != nil {
		return models.CreditNote{}, err
	}
	return tx.CreditNote(ctx, c.ID, note.ID)
}

// linesOf returns the lines of a credit note of its own, and sets what they add up to. There are none if all of an invoice is credited at
// once: then it shows the invoice's.
func (cr CreditNoteRequest) linesOf(note *models.CreditNote, invoice models.Invoice, left rest) (lines []models.CreditNoteLine, err error) {
	switch {
	case cr.Lines != nil:
		if lines, err = left.credit(cr.Lines); err != nil {
			return nil, err
		}
	case left.gross() == invoice.Gross:
		return nil, nil
	default:
		lines = left.lines(restText(invoice, note.Language))
	}
	note.Partial, note.Net, note.Gross = true, 0, 0
	for _, l := range lines {
		note.Net, note.Gross = note.Net+l.Net, note.Gross+l.Gross
	}
	return lines, nil
}

// lockUncredited locks an invoice that is to be credited, and returns what is left of it. It fails if it is not as it was seen, or is
// credited already.
func lockUncredited(ctx context.Context, tx *store.Tx, creditorID, invoiceID int64, seen models.Seen) (models.Invoice, rest, error) {
	invoice, err := tx.LockInvoice(ctx, creditorID, invoiceID)
	if err != nil {
		return models.Invoice{}, nil, err
	}
	if err := tx.SameInvoice(ctx, invoice, seen); err != nil {
		return models.Invoice{}, nil, err
	}
	left, err := LeftToCredit(ctx, tx, invoice)
	return invoice, left, err
}

// creditReader is what tells how much of an invoice is left to credit.
type creditReader interface {
	CreditNotesOf(ctx context.Context, invoiceID int64) ([]models.CreditNote, error)
	LinesOfCreditNotes(ctx context.Context, ids []int64) (map[int64][]models.CreditNoteLine, error)
	InvoiceLines(ctx context.Context, invoiceID int64) ([]models.Line, error)
}

// LeftToCredit returns what no credit note credits of an invoice: a line for each VAT rate, without texts. It fails with a conflict
// if that is nothing, or the invoice was adopted without its lines (rule L17).
func LeftToCredit(ctx context.Context, from creditReader, invoice models.Invoice) ([]models.CreditNoteLine, error) {
	notes, err := from.CreditNotesOf(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, n := range notes {
		if !n.Partial {
			return nil, models.Conflict("already_credited", "the invoice is credited already")
		}
		ids = append(ids, n.ID)
	}
	own, err := from.LinesOfCreditNotes(ctx, ids)
	if err != nil {
		return nil, err
	}
	lines, err := from.InvoiceLines(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	if invoice.Adopted && len(lines) == 0 {
		return nil, models.Conflict("lines_unknown", "nobody knows the VAT of the invoice, which was adopted without its lines: credit it in the system that issued it, and tell its balance")
	}
	left := restOf(lines, slices.Concat(slices.Collect(maps.Values(own))...))
	if left.gross() <= 0 {
		return nil, models.Conflict("nothing_left", "the credit notes on the invoice credit all of it")
	}
	return left, nil
}

// createNote writes a credit note with its seller, its number, its KID and its own lines.
func createNote(ctx context.Context, tx *store.Tx, c models.Creditor, note *models.CreditNote, lines []models.CreditNoteLine) (err error) {
	if note.SellerID, err = tx.KeepSeller(ctx, c.ID, c.Seller().WithAccount(note.BankAccount, c.Seller())); err != nil {
		return err
	}
	if note.Number, err = tx.NextNumbers(ctx, c.ID, 1); err != nil {
		return err
	}
	kids, err := newKIDs(ctx, tx, c, note.Number, note.CustomerID)
	if err != nil {
		return err
	}
	note.KID = kids[0]
	return tx.CreateCreditNote(ctx, note, lines)
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
	if err := ledger.CreditWrittenOff(ctx, tx, invoice, note.Gross); err != nil {
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
