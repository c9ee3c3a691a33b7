package ocr

import (
	"context"
	"maps"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// documents are the invoices and credit notes whose KIDs are in a batch of payments. They are locked.
type documents struct {
	references map[string]store.Reference // by KID
	invoices   map[int64]store.LockedInvoice
	notes      map[int64]models.CreditNote
	letters    map[int64][]int64 // the invoices of letters whose KIDs are among them, by letter (rule L23)
	spreading  ledger.Spreading  // of these invoices
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
	if err := d.findLetters(ctx, tx, creditorID); err != nil {
		return nil, err
	}
	if err := d.lock(ctx, tx, creditorID); err != nil || len(d.letters) == 0 {
		return d, err
	}
	var err error
	d.spreading, err = ledger.ReadSpreading(ctx, tx, creditorID, slices.Concat(slices.Collect(maps.Values(d.letters))...))
	return d, err
}

// findLetters reads which invoices the letters have whose KIDs are among the payments'. That never changes.
func (d *documents) findLetters(ctx context.Context, tx *store.Tx, creditorID int64) error {
	ids := d.letterIDs()
	if len(ids) == 0 {
		return nil
	}
	notices, err := tx.NoticesOfLetters(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	d.letters = make(map[int64][]int64, len(ids))
	for id, all := range notices {
		for _, n := range all {
			d.letters[id] = append(d.letters[id], n.InvoiceID)
		}
	}
	return nil
}

// letterIDs returns the IDs of the letters, in order.
func (d *documents) letterIDs() (ids []int64) {
	for _, ref := range d.references {
		if ref.LetterID != 0 {
			ids = append(ids, ref.LetterID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
		switch {
		case ref.LetterID != 0:
			invoiceIDs = append(invoiceIDs, d.letters[ref.LetterID]...)
		case ref.CreditNoteID == 0:
			invoiceIDs = append(invoiceIDs, ref.InvoiceID)
		default:
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
	delete(ids, 0)
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
