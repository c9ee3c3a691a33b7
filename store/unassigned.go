package store

import (
	"context"

	"purr/models"
)

// Unassigned is the total of a file's payments to an account that no creditor has (rule E4).
type Unassigned struct {
	File     models.PaymentFile `gorm:"embedded"`
	Account  string
	Payments int
	Amount   models.Amount // money in, less money out
	First    models.Date   // settlement or booking date of the first payment
	Last     models.Date   // settlement or booking date of the last payment
}

// Unassigned returns the payments to accounts that no creditor has, by file and account.
func (r reads) Unassigned(ctx context.Context) ([]Unassigned, error) {
	return scan[[]Unassigned](r.with(ctx).Raw(`SELECT f.*, u.account, u.payments, u.amount, u.first, u.last FROM (
			SELECT payment_file_id, account, COUNT(*) AS payments, SUM(amount) AS amount, MIN(transaction_date) AS first, MAX(transaction_date) AS last
			FROM unmatched_payments WHERE creditor_id = 0 GROUP BY payment_file_id, account
		) AS u JOIN payment_files f ON f.id = u.payment_file_id ORDER BY f.id, u.account`))
}

// AssignableFiles returns the IDs of the imported files with unassigned payments to an account that a creditor has
// now.
func (r reads) AssignableFiles(ctx context.Context) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Raw("SELECT DISTINCT id FROM ("+assignableFiles+") AS assignable", models.FileImported))
}

// assignableFiles is the query of AssignableFiles, with repetitions.
const assignableFiles = `SELECT f.id FROM statement_lines s JOIN creditor_accounts a ON a.account = s.account
	JOIN payment_files f ON f.id = s.payment_file_id WHERE s.creditor_id = 0 AND f.state = ?`

// HasAssignable reports whether the file has unassigned payments to an account that a creditor has now.
func (r reads) HasAssignable(ctx context.Context, fileID int64) (bool, error) {
	return exists(r.with(ctx).Table("statement_lines s").Joins("JOIN creditor_accounts a ON a.account = s.account").
		Where("s.payment_file_id = ? AND s.creditor_id = 0", fileID))
}

// HasUnassigned reports whether the file has unassigned payments to the account.
func (r reads) HasUnassigned(ctx context.Context, fileID int64, account string) (bool, error) {
	return exists(r.with(ctx).Model(&models.StatementLine{}).Where("payment_file_id = ? AND creditor_id = 0 AND account = ?", fileID, account))
}

// TakeUnassigned deletes a file's unassigned lines with the keys from the queue and from the twins. It returns the
// location that each line had.
func (tx *Tx) TakeUnassigned(ctx context.Context, fileID int64, keys [][]byte) (map[string]LineLocation, error) {
	taken := map[string]LineLocation{}
	places, err := tx.LineLocations(ctx, []int64{0}, keys)
	if err != nil {
		return nil, err
	}
	byTable := map[string][][]byte{}
	for _, p := range places {
		if p.PaymentFileID == fileID {
			taken[string(p.LineKey)] = p
			byTable[p.Table] = append(byTable[p.Table], p.LineKey)
		}
	}
	for table, keys := range byTable {
		err := tx.with(ctx).Exec("DELETE FROM "+table+" WHERE creditor_id = 0 AND payment_file_id = ? AND line_key IN ?", fileID, keys).Error
		if err != nil {
			return nil, classify(err, "")
		}
	}
	return taken, nil
}
