package ocr

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// documents are the invoices and credit notes whose KIDs are in a batch of payments. They are locked.
type documents struct {
	references map[string]store.Reference // by KID
	invoices   map[int64]store.LockedInvoice
	notes      map[int64]models.CreditNote
}

// lockDocuments finds and locks the creditor's documents that were sent with the payments' KIDs.
func lockDocuments(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment) (*documents, error) {
	d := &documents{references: map[string]store.Reference{}, notes: map[int64]models.CreditNote{}}
	var kids, shorter []string
	for _, p := range payments {
		if p.hasKID && !p.otherAccount {
			kids = append(kids, p.KID)
		}
	}
	if err := d.find(ctx, tx, creditorID, kids); err != nil {
		return nil, err
	}
	for _, kid := range kids {
		if _, found := d.references[kid]; !found {
			shorter = append(shorter, withoutZeros(kid)...)
		}
	}
	if err := d.find(ctx, tx, creditorID, shorter); err != nil {
		return nil, err
	}
	return d, d.lock(ctx, tx, creditorID)
}

// find reads the documents with the KIDs.
func (d *documents) find(ctx context.Context, tx *store.Tx, creditorID int64, kids []string) error {
	if len(kids) == 0 {
		return nil
	}
	slices.Sort(kids)
	found, err := tx.ReferencesOf(ctx, creditorID, slices.Compact(kids))
	if err != nil {
		return err
	}
	maps.Copy(d.references, found)
	return nil
}

// lock locks the invoices first and then the credit notes, each by ascending ID, as every transaction does.
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
		slices.Sort(invoiceIDs) // MariaDB takes a thousand and more in the order in which they are given
		var err error
		if d.invoices, err = tx.LockInvoices(ctx, creditorID, invoiceIDs); err != nil {
			return err
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

// reference returns the document that was sent with the KID, nil if there is none. A KID with filling zeros names a
// document only if no other document fits it too.
func (d *documents) reference(kid string) *store.Reference {
	if ref, found := d.references[kid]; found {
		return &ref
	}
	var only *store.Reference
	for _, form := range withoutZeros(kid) {
		ref, found := d.references[form]
		if found && only != nil {
			return nil
		}
		if found {
			only = &ref
		}
	}
	return only
}

// invoiceIDs returns the IDs of the invoices, including those of the credit notes.
func (d *documents) invoiceIDs() []int64 {
	ids := map[int64]bool{}
	for _, ref := range d.references {
		ids[ref.InvoiceID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

func (d *documents) customerOf(o outcome) int64 {
	if o.creditNoteID != 0 {
		return d.notes[o.creditNoteID].CustomerID
	}
	return d.invoices[o.invoiceID].CustomerID
}

// payOut takes an amount from a credit note's outstanding credit. It returns false if the credit is less than the
// amount.
func (d *documents) payOut(id int64, amount models.Amount) bool {
	note := d.notes[id]
	if amount > -note.Balance {
		return false
	}
	note.Balance += amount
	d.notes[id] = note
	return true
}
