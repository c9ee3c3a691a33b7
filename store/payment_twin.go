package store

import (
	"context"

	"purr/models"
)

// PaymentLine is a line of a payment file as the ledger, the queue or the twins hold it.
type PaymentLine struct {
	LineKey           models.LineKey
	Format            string // of the file
	InvoiceID         int64  // of an entry; zero for the others
	CreditNoteID      int64
	Account           string // that was paid to; empty for an entry
	KID               string `gorm:"column:kid"` // as received; empty for an entry
	Amount            models.Amount
	TransactionDate   models.Date
	FromAccountNumber string
}

// PaymentLines returns the lines of the creditor that were posted on the invoices or their credit notes, and
// those in the queue and among the twins that came with the KIDs.
func (r reads) PaymentLines(ctx context.Context, creditorID int64, invoiceIDs []int64, kids []string) ([]PaymentLine, error) {
	var all []PaymentLine
	err := r.with(ctx).Raw(`SELECT l.line_key, f.format, l.invoice_id, l.credit_note_id, -l.amount AS amount, l.transaction_date, l.from_account_number
		FROM entries l JOIN payment_files f ON f.id = l.payment_file_id
		WHERE l.creditor_id = ? AND l.invoice_id IN ? AND l.line_key IS NOT NULL`, creditorID, invoiceIDs).Scan(&all).Error
	for _, table := range []string{"unmatched_payments", "payment_twins"} {
		if err != nil {
			break
		}
		var some []PaymentLine
		err = r.with(ctx).Raw(`SELECT l.line_key, f.format, l.account, l.kid, l.amount, l.transaction_date, l.from_account_number
			FROM `+table+` l JOIN payment_files f ON f.id = l.payment_file_id
			WHERE l.creditor_id = ? AND l.kid IN ?`, creditorID, kids).Scan(&some).Error
		all = append(all, some...)
	}
	return all, classify(err, "")
}

// HasFilesOf reports whether any file of the format was ever received.
func (r reads) HasFilesOf(ctx context.Context, format string) (bool, error) {
	var ids []int64
	err := r.with(ctx).Model(&models.PaymentFile{}).Where("format = ?", format).Limit(1).Pluck("id", &ids).Error
	return len(ids) > 0, classify(err, "")
}

// CreatePaymentTwins writes new twins and sets their IDs.
func (tx *Tx) CreatePaymentTwins(ctx context.Context, twins []models.PaymentTwin) error {
	return tx.insert(ctx, &twins)
}
