package store

import (
	"context"
	"strings"

	"purr/models"
)

// LineLocation is the table that keeps a file line.
type LineLocation struct {
	CreditorID    int64 // zero for an account that no creditor has
	LineKey       models.LineKey
	Table         string        // EntriesTable, UnmatchedTable or TwinsTable
	PaymentFileID int64         // the file that brought it
	Amount        models.Amount // negative for money out
}

// The tables that keep file lines.
const (
	EntriesTable   = "entries"
	UnmatchedTable = "unmatched_payments"
	TwinsTable     = "payment_twins"
)

// LineLocations returns in which tables the creditors' lines with the keys are kept. If the books are right, each
// line of a creditor is in one table. Creditor zero stands for accounts that no creditor has.
func (r reads) LineLocations(ctx context.Context, creditorIDs []int64, keys [][]byte) ([]LineLocation, error) {
	var asks []string
	var args []any
	for table, amount := range map[string]string{EntriesTable: "-amount", UnmatchedTable: "amount", TwinsTable: "amount"} {
		asks = append(asks, "SELECT '"+table+"' AS `table`, creditor_id, line_key, payment_file_id, "+amount+" AS amount FROM "+table+
			" WHERE creditor_id IN ? AND line_key IN ?")
		args = append(args, creditorIDs, keys)
	}
	return scan[[]LineLocation](r.with(ctx).Raw(strings.Join(asks, " UNION ALL "), args...))
}

// PostedLines returns which of the lines are posted in the creditor's ledger: the file of each, by its key.
func (r reads) PostedLines(ctx context.Context, creditorID int64, keys [][]byte) (map[string]int64, error) {
	return r.linesIn(ctx, &models.Entry{}, creditorID, keys)
}

// QueuedLines returns which of the lines are or were unmatched payments of the creditor: the file of each, by its key.
func (r reads) QueuedLines(ctx context.Context, creditorID int64, keys [][]byte) (map[string]int64, error) {
	return r.linesIn(ctx, &models.UnmatchedPayment{}, creditorID, keys)
}

func (r reads) linesIn(ctx context.Context, table any, creditorID int64, keys [][]byte) (map[string]int64, error) {
	type line struct {
		LineKey       []byte
		PaymentFileID int64
	}
	rows, err := readAll[line](r.with(ctx).Model(table).Select("line_key, payment_file_id").Where("creditor_id = ? AND line_key IN ?", creditorID, keys))
	if err != nil {
		return nil, err
	}
	known := make(map[string]int64, len(rows))
	for _, row := range rows {
		known[string(row.LineKey)] = row.PaymentFileID
	}
	return known, nil
}

// PaymentLine is a file line as the ledger, the queue of unmatched payments or the table of twins keeps it.
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

// PaymentLines returns two sorts of the creditor's lines: those posted on the invoices or their credit notes, and
// those in the queue or among the twins with one of the KIDs.
func (r reads) PaymentLines(ctx context.Context, creditorID int64, invoiceIDs []int64, kids []string) ([]PaymentLine, error) {
	all, err := scan[[]PaymentLine](r.with(ctx).Raw(`SELECT l.line_key, f.format, l.invoice_id, l.credit_note_id, -l.amount AS amount, l.transaction_date, l.from_account_number
		FROM entries l JOIN payment_files f ON f.id = l.payment_file_id
		WHERE l.creditor_id = ? AND l.invoice_id IN ? AND l.line_key IS NOT NULL`, creditorID, invoiceIDs))
	if err != nil {
		return nil, err
	}
	for _, table := range []string{UnmatchedTable, TwinsTable} {
		some, err := scan[[]PaymentLine](r.with(ctx).Raw(`SELECT l.line_key, f.format, l.account, l.kid, l.amount, l.transaction_date, l.from_account_number
			FROM `+table+` l JOIN payment_files f ON f.id = l.payment_file_id
			WHERE l.creditor_id = ? AND l.kid IN ?`, creditorID, kids))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// CreatePaymentTwins writes new twins and sets their IDs.
func (tx *Tx) CreatePaymentTwins(ctx context.Context, twins []models.PaymentTwin) error {
	return tx.insert(ctx, &twins)
}
