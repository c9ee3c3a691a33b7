package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// Relation is one that says what amounts of a creditor's rows add up to.
type Relation int

// The relations of amounts.
const (
	InvoiceBalance    Relation = iota // an invoice's balance is the sum of its entries
	CreditNoteBalance                 // and so is a credit note's
	InvoiceGross                      // an invoice's gross amount is that of its INVOICE entry
	CreditNoteGross                   // a credit note's is the opposite of the CREDIT_NOTE entry that opened it
	InvoiceLines                      // an invoice's gross amount is the sum of its lines
	NoticeLines                       // and so is a notice's
	CreditNoteLines                   // and a partial credit note's
	Credited                          // an invoice's credit notes credit no more than it is of
	MatchedAmount                     // what a person has matched with one invoice is the sum of the payment's entries
	WrittenOff                        // what a run has written off stands on a closed invoice, and is no more than it was of
	RepaymentOwed                     // an invoice's repayment owed is what of its balance is neither principal nor charge
	Collected                         // a payment that the debt collector reported is booked with its amount, or was deleted by a person
	ClaimFile                         // a file of claims that was not given up is of what its claims and cancellations are of
	ManualMatches                     // a file's amount of manual matches is the sum of their entries, those of undone matches included
)

// Mismatch is a row whose stored amount differs from the amount that other rows add up to.
type Mismatch struct {
	Relation Relation
	ID       int64
	Kept     models.Amount
	Computed models.Amount
}

// AmountMismatches returns up to 100 mismatches of the creditor's rows for each of the relations. It asks one question: where there
// are many rows, several calls for one relation each are faster, at the same time.
func (r reads) AmountMismatches(ctx context.Context, creditorID int64, relations ...Relation) (all []Mismatch, err error) {
	var asks []string
	d := dialect(r.db.Name())
	for _, relation := range relations {
		ask := fmt.Sprintf("SELECT %d AS relation, id, kept, computed FROM (%s LIMIT 100", relation, mismatchesOf(relation, d))
		if len(relations) > 1 {
			ask = apart(d, ask)
		}
		asks = append(asks, ask)
	}
	text := strings.Join(asks, unionAll)
	var m Mismatch
	err = r.each(ctx, text, slices.Repeat([]any{creditorID}, strings.Count(text, "?")), func() { all = append(all, m) }, &m.Relation, &m.ID, &m.Kept, &m.Computed)
	return all, err
}

// mismatchesOf returns the end of the query of a relation's mismatches, of which each parameter is the creditor's ID.
//
// The sum of no rows is zero. The indexes have the creditor's documents in order of ID: so the rows that are added up are read in
// about the order in which they were written. No sum stands beside a column of the document, which TiDB does not take. For the INVOICE entries MySQL is told to sort the rows: by itself it would look
// each up in a table of its own, which takes three times as long. For SQLite that hint is a comment.
func mismatchesOf(relation Relation, d dialect) string {
	sums := func(table, index, kept, sum string) string {
		if d == dialectMySQL {
			table += " FORCE INDEX (" + index + ")"
		}
		return "SELECT id, " + kept + " AS kept, COALESCE((" + sum + "), 0) AS computed FROM " + table + " WHERE creditor_id = ?) AS sums WHERE kept <> computed ORDER BY id"
	}
	switch relation {
	case InvoiceBalance:
		return sums("invoices", "invoices_list", "balance", "SELECT SUM(e.amount) FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0")
	case CreditNoteBalance:
		return sums("credit_notes", "credit_notes_creditor", "balance",
			"SELECT SUM(e.amount) FROM entries e WHERE e.invoice_id = credit_notes.invoice_id AND e.credit_note_id = credit_notes.id")
	case InvoiceGross:
		return `SELECT /*! SQL_BIG_RESULT */ id, SUM(gross) AS kept, SUM(posted) AS computed FROM (
				SELECT id, 1 AS there, gross, 0 AS posted FROM invoices WHERE creditor_id = ?
				UNION ALL
				SELECT invoice_id, 0, 0, amount FROM entries WHERE creditor_id = ? AND type = 'INVOICE' AND credit_note_id = 0
			) AS issued GROUP BY id HAVING SUM(there) = 1 AND SUM(gross) <> SUM(posted)) AS sums`
	case CreditNoteGross:
		return sums("credit_notes", "credit_notes_creditor", "gross", `SELECT -SUM(e.amount) FROM entries e
			WHERE e.invoice_id = credit_notes.invoice_id AND e.credit_note_id = credit_notes.id AND e.type = 'CREDIT_NOTE' AND e.amount < 0`)
	case InvoiceLines:
		return sums("invoices", "invoices_list", "gross", `COALESCE((SELECT SUM(l.gross) FROM invoice_lines l WHERE l.invoice_id = invoices.id),
			CASE WHEN invoices.adopted THEN invoices.gross END)`)
	case NoticeLines:
		return sums("overdue_notices", "overdue_notices_creditor", "gross", "SELECT SUM(l.gross) FROM overdue_notice_lines l WHERE l.notice_id = overdue_notices.id")
	case CreditNoteLines:
		return sums("credit_notes", "credit_notes_creditor", "gross", `CASE WHEN credit_notes.partial
			THEN (SELECT SUM(l.gross) FROM credit_note_lines l WHERE l.credit_note_id = credit_notes.id) ELSE credit_notes.gross END`)
	case Credited:
		return `SELECT invoice_id AS id, MIN(total) AS kept, SUM(gross) AS computed FROM (
				SELECT n.invoice_id, n.gross, i.gross AS total FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id WHERE n.creditor_id = ?
			) AS notes GROUP BY invoice_id HAVING SUM(gross) > MIN(total)) AS sums`
	case WrittenOff:
		return `SELECT id, written_off AS kept, CASE WHEN closed = 'other' AND written_off BETWEEN 0 AND gross THEN written_off ELSE 0 END AS computed
			FROM invoices WHERE creditor_id = ?) AS sums WHERE kept <> computed ORDER BY id`
	case RepaymentOwed:
		return sums("invoices", "invoices_list", "repayment_owed", repaymentOwed(d))
	case MatchedAmount:
		return `SELECT u.id, CASE WHEN u.status = 'matched' THEN u.amount ELSE 0 END AS kept, COALESCE(-e.amount, 0) AS computed
			FROM unmatched_payments u LEFT JOIN entries e ON e.id = u.entry_id AND e.creditor_id = u.creditor_id AND e.type = 'OCR'
			WHERE u.creditor_id = ? AND u.further_entries IS NULL) AS sums WHERE kept <> computed`
	case Collected:
		return `SELECT r.id, r.amount AS kept, COALESCE(-e.amount, -d.amount, 0) AS computed FROM collection_reports r
			LEFT JOIN entries e ON e.id = r.entry_id AND e.creditor_id = r.creditor_id AND e.hand_over_id = r.hand_over_id
			LEFT JOIN deleted_entries d ON d.entry_id = r.entry_id AND d.creditor_id = r.creditor_id AND d.hand_over_id = r.hand_over_id
			WHERE r.creditor_id = ? AND r.state = 'paid') AS sums WHERE kept <> computed`
	case ClaimFile:
		return `SELECT id, amount AS kept, COALESCE((SELECT SUM(amount) FROM bank_claims WHERE file_id = f.id), 0) +
				COALESCE((SELECT SUM(amount) FROM bank_claims WHERE cancel_file_id = f.id), 0) AS computed
			FROM claim_files f WHERE creditor_id = ? AND state IN ('owed', 'delivered')) AS sums WHERE kept <> computed ORDER BY id`
	case ManualMatches:
		return `SELECT payment_file_id AS id, SUM(matched) AS kept, SUM(posted) AS computed FROM (
				SELECT payment_file_id, amount AS matched, 0 AS posted FROM unmatched_payments WHERE creditor_id = ? AND status = 'matched'
				UNION ALL
				SELECT payment_file_id, 0, -amount FROM entries WHERE creditor_id = ? AND line_key IS NULL AND type = 'OCR'
			) AS by_hand GROUP BY payment_file_id HAVING SUM(matched) <> SUM(posted)) AS sums`
	}
	panic(fmt.Sprint("store: there is no relation ", int(relation)))
}

// CountEntries returns how many entries the creditor has. It stops counting at most.
func (r reads) CountEntries(ctx context.Context, creditorID int64, most int) (n int, err error) {
	text := "SELECT COUNT(*) FROM (" + limited("SELECT 1 FROM entries WHERE creditor_id = ?", most) + ") AS some"
	err = r.each(ctx, text, []any{creditorID}, func() {}, &n)
	return n, err
}

// DayMismatch is by how much what is kept of a day's entries of one type differs from the entries.
type DayMismatch struct {
	Day    models.Date
	Type   models.EntryType
	Items  int
	Amount models.Amount
}

// DayMismatches returns up to 100 days of the creditor for which the entries' count or sum that a night has kept is not that
// of the entries (see CountLists).
func (r reads) DayMismatches(ctx context.Context, creditorID int64) ([]DayMismatch, error) {
	return scan[[]DayMismatch](r.with(ctx).Raw(`SELECT day, type, SUM(items) AS items, SUM(amount) AS amount FROM (
			SELECT day, type, items, amount FROM list_days WHERE creditor_id = ? AND list = 'entries'
			UNION ALL
			SELECT transaction_date, type, -COUNT(*), -SUM(amount) FROM entries WHERE creditor_id = ?
				AND id <= (SELECT MAX(last_id) FROM list_days WHERE creditor_id = ? AND list = 'entries') GROUP BY transaction_date, type
		) AS days GROUP BY day, type HAVING SUM(items) <> 0 OR SUM(amount) <> 0 ORDER BY day, type LIMIT 100`, creditorID, creditorID, creditorID))
}

// Series is what a creditor's number series holds.
type Series struct {
	Documents int64 // invoices and credit notes
	Lowest    int64
	Highest   int64
	Next      int64
	First     int64 // the creditor's first number
	Lost      int64 // numbers of documents that a restored backup does not hold
	LastLost  int64 // the highest of them
}

// Series returns what the creditor's number series holds.
func (r reads) Series(ctx context.Context, creditorID int64) (Series, error) {
	return scan[Series](r.with(ctx).Raw(`SELECT COUNT(n.number) AS documents, COALESCE(MIN(n.number), 0) AS lowest, COALESCE(MAX(n.number), 0) AS highest,
		(SELECT next_number FROM number_series WHERE creditor_id = ?) AS next, (SELECT first_number FROM creditors WHERE id = ?) AS first,
		(SELECT COALESCE(SUM(last - first + 1), 0) FROM lost_numbers WHERE creditor_id = ?) AS lost,
		(SELECT COALESCE(MAX(last), 0) FROM lost_numbers WHERE creditor_id = ?) AS last_lost
		FROM (SELECT number FROM invoices WHERE creditor_id = ? AND adopted = FALSE UNION ALL SELECT number FROM credit_notes WHERE creditor_id = ?) AS n`,
		creditorID, creditorID, creditorID, creditorID, creditorID, creditorID))
}

// StageMismatches returns the IDs of up to 100 invoices of the creditor whose stored stage differs from
// models.Invoice.Stage.
func (r reads) StageMismatches(ctx context.Context, creditorID int64) (wrong []int64, err error) {
	var i models.Invoice
	var kept models.Stage
	invoices := r.with(ctx).Raw("SELECT id, closed, handed_over, balance, repayment_owed, warned, notices, stage FROM invoices WHERE creditor_id = ?", creditorID)
	err = eachRow(invoices, func() {
		if i.Stage() != kept && len(wrong) < 100 {
			wrong = append(wrong, i.ID)
		}
	}, &i.ID, &i.Closed, &i.HandedOver, &i.Balance, &i.RepaymentOwed, &i.Warned, &i.Notices, &kept)
	return wrong, err
}

// FileTotal is a creditor's part of a payment file, with the totals of the ledger and the queue for the file.
type FileTotal struct {
	Part            models.PaymentFilePart `gorm:"embedded"`
	State           models.FileState
	Entries         int
	EntriesAmount   models.Amount // as money in: the opposite of the entries' sum
	Queued          int
	QueuedMoneyIn   models.Amount
	QueuedMagnitude models.Amount
}

// FileTotals returns a FileTotal for each of the creditor's parts of files. It reads each of the creditor's entries and
// unmatched payments once, however many files there are. It counts the entries that have a line of a file; to ask for these
// alone would have MariaDB read them in the order of their keys, which is none.
func (r reads) FileTotals(ctx context.Context, creditorID int64) ([]FileTotal, error) {
	return scan[[]FileTotal](r.with(ctx).Raw(`SELECT p.*, f.state,
		COALESCE(e.entries, 0) + COALESCE(u.spread, 0) AS entries, COALESCE(e.amount, 0) + COALESCE(u.spread_amount, 0) AS entries_amount,
		COALESCE(u.queued, 0) AS queued, COALESCE(u.money_in, 0) AS queued_money_in, COALESCE(u.magnitude, 0) AS queued_magnitude
		FROM payment_file_parts p JOIN payment_files f ON f.id = p.payment_file_id
		LEFT JOIN (SELECT payment_file_id, COUNT(line_key) AS entries, -SUM(CASE WHEN line_key IS NULL THEN 0 ELSE amount END) AS amount FROM entries
			WHERE creditor_id = ? AND type = ? GROUP BY payment_file_id) e ON e.payment_file_id = p.payment_file_id
		LEFT JOIN (SELECT payment_file_id, SUM(letter_id = 0) AS queued, SUM(CASE WHEN letter_id = 0 THEN amount ELSE 0 END) AS money_in,
				SUM(CASE WHEN letter_id = 0 THEN ABS(amount) ELSE 0 END) AS magnitude, SUM(letter_id <> 0) AS spread, SUM(CASE WHEN letter_id = 0 THEN 0 ELSE amount END) AS spread_amount
			FROM unmatched_payments
			WHERE creditor_id = ? GROUP BY payment_file_id) u ON u.payment_file_id = p.payment_file_id
		WHERE p.creditor_id = ? ORDER BY p.payment_file_id`, creditorID, models.EntryOCR, creditorID, creditorID))
}

// SplitMismatches returns up to 100 of the creditor's payments that were spread over several invoices, by a person or by a letter's KID, and whose
// amount is not the sum of their entries.
func (r reads) SplitMismatches(ctx context.Context, creditorID int64) (found []Mismatch, err error) {
	payments, err := readAll[models.UnmatchedPayment](r.with(ctx).Where("creditor_id = ? AND further_entries IS NOT NULL", creditorID).Order("id"))
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(payments, 500) {
		amounts, err := r.ocrAmounts(ctx, creditorID, some)
		if err != nil {
			return nil, err
		}
		for _, u := range some {
			m := Mismatch{Relation: MatchedAmount, ID: u.ID}
			if u.Status == models.PaymentMatched {
				m.Kept = u.Amount
			}
			for _, id := range u.EntryIDs() {
				m.Computed -= amounts[id]
			}
			if m.Kept != m.Computed && len(found) < 100 {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

// ocrAmounts returns the amounts of the payments' entries from the bank, by the entry's ID.
func (r reads) ocrAmounts(ctx context.Context, creditorID int64, payments []models.UnmatchedPayment) (map[int64]models.Amount, error) {
	var ids []int64
	for _, u := range payments {
		ids = append(ids, u.EntryIDs()...)
	}
	type posted struct {
		ID     int64
		Amount models.Amount
	}
	rows, err := scan[[]posted](r.with(ctx).Model(&models.Entry{}).Select("id, amount").Where("creditor_id = ? AND type = ? AND id IN ?", creditorID, models.EntryOCR, ids))
	if err != nil {
		return nil, err
	}
	amounts := make(map[int64]models.Amount, len(rows))
	for _, e := range rows {
		amounts[e.ID] = e.Amount
	}
	return amounts, nil
}
