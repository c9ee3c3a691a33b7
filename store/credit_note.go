package store

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"purr/models"
)

var creditNoteOf = selecting[models.CreditNote]("FROM credit_notes WHERE invoice_id = ? LIMIT 1")

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

// CreditNoteOf returns the credit note of an invoice, and false if it has none.
func (r reads) CreditNoteOf(ctx context.Context, invoiceID int64) (models.CreditNote, bool, error) {
	return creditNoteOf.first(ctx, r, invoiceID)
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

// CreateCreditNote writes a new credit note and sets its ID and CreatedAt. It fails with a conflict if the invoice is
// credited already (rule D21).
func (tx *Tx) CreateCreditNote(ctx context.Context, c *models.CreditNote) error {
	c.CreatedAt = tx.Now
	c.Search, c.SearchDigit = documentSearch(c.Recipient)
	err := tx.insert(ctx, c)
	if errors.Is(err, ErrDuplicate) {
		return models.Conflict("already_credited", "the invoice is credited already")
	}
	return err
}
