package ocr

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// documents are the invoices and credit notes that a batch of payments names, locked.
type documents struct {
	references map[string]store.Reference // by KID
	invoices   map[int64]models.Invoice
	notes      map[int64]models.CreditNote
}

// lockDocuments finds and locks the creditor's documents that were sent with the payments' KIDs.
func lockDocuments(ctx context.Context, tx *store.Tx, creditor models.Creditor, payments []payment) (*documents, error) {
	d := &documents{invoices: map[int64]models.Invoice{}, notes: map[int64]models.CreditNote{}}
	var kids []string
	for _, p := range payments {
		if p.hasKID && !p.otherAccount {
			kids = append(kids, kidForms(p.KID, creditor.KIDLength)...)
		}
	}
	if len(kids) == 0 {
		return d, nil
	}
	slices.Sort(kids)
	var err error
	if d.references, err = tx.ReferencesOf(ctx, creditor.ID, slices.Compact(kids)); err != nil {
		return nil, err
	}
	return d, d.lock(ctx, tx, creditor.ID)
}

// lock locks the invoices first and then the credit notes, each in order of ID, as everybody does.
func (d *documents) lock(ctx context.Context, tx *store.Tx, creditorID int64) error {
	var invoiceIDs, noteIDs []int64
	for _, ref := range d.references {
		if ref.CreditNoteID == 0 {
			invoiceIDs = append(invoiceIDs, ref.InvoiceID)
		} else {
			noteIDs = append(noteIDs, ref.CreditNoteID)
		}
	}
	if len(invoiceIDs) > 0 {
		invoices, err := tx.LockInvoices(ctx, creditorID, invoiceIDs)
		if err != nil {
			return err
		}
		for _, i := range invoices {
			d.invoices[i.ID] = i
		}
	}
	slices.Sort(noteIDs)
	for _, id := range noteIDs {
		note, err := tx.LockCreditNote(ctx, creditorID, id)
		if err != nil {
			return err
		}
		d.notes[id] = note
	}
	return nil
}

// reference returns the document that was sent with the payment's KID, nil where none was.
func (d *documents) reference(p payment, kidLength int) *store.Reference {
	for _, form := range kidForms(p.KID, kidLength) {
		if ref, ok := d.references[form]; ok {
			return &ref
		}
	}
	return nil
}

func (d *documents) customerOf(o outcome) int64 {
	if o.creditNoteID != 0 {
		return d.notes[o.creditNoteID].CustomerID
	}
	return d.invoices[o.invoiceID].CustomerID
}

// payOut takes an amount from a credit note's outstanding credit, and reports false where that is less.
func (d *documents) payOut(id int64, amount models.Amount) bool {
	note := d.notes[id]
	if amount > -note.Balance {
		return false
	}
	note.Balance += amount
	d.notes[id] = note
	return true
}
