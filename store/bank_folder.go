package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// checksKept is for how long the looks into the folders at banks are kept.
const checksKept = 120 * 24 * time.Hour

// BankFolders returns the folders at banks that were ever looked into, by URL.
func (r reads) BankFolders(ctx context.Context) (map[string]models.BankFolder, error) {
	var found []models.BankFolder
	err := r.with(ctx).Find(&found).Error
	folders := make(map[string]models.BankFolder, len(found))
	for _, f := range found {
		folders[f.Remote] = f
	}
	return folders, classify(err, "")
}

// LockBankFolder reads the folder at a URL and locks it until the transaction ends. One that was never looked into is
// written first, to be looked into at once.
func (tx *Tx) LockBankFolder(ctx context.Context, remote string) (models.BankFolder, error) {
	f, err := tx.lockBankFolder(ctx, remote)
	if models.KindOf(err) != models.KindNotFound {
		return f, err
	}
	if _, err := tx.insertIgnoring(ctx, &models.BankFolder{Remote: remote, NextCheck: tx.Now}); err != nil {
		return f, err
	}
	return tx.lockBankFolder(ctx, remote)
}

func (tx *Tx) lockBankFolder(ctx context.Context, remote string) (models.BankFolder, error) {
	var f models.BankFolder
	err := forUpdate(tx.with(ctx)).Where("remote = ?", remote).Take(&f).Error
	return f, classify(err, "folder at the bank")
}

// UpdateBankFolder writes all fields of a folder, which the caller has locked.
func (tx *Tx) UpdateBankFolder(ctx context.Context, f models.BankFolder) error {
	return classify(tx.with(ctx).Save(&f).Error, "")
}

// BeginBankCheck writes that a folder is being looked into, and forgets the looks of long ago.
func (tx *Tx) BeginBankCheck(ctx context.Context, c *models.BankCheck) error {
	err := tx.with(ctx).Where("remote = ? AND started_at < ?", c.Remote, tx.Now.Add(-checksKept)).Delete(&models.BankCheck{}).Error
	if err != nil {
		return classify(err, "")
	}
	c.StartedAt = tx.Now
	return tx.insert(ctx, c)
}

// UpdateBankCheck writes all fields of a check.
func (tx *Tx) UpdateBankCheck(ctx context.Context, c models.BankCheck) error {
	return classify(tx.with(ctx).Save(&c).Error, "")
}

// BankChecks returns the last looks into folders at banks, the latest first.
func (r reads) BankChecks(ctx context.Context, limit int) ([]models.BankCheck, error) {
	var checks []models.BankCheck
	err := r.with(ctx).Order("id DESC").Limit(limit).Find(&checks).Error
	return checks, classify(err, "")
}

// LastEmptyCheck returns when the last look began that came to its end and found nothing new, zero where none did
// (rule E6b).
func (r reads) LastEmptyCheck(ctx context.Context) (time.Time, error) {
	var checks []models.BankCheck
	err := r.with(ctx).Where("ok = ? AND found = 0", true).Order("started_at DESC").Limit(1).Find(&checks).Error
	if err != nil || len(checks) == 0 {
		return time.Time{}, classify(err, "")
	}
	return checks[0].StartedAt, nil
}

// LastRejectedFile returns when the last of the files came that came in a way and were rejected, zero where none was.
func (r reads) LastRejectedFile(ctx context.Context, source string) (time.Time, error) {
	var files []models.PaymentFile
	err := r.with(ctx).Where("state = ? AND source = ?", models.FileRejected, source).Order("id DESC").Limit(1).Find(&files).Error
	if err != nil || len(files) == 0 {
		return time.Time{}, classify(err, "")
	}
	return files[0].ReceivedAt, nil
}

// ConfirmBankDay keeps a person's word, and reports false where that was given before.
func (tx *Tx) ConfirmBankDay(ctx context.Context, c *models.BankConfirmation) (bool, error) {
	c.CreatedAt = tx.Now
	return tx.insertIgnoring(ctx, c)
}

// LastConfirmedBankDay returns the latest bank day for which a person has said that no file comes for the creditor,
// zero where nobody has (rule E6b).
func (r reads) LastConfirmedBankDay(ctx context.Context, creditorID int64) (models.Date, error) {
	var row struct{ Latest models.Date }
	err := r.with(ctx).Model(&models.BankConfirmation{}).Select("MAX(bank_day) AS latest").Where("creditor_id = ?", creditorID).Take(&row).Error
	return row.Latest, classify(err, "")
}

// LastConfirmedBankDays returns for each creditor what LastConfirmedBankDay does, where it is not zero.
func (r reads) LastConfirmedBankDays(ctx context.Context) (map[int64]models.Date, error) {
	return latestDates(r.with(ctx).Model(&models.BankConfirmation{}), "bank_day")
}

// LatestBankDates returns for each creditor what LatestBankDate does, where it is not zero.
func (r reads) LatestBankDates(ctx context.Context) (map[int64]models.Date, error) {
	return latestDates(r.with(ctx).Model(&models.PaymentFilePart{}), "latest_date")
}

// latestDates returns the latest date in a column of each creditor's rows.
func latestDates(rows *gorm.DB, column string) (map[int64]models.Date, error) {
	var found []struct {
		CreditorID int64
		Latest     models.Date
	}
	err := rows.Select("creditor_id, MAX(" + column + ") AS latest").Group("creditor_id").Find(&found).Error
	latest := make(map[int64]models.Date, len(found))
	for _, f := range found {
		latest[f.CreditorID] = f.Latest
	}
	return latest, classify(err, "")
}
