package store

import (
	"context"
	"fmt"

	"purr/models"
)

// Mismatch is a row whose kept amount is not what follows from other rows.
type Mismatch struct {
	ID       int64
	Kept     models.Amount
	Computed models.Amount
}

// BalanceMismatches returns up to 100 invoices of the creditor whose balance is not the sum of their
// entries.
func (r reads) BalanceMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.balance AS kept, COALESCE(SUM(e.amount), 0) AS computed
		FROM invoices d LEFT JOIN entries e ON e.invoice_id = d.id AND e.credit_note_id = 0
		WHERE d.creditor_id = ? GROUP BY d.id, d.balance HAVING d.balance <> COALESCE(SUM(e.amount), 0) LIMIT 100`, creditorID)
}

// CreditBalanceMismatches does for credit notes what BalanceMismatches does for invoices.
func (r reads) CreditBalanceMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.balance AS kept, COALESCE(SUM(e.amount), 0) AS computed
		FROM credit_notes d LEFT JOIN entries e ON e.invoice_id = d.invoice_id AND e.credit_note_id = d.id
		WHERE d.creditor_id = ? GROUP BY d.id, d.balance HAVING d.balance <> COALESCE(SUM(e.amount), 0) LIMIT 100`, creditorID)
}

// GrossMismatches returns up to 100 invoices of the creditor whose gross amount is not that of their INVOICE
// entry.
func (r reads) GrossMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.gross AS kept, COALESCE(SUM(e.amount), 0) AS computed
		FROM invoices d LEFT JOIN entries e ON e.invoice_id = d.id AND e.credit_note_id = 0 AND e.type = 'INVOICE'
		WHERE d.creditor_id = ? GROUP BY d.id, d.gross HAVING d.gross <> COALESCE(SUM(e.amount), 0) LIMIT 100`, creditorID)
}

// CreditGrossMismatches returns up to 100 credit notes of the creditor whose gross amount is not the opposite
// of the CREDIT_NOTE entry that opened them.
func (r reads) CreditGrossMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.gross AS kept, COALESCE(-SUM(e.amount), 0) AS computed
		FROM credit_notes d LEFT JOIN entries e ON e.invoice_id = d.invoice_id AND e.credit_note_id = d.id AND e.type = 'CREDIT_NOTE' AND e.amount < 0
		WHERE d.creditor_id = ? GROUP BY d.id, d.gross HAVING d.gross <> COALESCE(-SUM(e.amount), 0) LIMIT 100`, creditorID)
}

// NoticeMismatches returns up to 100 notices of the creditor whose gross amount is not the sum of their
// lines.
func (r reads) NoticeMismatches(ctx context.Context, creditorID int64) ([]Mismatch, error) {
	return r.mismatches(ctx, `SELECT d.id, d.gross AS kept, COALESCE(SUM(l.gross), 0) AS computed
		FROM overdue_notices d LEFT JOIN overdue_notice_lines l ON l.notice_id = d.id
		WHERE d.creditor_id = ? GROUP BY d.id, d.gross HAVING d.gross <> COALESCE(SUM(l.gross), 0) LIMIT 100`, creditorID)
}

func (r reads) mismatches(ctx context.Context, query string, creditorID int64) ([]Mismatch, error) {
	var found []Mismatch
	err := r.with(ctx).Raw(query, creditorID).Scan(&found).Error
	return found, classify(err, "")
}

// Series is what a creditor's number series holds.
type Series struct {
	Documents int64 // invoices and credit notes
	Lowest    int64
	Highest   int64
	Next      int64
	First     int64 // where the creditor lets it start
}

// Series returns what the creditor's number series holds.
func (r reads) Series(ctx context.Context, creditorID int64) (Series, error) {
	var s Series
	err := r.with(ctx).Raw(`SELECT COUNT(n.number) AS documents, COALESCE(MIN(n.number), 0) AS lowest, COALESCE(MAX(n.number), 0) AS highest,
		(SELECT next_number FROM number_series WHERE creditor_id = ?) AS next, (SELECT first_number FROM creditors WHERE id = ?) AS first
		FROM (SELECT number FROM invoices WHERE creditor_id = ? UNION ALL SELECT number FROM credit_notes WHERE creditor_id = ?) AS n`,
		creditorID, creditorID, creditorID, creditorID).Scan(&s).Error
	return s, classify(err, "")
}

// StageMismatches returns up to 100 invoices of the creditor, by ID, whose kept stage is not the one that
// models.Invoice.Stage tells.
func (r reads) StageMismatches(ctx context.Context, creditorID int64) ([]int64, error) {
	var wrong []int64
	for last := int64(0); len(wrong) < 100; {
		var page []struct {
			models.Invoice `gorm:"embedded"`
			Kept           models.Stage `gorm:"column:stage"`
		}
		err := r.with(ctx).Table("invoices").Select("id, closed, handed_over, balance, warned, notices, stage").
			Where("creditor_id = ? AND id > ?", creditorID, last).Order("id").Limit(1000).Find(&page).Error
		if err != nil || len(page) == 0 {
			return wrong, classify(err, "")
		}
		for _, row := range page {
			if row.Stage() != row.Kept {
				wrong = append(wrong, row.ID)
			}
		}
		last = page[len(page)-1].ID
	}
	return wrong, nil
}

// FileSum is what a creditor's part of a payment file says, beside what the ledger and the queue hold of
// the file.
type FileSum struct {
	Part            models.PaymentFilePart `gorm:"embedded"`
	State           models.FileState
	Entries         int
	EntriesAmount   models.Amount // as money in: the opposite of the entries' sum
	Queued          int
	QueuedMoneyIn   models.Amount
	QueuedMagnitude models.Amount
}

// FileSums returns the creditor's parts of all files at their end.
func (r reads) FileSums(ctx context.Context, creditorID int64) ([]FileSum, error) {
	var sums []FileSum
	err := r.with(ctx).Raw(fmt.Sprintf(`SELECT p.*, f.state,
		(SELECT COUNT(*) FROM entries e WHERE e.creditor_id = p.creditor_id AND e.payment_file_id = p.payment_file_id AND e.type = '%[1]s' AND e.line_key IS NOT NULL) AS entries,
		(SELECT COALESCE(-SUM(e.amount), 0) FROM entries e WHERE e.creditor_id = p.creditor_id AND e.payment_file_id = p.payment_file_id AND e.type = '%[1]s' AND e.line_key IS NOT NULL) AS entries_amount,
		(SELECT COUNT(*) FROM unmatched_payments u WHERE u.creditor_id = p.creditor_id AND u.payment_file_id = p.payment_file_id) AS queued,
		(SELECT COALESCE(SUM(u.amount), 0) FROM unmatched_payments u WHERE u.creditor_id = p.creditor_id AND u.payment_file_id = p.payment_file_id) AS queued_money_in,
		(SELECT COALESCE(SUM(ABS(u.amount)), 0) FROM unmatched_payments u WHERE u.creditor_id = p.creditor_id AND u.payment_file_id = p.payment_file_id) AS queued_magnitude
		FROM payment_file_parts p JOIN payment_files f ON f.id = p.payment_file_id WHERE p.creditor_id = ? ORDER BY p.payment_file_id`, models.EntryOCR),
		creditorID).Scan(&sums).Error
	return sums, classify(err, "")
}
