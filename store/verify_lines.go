package store

import (
	"context"

	"purr/models"
)

// LinePlace is where a line of a payment file is kept.
type LinePlace struct {
	LineKey       models.LineKey
	Table         string        `gorm:"-"` // EntriesTable, UnmatchedTable or TwinsTable
	PaymentFileID int64         // the file that brought it
	Amount        models.Amount // negative for money out
}

// The tables that keep lines of payment files.
const (
	EntriesTable   = "entries"
	UnmatchedTable = "unmatched_payments"
	TwinsTable     = "payment_twins"
)

// LinePlaces returns every place where the creditor's lines with the keys are kept: one for each line, where the books
// hold. Zero is nobody, who keeps what was paid to accounts that no creditor has.
func (r reads) LinePlaces(ctx context.Context, creditorID int64, keys [][]byte) ([]LinePlace, error) {
	var all []LinePlace
	for table, amount := range map[string]string{EntriesTable: "-amount", UnmatchedTable: "amount", TwinsTable: "amount"} {
		var some []LinePlace
		err := r.with(ctx).Table(table).Select("line_key, payment_file_id, "+amount+" AS amount").
			Where("creditor_id = ? AND line_key IN ?", creditorID, keys).Scan(&some).Error
		if err != nil {
			return nil, classify(err, "")
		}
		for i := range some {
			some[i].Table = table
		}
		all = append(all, some...)
	}
	return all, nil
}

// FinishedFiles returns up to limit payment files at their end whose IDs come after one, in order of ID, whoever's
// they are.
func (r reads) FinishedFiles(ctx context.Context, after int64, limit int) ([]models.PaymentFile, error) {
	var fs []models.PaymentFile
	err := r.with(ctx).Where("id > ? AND state NOT IN ?", after, underWay).Order("id").Limit(limit).Find(&fs).Error
	return fs, classify(err, "")
}

// CountFinishedFiles returns how many payment files are at their end.
func (r reads) CountFinishedFiles(ctx context.Context) (n int64, err error) {
	err = r.with(ctx).Model(&models.PaymentFile{}).Where("state NOT IN ?", underWay).Count(&n).Error
	return n, classify(err, "")
}
