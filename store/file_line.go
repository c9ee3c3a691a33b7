package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// LineLocation is the table that keeps a file line.
type LineLocation struct {
	Table         string // EntriesTable, UnmatchedTable or TwinsTable
	CreditorID    int64  // zero for an account that no creditor has
	LineKey       models.LineKey
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
	all, err := r.linesInARow(ctx, creditorIDs, keys)
	if err != nil {
		return nil, err
	}
	posted := make(map[string]bool, len(all))
	for _, at := range all {
		posted[string(at.LineKey)] = true
	}
	others := slices.DeleteFunc(slices.Clone(keys), func(key []byte) bool { return posted[string(key)] })
	if len(others) == 0 {
		return all, nil
	}
	elsewhere, err := locations(r.with(ctx).Raw(`SELECT 'entries', creditor_id, line_key, payment_file_id, -amount
		FROM entries WHERE creditor_id IN ? AND line_key IN ?
		UNION ALL SELECT 'unmatched_payments', creditor_id, line_key, payment_file_id, amount
		FROM unmatched_payments WHERE creditor_id IN ? AND line_key IN ?
		UNION ALL SELECT 'payment_twins', creditor_id, line_key, payment_file_id, amount
		FROM payment_twins WHERE creditor_id IN ? AND line_key IN ?`, creditorIDs, others, creditorIDs, others, creditorIDs, others))
	if err != nil {
		return nil, err
	}
	return append(all, elsewhere...), nil
}

// linesInARow does what LineLocations does, but only for lines that the ledger of the one creditor has between the first key's
// and the last one's. The lines of a file were posted one after the other. So this reads them in their order, and names no key.
func (r reads) linesInARow(ctx context.Context, creditorIDs []int64, keys [][]byte) ([]LineLocation, error) {
	// The IDs may spread over so many times the lines: a cluster's nodes give every third ID, and others post at the same time.
	const spread = 4
	holders := slices.DeleteFunc(slices.Clone(creditorIDs), func(id int64) bool { return id == 0 }) // nobody has no ledger
	if len(holders) != 1 || len(keys) < 3 {
		return nil, nil
	}
	holder, ends := holders[0], []int64(nil)
	err := r.with(ctx).Table(EntriesTable).Where("creditor_id = ? AND line_key IN ?", holder, [][]byte{keys[0], keys[len(keys)-1]}).
		Order("id").Pluck("id", &ends).Error
	if err != nil || len(ends) != 2 || ends[1]-ends[0] > spread*int64(len(keys)) {
		return nil, classify(err, "")
	}
	all, err := locations(r.with(ctx).Raw(`SELECT 'entries', creditor_id, line_key, payment_file_id, -amount
		FROM entries WHERE id BETWEEN ? AND ? AND creditor_id = ? AND line_key IS NOT NULL
		UNION ALL SELECT 'unmatched_payments', o.creditor_id, o.line_key, o.payment_file_id, o.amount
		FROM entries e JOIN unmatched_payments o ON o.creditor_id IN ? AND o.line_key = e.line_key WHERE e.id BETWEEN ? AND ? AND e.creditor_id = ?
		UNION ALL SELECT 'payment_twins', o.creditor_id, o.line_key, o.payment_file_id, o.amount
		FROM entries e JOIN payment_twins o ON o.creditor_id IN ? AND o.line_key = e.line_key WHERE e.id BETWEEN ? AND ? AND e.creditor_id = ?`,
		ends[0], ends[1], holder, creditorIDs, ends[0], ends[1], holder, creditorIDs, ends[0], ends[1], holder))
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(keys))
	for _, key := range keys {
		asked[string(key)] = true
	}
	return slices.DeleteFunc(all, func(at LineLocation) bool { return !asked[string(at.LineKey)] }), nil
}

// locations returns the lines that the query finds, with the columns in the order of LineLocation's fields.
func locations(g *gorm.DB) (all []LineLocation, err error) {
	var at LineLocation
	err = eachRow(g, func() { all = append(all, at) }, &at.Table, &at.CreditorID, &at.LineKey, &at.PaymentFileID, &at.Amount)
	return all, err
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
