package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// LineLocation is the table that keeps a file line.
type LineLocation struct {
	CreditorID    int64 // zero for an account that no creditor has
	LineKey       models.LineKey
	Table         string        `gorm:"column:kept_in"` // EntriesTable, UnmatchedTable or TwinsTable
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
	posted, err := r.postedLocations(ctx, creditorIDs, keys)
	if err != nil {
		return nil, err
	}
	aside, err := scan[[]LineLocation](r.with(ctx).Raw(`SELECT '`+UnmatchedTable+`' AS kept_in, creditor_id, line_key, payment_file_id, amount
		FROM unmatched_payments WHERE creditor_id IN ? AND line_key IN ?
		UNION ALL SELECT '`+TwinsTable+`', creditor_id, line_key, payment_file_id, amount
		FROM payment_twins WHERE creditor_id IN ? AND line_key IN ?`, creditorIDs, keys, creditorIDs, keys))
	if err != nil {
		return nil, err
	}
	return append(posted, aside...), nil
}

// postedLocations returns which lines the ledger has. The lines of a file were posted one after the other: so it reads the entries
// from the first line's to the last line's in their order, and looks up by their keys only those that are not among them. The
// ledger's unique key lets a creditor have a line once.
func (r reads) postedLocations(ctx context.Context, creditorIDs []int64, keys [][]byte) (all []LineLocation, err error) {
	// The IDs may spread over so many times the lines: a cluster's nodes give every third ID, and others post at the same time.
	const spread = 4
	holders := slices.DeleteFunc(slices.Clone(creditorIDs), func(id int64) bool { return id == 0 }) // nobody has no ledger
	if len(holders) == 0 || len(keys) == 0 {
		return nil, nil
	}
	entries := func() *gorm.DB {
		return r.with(ctx).Table(EntriesTable).Select("'" + EntriesTable + "' AS kept_in, creditor_id, line_key, payment_file_id, -amount AS amount")
	}
	var ends []int64
	if len(holders) == 1 && len(keys) > 2 {
		err := r.with(ctx).Table(EntriesTable).Where("creditor_id = ? AND line_key IN ?", holders[0], [][]byte{keys[0], keys[len(keys)-1]}).
			Order("id").Pluck("id", &ends).Error
		if err != nil {
			return nil, classify(err, "")
		}
	}
	if len(ends) == 2 && ends[1]-ends[0] <= spread*int64(len(keys)) {
		between, err := scan[[]LineLocation](entries().Where("id BETWEEN ? AND ? AND creditor_id = ? AND line_key IS NOT NULL", ends[0], ends[1], holders[0]))
		if err != nil {
			return nil, err
		}
		found := make(map[string]LineLocation, len(between))
		for _, at := range between {
			found[string(at.LineKey)] = at
		}
		var others [][]byte
		for _, key := range keys {
			if at, is := found[string(key)]; is {
				all = append(all, at)
			} else {
				others = append(others, key)
			}
		}
		keys = others
	}
	if len(keys) == 0 {
		return all, nil
	}
	others, err := scan[[]LineLocation](entries().Where("creditor_id IN ? AND line_key IN ?", holders, keys))
	if err != nil {
		return nil, err
	}
	return append(all, others...), nil
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
