package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

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

// lineTables are the tables that keep file lines, by their number in a query.
var lineTables = []string{EntriesTable, UnmatchedTable, TwinsTable}

// LineLocations returns in which tables the creditors' lines with the keys are kept. If the books are right, each
// line of a creditor is in one table. Creditor zero stands for accounts that no creditor has. The keys of each file are
// together, in the order of its lines.
func (r reads) LineLocations(ctx context.Context, creditorIDs []int64, files ...[][]byte) ([]LineLocation, error) {
	all, err := r.linesInRows(ctx, creditorIDs, files)
	if err != nil {
		return nil, err
	}
	posted := make(map[string]bool, len(all))
	for _, at := range all {
		posted[string(at.LineKey)] = true
	}
	others := slices.DeleteFunc(slices.Concat(files...), func(key []byte) bool { return posted[string(key)] })
	if len(others) == 0 {
		return all, nil
	}
	elsewhere, err := locations(0, r.with(ctx).Raw(`SELECT 0, creditor_id, line_key, payment_file_id, -amount
		FROM entries WHERE creditor_id IN ? AND line_key IN ?
		UNION ALL SELECT CASE WHEN letter_id = 0 THEN 1 ELSE 0 END, creditor_id, line_key, payment_file_id, amount
		FROM unmatched_payments WHERE creditor_id IN ? AND line_key IN ?
		UNION ALL SELECT 2, creditor_id, line_key, payment_file_id, amount
		FROM payment_twins WHERE creditor_id IN ? AND line_key IN ?`, creditorIDs, others, creditorIDs, others, creditorIDs, others))
	if err != nil {
		return nil, err
	}
	return append(all, elsewhere...), nil
}

// linesInRows does what LineLocations does, but only for lines that the ledger of the one creditor has between the first key's
// and the last one's of a file. The lines of a file were posted one after the other. So this reads them in their order, and
// names no key.
func (r reads) linesInRows(ctx context.Context, creditorIDs []int64, files [][][]byte) ([]LineLocation, error) {
	holders := slices.DeleteFunc(slices.Clone(creditorIDs), func(id int64) bool { return id == 0 }) // nobody has no ledger
	if len(holders) != 1 {
		return nil, nil
	}
	ranges, err := r.entryRanges(ctx, holders[0], files)
	if err != nil || len(ranges) == 0 {
		return nil, err
	}
	const query = `SELECT 0, creditor_id, line_key, payment_file_id, -amount
		FROM entries WHERE id BETWEEN ? AND ? AND creditor_id = ? AND line_key IS NOT NULL
		UNION ALL SELECT 1, o.creditor_id, o.line_key, o.payment_file_id, o.amount
		FROM entries e JOIN unmatched_payments o ON o.creditor_id IN ? AND o.line_key = e.line_key WHERE e.id BETWEEN ? AND ? AND e.creditor_id = ?
		UNION ALL SELECT 2, o.creditor_id, o.line_key, o.payment_file_id, o.amount
		FROM entries e JOIN payment_twins o ON o.creditor_id IN ? AND o.line_key = e.line_key WHERE e.id BETWEEN ? AND ? AND e.creditor_id = ?`
	var args []any
	var lines int64
	for _, in := range ranges {
		lines += in.last - in.first + 1
		args = append(args, in.first, in.last, holders[0], creditorIDs, in.first, in.last, holders[0], creditorIDs, in.first, in.last, holders[0])
	}
	all, err := locations(lines, r.with(ctx).Raw(query+strings.Repeat(" UNION ALL "+query, len(ranges)-1), args...))
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(all))
	for _, keys := range files {
		for _, key := range keys {
			asked[string(key)] = true
		}
	}
	return slices.DeleteFunc(all, func(at LineLocation) bool { return !asked[string(at.LineKey)] }), nil
}

// idRange is a range of IDs.
type idRange struct{ first, last int64 }

// entryRanges returns where the files' lines were posted one after the other. No two ranges have an entry in common.
func (r reads) entryRanges(ctx context.Context, creditorID int64, files [][][]byte) (ranges []idRange, err error) {
	const (
		// The IDs may spread over so many times the lines: a cluster's nodes give every third ID, and others post at the same time.
		spread = 4
		near   = 100 // IDs between two files that are read as one
	)
	files = slices.DeleteFunc(slices.Clone(files), func(keys [][]byte) bool { return len(keys) < 3 })
	var ends [][]byte
	for _, keys := range files {
		ends = append(ends, keys[0], keys[len(keys)-1])
	}
	if len(ends) == 0 {
		return nil, nil
	}
	posted, id, key := map[string]int64{}, int64(0), models.LineKey{}
	find := r.with(ctx).Table(EntriesTable).Select("id, line_key").Where("creditor_id = ? AND line_key IN ?", creditorID, ends)
	if err := eachRow(find, func() { posted[string(key)] = id }, &id, &key); err != nil {
		return nil, err
	}
	for _, keys := range files {
		begin, end := posted[string(keys[0])], posted[string(keys[len(keys)-1])]
		in := idRange{min(begin, end), max(begin, end)}
		if in.first > 0 && in.last-in.first <= spread*int64(len(keys)) {
			ranges = append(ranges, in)
		}
	}
	slices.SortFunc(ranges, func(a, b idRange) int { return cmp.Compare(a.first, b.first) })
	apart := ranges[:0]
	for _, in := range ranges {
		if n := len(apart); n > 0 && in.first-apart[n-1].last <= near {
			apart[n-1].last = max(apart[n-1].last, in.last)
		} else {
			apart = append(apart, in)
		}
	}
	return apart, nil
}

// locations returns the lines that the query finds, with the columns in the order of LineLocation's fields. It makes room for as
// many as are expected.
func locations(expected int64, g *gorm.DB) (all []LineLocation, err error) {
	all = make([]LineLocation, 0, expected)
	var at LineLocation
	var table int
	err = eachRow(g, func() {
		at.Table = lineTables[table]
		all = append(all, at)
	}, &table, &at.CreditorID, &at.LineKey, &at.PaymentFileID, &at.Amount)
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
// those in the queue or among the twins with one of the KIDs, or that were spread over the invoices of one of the letters.
func (r reads) PaymentLines(ctx context.Context, creditorID int64, invoiceIDs []int64, kids []string, letterIDs []int64) ([]PaymentLine, error) {
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
	if len(letterIDs) == 0 {
		return all, nil
	}
	spread, err := scan[[]PaymentLine](r.with(ctx).Raw(`SELECT l.line_key, f.format, l.account, l.kid, l.amount, l.transaction_date, l.from_account_number
		FROM unmatched_payments l JOIN payment_files f ON f.id = l.payment_file_id
		WHERE l.creditor_id = ? AND l.letter_id IN ? AND l.kid NOT IN ?`, creditorID, letterIDs, kids))
	if err != nil {
		return nil, err
	}
	return append(all, spread...), nil
}

// CreatePaymentTwins writes new twins and sets their IDs.
func (tx *Tx) CreatePaymentTwins(ctx context.Context, twins []models.PaymentTwin) error {
	return tx.insert(ctx, &twins)
}
