package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

var creditNotesOf = selecting[models.CreditNote]("FROM credit_notes WHERE invoice_id = ? ORDER BY id")

// CreditNoteFilter narrows a list of credit notes. The zero filter takes all.
type CreditNoteFilter struct {
	CustomerID int64
	Search     string // the number, or a part of the recipient's names (rule D19)
	Issued     Dates
	Status     *models.CreditNoteFilter // nil takes all
}

// CreditNote returns one credit note of the creditor.
func (r reads) CreditNote(ctx context.Context, creditorID, id int64) (models.CreditNote, error) {
	return readOne[models.CreditNote](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "credit note")
}

// CreditNotesByID returns the creditor's credit notes with the IDs, by ID.
func (r reads) CreditNotesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.CreditNote, error) {
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(c models.CreditNote) int64 { return c.ID })
}

// CreditNoteByNumber returns the creditor's credit note with the number.
func (r reads) CreditNoteByNumber(ctx context.Context, creditorID, number int64) (models.CreditNote, error) {
	return readOne[models.CreditNote](r.with(ctx).Where("creditor_id = ? AND number = ?", creditorID, number), "credit note")
}

// CreditNotesOf returns the credit notes of an invoice, oldest first: none, a whole one, or partial ones (rules D21, L27).
func (r reads) CreditNotesOf(ctx context.Context, invoiceID int64) ([]models.CreditNote, error) {
	return creditNotesOf.all(ctx, r, invoiceID)
}

// LinesOfCreditNotes returns the lines that partial credit notes have of their own, in order, by the credit note's ID.
func (r reads) LinesOfCreditNotes(ctx context.Context, ids []int64) (map[int64][]models.CreditNoteLine, error) {
	return readGroups(r.with(ctx).Where("credit_note_id IN ?", ids).Order("position"), func(l models.CreditNoteLine) int64 { return l.CreditNoteID })
}

// LinesOfCreditNote returns the lines that a credit note shows: its own if it is partial, else the invoice's.
func (r reads) LinesOfCreditNote(ctx context.Context, c models.CreditNote) ([]models.Line, error) {
	if !c.Partial {
		return r.InvoiceLines(ctx, c.InvoiceID)
	}
	own, err := r.LinesOfCreditNotes(ctx, []int64{c.ID})
	if err != nil {
		return nil, err
	}
	var lines []models.Line
	for _, l := range own[c.ID] {
		lines = append(lines, l.Line())
	}
	return lines, nil
}

// CreditNotes returns a page of the creditor's credit notes that the filter takes, and the number of all of them.
func (r reads) CreditNotes(ctx context.Context, creditorID int64, f CreditNoteFilter, p Page) ([]models.CreditNote, int64, error) {
	narrow := func(g *gorm.DB) *gorm.DB {
		g = f.Issued.apply(g.Where("creditor_id = ?", creditorID), "issue_date")
		if f.CustomerID != 0 {
			g = g.Where("customer_id = ?", f.CustomerID)
		}
		if s := f.Status; s != nil {
			g = g.Where("((? AND balance >= 0) OR (? AND balance < 0))", s.Paid, s.NotPaid)
		}
		return g
	}
	if f.Search != "" {
		return search[models.CreditNote](ctx, r, documentTexts("credit_notes", "credit_notes_creditor", f.Search), narrow, p)
	}
	return find[models.CreditNote](ctx, narrow(r.with(ctx)), p)
}

// NewestCreditNotes returns up to limit of the creditor's credit notes, the newest first, of those with a lower ID than before; a before
// of zero takes all.
func (r reads) NewestCreditNotes(ctx context.Context, creditorID, before int64, limit int) ([]models.CreditNote, error) {
	return readAll[models.CreditNote](below(r.from(ctx, "credit_notes", "credit_notes_creditor").Where("creditor_id = ?", creditorID), "id", before).Order("id DESC").Limit(limit))
}

// CreditNoteSums returns how many credit notes the creditor has, what they credit, and how much of that is outstanding, in øre above zero.
func (r reads) CreditNoteSums(ctx context.Context, creditorID int64) (n int64, gross, outstanding models.Amount, err error) {
	sums := r.with(ctx).Table("credit_notes").Where("creditor_id = ?", creditorID).Select("COUNT(*), COALESCE(SUM(gross), 0), COALESCE(-SUM(balance), 0)")
	return n, gross, outstanding, eachRow(sums, func() {}, &n, &gross, &outstanding)
}

// LockCreditNote reads a credit note of the creditor and locks it until the transaction ends.
func (tx *Tx) LockCreditNote(ctx context.Context, creditorID, id int64) (models.CreditNote, error) {
	return readOne[models.CreditNote](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "credit note")
}

// CreateCreditNote writes a new credit note with its own lines, if it is partial, and sets its ID and CreatedAt. The caller has locked
// the invoice, and knows that so much is left to be credited.
func (tx *Tx) CreateCreditNote(ctx context.Context, c *models.CreditNote, lines []models.CreditNoteLine) error {
	c.CreatedAt = tx.Now
	c.Search, c.SearchDigit = documentSearch(c.Recipient)
	if err := tx.insert(ctx, c); err != nil || len(lines) == 0 {
		return err
	}
	for i := range lines {
		lines[i].CreditNoteID, lines[i].Position = c.ID, i+1
	}
	return tx.insert(ctx, &lines)
}
