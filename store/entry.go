package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// EntryFilter narrows a list of entries. The zero filter takes all.
type EntryFilter struct {
	CustomerID int64
	Type       models.EntryType
	Dates      Dates // of the transaction
}

// Entry returns one entry of the creditor.
func (r reads) Entry(ctx context.Context, creditorID, id int64) (models.Entry, error) {
	return readOne[models.Entry](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "transaction")
}

// EntriesByID returns those of the creditor's entries with the IDs, oldest first.
func (r reads) EntriesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Entry, error) {
	return readAll[models.Entry](r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id"))
}

// EntriesOfInvoice returns the entries of the invoice itself, oldest first.
func (r reads) EntriesOfInvoice(ctx context.Context, invoiceID int64) ([]models.Entry, error) {
	return r.entriesOf(ctx, "invoice_id = ? AND credit_note_id = 0", invoiceID)
}

// EntriesOfInvoicesAndCreditNotes does for several invoices what EntriesOfInvoiceAndCreditNote does for one, by the invoice's ID.
func (r reads) EntriesOfInvoicesAndCreditNotes(ctx context.Context, invoiceIDs []int64) (map[int64][]models.Entry, error) {
	entries := r.with(ctx).Where("invoice_id IN ?", invoiceIDs).Order("id")
	return readGroups(entries, func(e models.Entry) int64 { return e.InvoiceID })
}

// EntriesOfInvoiceAndCreditNote returns the entries of the invoice and of its credit notes, oldest first. A credit note always has an
// entry.
func (r reads) EntriesOfInvoiceAndCreditNote(ctx context.Context, invoiceID int64) ([]models.Entry, error) {
	return entriesOfInvoiceAndCreditNote.all(ctx, r, invoiceID)
}

// The index is named: of a table that has grown in the last seconds MariaDB thinks that it is nearly empty, and would read all of it.
var entriesOfInvoiceAndCreditNote = selecting[models.Entry]("FROM entries /*! FORCE INDEX (entries_document) */ WHERE invoice_id = ? ORDER BY id")

// EntriesOfCreditNote returns the entries of a credit note of the invoice, oldest first.
func (r reads) EntriesOfCreditNote(ctx context.Context, c models.CreditNote) ([]models.Entry, error) {
	return r.entriesOf(ctx, "invoice_id = ? AND credit_note_id = ?", c.InvoiceID, c.ID)
}

func (r reads) entriesOf(ctx context.Context, where string, args ...any) ([]models.Entry, error) {
	return readAll[models.Entry](r.with(ctx).Where(where, args...).Order("id"))
}

// Entries returns a page of the creditor's entries that the filter takes, and the number of all of them.
func (r reads) Entries(ctx context.Context, creditorID int64, f EntryFilter, p Page) ([]models.Entry, int64, error) {
	narrow := func(g *gorm.DB) *gorm.DB {
		g = f.Dates.apply(g.Where("creditor_id = ?", creditorID), "transaction_date")
		if f.Type != "" {
			g = g.Where("type = ?", f.Type)
		}
		return g
	}
	if f.CustomerID != 0 {
		return find[models.Entry](ctx, narrow(r.with(ctx).Where("customer_id = ?", f.CustomerID)), p)
	}
	s, err := r.span(ctx, entryList, creditorID, f.Dates, f.Type)
	if err != nil || p.beyond(s.Items) {
		return nil, s.Items, err
	}
	index := entryList.index
	if f.Type != "" {
		index = "entries_type"
	}
	ids := p.within(narrow(r.from(ctx, "entries", index)).Where("id BETWEEN ? AND ?", s.First, s.Last))
	if f == (EntryFilter{}) {
		if ids, err = p.from(ctx, r, entryList, creditorID, narrow(r.from(ctx, "entries", index))); err != nil {
			return nil, 0, err
		}
	}
	es, err := pageOf[models.Entry](r.with(ctx), ids)
	return es, s.Items, err
}

// CreateEntries writes new entries and sets their IDs and CreatedAt. It does not change balances: RefreshBalances
// does.
func (tx *Tx) CreateEntries(ctx context.Context, es []models.Entry) error {
	for i := range es {
		es[i].CreatedAt = tx.Now
	}
	return tx.insert(ctx, &es)
}

// DeleteEntry deletes a payment that a person registered, and keeps what it was for the months (rule N5). The caller has locked its
// document, and keeps the entry in an event (rule D31).
func (tx *Tx) DeleteEntry(ctx context.Context, e models.Entry) error {
	if err := tx.uncount(ctx, entryList, countedRow{e.CreditorID, e.ID, e.TransactionDate, e.Type, e.Amount}); err != nil {
		return err
	}
	if err := tx.keepDeleted(ctx, e); err != nil {
		return err
	}
	return classify(tx.with(ctx).Where("id = ? AND creditor_id = ?", e.ID, e.CreditorID).Delete(&models.Entry{}).Error, "transaction")
}

// deletedEntry is what is kept of a deleted entry, so that a month that is over stays as it was (rule N5).
type deletedEntry struct {
	ID              int64 // in the order of the deletions
	EntryID         int64
	CreditorID      int64
	CustomerID      int64
	InvoiceID       int64
	CreditNoteID    int64
	Type            models.EntryType
	Amount          models.Amount
	TransactionDate models.Date
	Comment         string
	MovedFrom       int64
	MovedTo         int64
	HandOverID      int64
	CreatedAt       time.Time
	DeletedAt       time.Time
}

// TableName names the table.
func (deletedEntry) TableName() string { return "deleted_entries" }

// keepDeleted keeps an entry that is being deleted.
func (tx *Tx) keepDeleted(ctx context.Context, e models.Entry) error {
	return tx.insert(ctx, &deletedEntry{
		EntryID: e.ID, CreditorID: e.CreditorID, CustomerID: e.CustomerID, InvoiceID: e.InvoiceID, CreditNoteID: e.CreditNoteID, Type: e.Type,
		Amount: e.Amount, TransactionDate: e.TransactionDate, Comment: e.Comment, MovedFrom: e.MovedFrom, MovedTo: e.MovedTo,
		HandOverID: e.HandOverID, CreatedAt: e.CreatedAt, DeletedAt: tx.Now,
	})
}

// RefreshBalances sets the balances of the invoices, which the caller has locked, to the sum of their entries (rule D33).
func (tx *Tx) RefreshBalances(ctx context.Context, invoiceIDs ...int64) error {
	return classify(tx.with(ctx).Exec(`UPDATE invoices SET balance =
		(SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0)
		WHERE id IN ?`, invoiceIDs).Error, "")
}

// SettleInvoices sets the balances of the invoices, and the repayments that they owe, to zero. The caller has locked them and knows that their
// entries add up to zero. That takes a third less time than adding up the entries.
func (tx *Tx) SettleInvoices(ctx context.Context, invoiceIDs ...int64) error {
	return tx.set(ctx, &models.Invoice{}, map[string]any{"balance": 0, "repayment_owed": 0}, "id IN ?", invoiceIDs)
}

// RefreshCreditNoteBalances does for credit notes what RefreshBalances does for invoices.
func (tx *Tx) RefreshCreditNoteBalances(ctx context.Context, creditNoteIDs ...int64) error {
	return classify(tx.with(ctx).Exec(`UPDATE credit_notes SET balance =
		(SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = credit_notes.invoice_id AND e.credit_note_id = credit_notes.id)
		WHERE id IN ?`, creditNoteIDs).Error, "")
}

// NewestEntry returns when the newest entry of all creditors was written, and false if there is none.
func (r reads) NewestEntry(ctx context.Context) (time.Time, bool, error) {
	e, found, err := readFirst[models.Entry](r.with(ctx).Order("id DESC"))
	if err != nil {
		return time.Time{}, false, err
	}
	return e.CreatedAt, found, nil
}
