package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"purr/models"
)

// StatementFilter narrows a list of statement lines. The zero filter takes all.
type StatementFilter struct {
	Dates   Dates  // of settlement or booking
	Account string // that was paid to; empty for every account
}

// A statement line is identified by the columns of wholeLine and by whichEntry. Several files can bring parts of it.
const (
	wholeLine  = "transaction_date, account, format, reference, entry"
	whichEntry = "CASE WHEN entry = 0 THEN 0 ELSE payment_file_id END"
)

// The columns of statement_lines that identify a row, and those that are added up.
var (
	lineKey  = []string{"payment_file_id", "creditor_id", "account", "transaction_date", "reference", "entry"}
	lineSums = []string{
		"transactions", "amount", "file_amount", "matched", "matched_amount", "unmatched", "unmatched_amount", "duplicates", "duplicates_amount",
	}
)

// StatementLines returns a page of the creditor's lines of the bank's statement, in order of date, and the number of all.
func (r reads) StatementLines(ctx context.Context, creditorID int64, f StatementFilter, p Page) (lines []models.StatementLine, total int64, err error) {
	all := r.wholeLines(ctx, creditorID, f)
	if total, err = count(r.with(ctx).Table("(?) AS whole_lines", all)); err != nil {
		return nil, 0, err
	}
	if p.beyond(total) {
		return nil, total, nil
	}
	lines, err = readAll[models.StatementLine](all.Order(wholeLine + ", payment_file_id").Offset(p.offset()).Limit(p.Size))
	return lines, total, err
}

// EachStatementLine calls do for each line that StatementLines lists, until do fails.
func (r reads) EachStatementLine(ctx context.Context, creditorID int64, f StatementFilter, do func(models.StatementLine) error) error {
	return eachAs(r.wholeLines(ctx, creditorID, f).Order(wholeLine+", payment_file_id"), do)
}

func (r reads) wholeLines(ctx context.Context, creditorID int64, f StatementFilter) *gorm.DB {
	g := f.Dates.apply(r.with(ctx).Table("statement_lines").Where("creditor_id = ?", creditorID), "transaction_date")
	if f.Account != "" {
		g = g.Where("account = ?", f.Account)
	}
	columns := "MIN(payment_file_id) AS payment_file_id, creditor_id, " + wholeLine
	for _, column := range lineSums {
		columns += fmt.Sprintf(", SUM(%[1]s) AS %[1]s", column)
	}
	return g.Select(columns).Group("creditor_id, " + wholeLine + ", " + whichEntry)
}

// StatementLinesOf returns a page of the creditor's statement lines of a file, in order of date, and the number of all.
func (r reads) StatementLinesOf(ctx context.Context, creditorID, fileID int64, p Page) (lines []models.StatementLine, total int64, err error) {
	of := r.with(ctx).Model(&models.StatementLine{}).Where("payment_file_id = ? AND creditor_id = ?", fileID, creditorID).Session(&gorm.Session{})
	if total, err = count(of); err != nil {
		return nil, 0, err
	}
	if p.beyond(total) {
		return nil, total, nil
	}
	lines, err = readAll[models.StatementLine](of.Order(wholeLine).Offset(p.offset()).Limit(p.Size))
	return lines, total, err
}

// StatementLinesOfFiles returns all statement lines of the files, by the file's ID, including those of accounts that no creditor
// has.
func (r reads) StatementLinesOfFiles(ctx context.Context, fileIDs []int64) (map[int64][]models.StatementLine, error) {
	lines := r.with(ctx).Where("payment_file_id IN ?", fileIDs).Order("payment_file_id, creditor_id, " + wholeLine)
	return readGroups(lines, func(l models.StatementLine) int64 { return l.PaymentFileID })
}

// AddStatementLines adds to the statement lines of a file.
func (tx *Tx) AddStatementLines(ctx context.Context, lines []models.StatementLine) error {
	if len(lines) == 0 {
		return nil
	}
	sum := "%[1]s + excluded.%[1]s"
	if dialect(tx.db.Name()) == dialectMySQL {
		sum = "%[1]s + VALUES(%[1]s)"
	}
	sums := map[string]any{}
	for _, column := range lineSums {
		sums[column] = gorm.Expr(fmt.Sprintf(sum, column))
	}
	add := clause.OnConflict{DoUpdates: clause.Assignments(sums)}
	for _, column := range lineKey {
		add.Columns = append(add.Columns, clause.Column{Name: column})
	}
	return tx.insertOr(ctx, &lines, add)
}

// DropEmptyStatementLines deletes the statement lines of a file that have no transactions left.
func (tx *Tx) DropEmptyStatementLines(ctx context.Context, fileID int64) error {
	return classify(tx.with(ctx).Where("payment_file_id = ? AND transactions = 0", fileID).Delete(&models.StatementLine{}).Error, "")
}

// ReplaceStatementLines replaces the statement lines of a file.
func (tx *Tx) ReplaceStatementLines(ctx context.Context, fileID int64, lines []models.StatementLine) error {
	if err := tx.with(ctx).Where("payment_file_id = ?", fileID).Delete(&models.StatementLine{}).Error; err != nil {
		return classify(err, "")
	}
	return tx.AddStatementLines(ctx, lines)
}
