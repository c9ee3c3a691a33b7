package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// StatementEntry is an entry with the numbers of its documents.
type StatementEntry struct {
	models.Entry     `gorm:"embedded"`
	InvoiceNumber    int64
	CreditNoteNumber int64 // 0 for an entry of the invoice itself
}

// BalanceBefore returns the sum of the customer's entries that are dated before the day.
func (r reads) BalanceBefore(ctx context.Context, creditorID, customerID int64, day models.Date) (models.Amount, error) {
	return scan[models.Amount](r.from(ctx, "entries", "entries_customer").Select("COALESCE(SUM(amount), 0)").
		Where("customer_id = ? AND creditor_id = ? AND transaction_date < ?", customerID, creditorID, day))
}

// StatementEntries returns up to limit of the customer's entries on some days, in order of date.
func (r reads) StatementEntries(ctx context.Context, creditorID, customerID int64, d Dates, limit int) ([]StatementEntry, error) {
	entries := d.apply(r.from(ctx, "entries", "entries_customer").Where("entries.customer_id = ? AND entries.creditor_id = ?", customerID, creditorID), "transaction_date")
	return scan[[]StatementEntry](numbered(entries).Order("entries.transaction_date, entries.id").Limit(limit))
}

// numbered adds the numbers of their documents to a query of entries.
func numbered(entries *gorm.DB) *gorm.DB {
	return entries.Joins("JOIN invoices ON invoices.id = entries.invoice_id").Joins("LEFT JOIN credit_notes ON credit_notes.id = entries.credit_note_id").
		Select(numberedColumns)
}

const numberedColumns = "entries.*, invoices.number AS invoice_number, COALESCE(credit_notes.number, 0) AS credit_note_number"

// OpenDocument is an invoice or a credit note whose balance is not zero.
type OpenDocument struct {
	InvoiceID    int64 // of a credit note the credited invoice
	CreditNoteID int64 // 0 for an invoice
	Number       int64
	IssueDate    models.Date
	DueDate      models.Date // zero for a credit note
	Closed       models.Closing
	Balance      models.Amount // the sum of its entries up to the day; below zero for credit
	// RepaymentOwed is how much of an invoice's balance is a repayment owed (rule D96): as it is now, and no more than the balance.
	RepaymentOwed models.Amount
	// WrittenOff is what a run has written off of an invoice (rule L25), as it is now: what of the balance is below it is credit.
	WrittenOff models.Amount
}

// Credit returns how much of the document is the customer's, and Owed what is owed on it. They differ by the balance.
func (d OpenDocument) Credit() models.Amount { return max(d.WrittenOff-d.Balance, 0) }

// Owed returns what is owed on the document, see Credit.
func (d OpenDocument) Owed() models.Amount { return d.Balance + d.Credit() }

// OpenDocuments returns the customer's documents whose balance at the end of a day is not zero, in order of date. The
// balance is that of the entries with dates up to the day; a zero day takes all entries.
func (r reads) OpenDocuments(ctx context.Context, creditorID, customerID int64, day models.Date) ([]OpenDocument, error) {
	sums := Dates{To: day}.apply(r.from(ctx, "entries", "entries_customer").Where("customer_id = ? AND creditor_id = ?", customerID, creditorID), "transaction_date").
		Select("invoice_id, credit_note_id, SUM(amount) AS balance").Group("invoice_id, credit_note_id").Having("SUM(amount) <> 0")
	return scan[[]OpenDocument](r.with(ctx).Table("(?) AS sums", sums).Joins("JOIN invoices AS i ON i.id = sums.invoice_id").
		Joins("LEFT JOIN credit_notes AS c ON c.id = sums.credit_note_id").
		Select(`sums.invoice_id, sums.credit_note_id, sums.balance, i.closed, CASE WHEN c.id IS NULL THEN i.written_off ELSE 0 END AS written_off,
			CASE WHEN c.id IS NOT NULL OR sums.balance <= 0 THEN 0 WHEN i.repayment_owed > sums.balance THEN sums.balance ELSE i.repayment_owed END AS repayment_owed, COALESCE(c.number, i.number) AS number,
			COALESCE(c.issue_date, i.issue_date) AS issue_date, CASE WHEN c.id IS NULL THEN i.due_date END AS due_date`).
		Order("issue_date, number"))
}
