package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// checksKept is how long the polls of the banks' folders are kept.
const checksKept = 120 * 24 * time.Hour

// BankFolders returns the folders at banks that were ever polled, by URL.
func (r reads) BankFolders(ctx context.Context) (map[string]models.BankFolder, error) {
	return readBy(r.with(ctx), func(f models.BankFolder) string { return f.Remote })
}

// LockBankFolder reads the folder at a URL and locks it until the transaction ends. A folder that was never polled is
// written first, due at once.
func (tx *Tx) LockBankFolder(ctx context.Context, remote string) (models.BankFolder, error) {
	f, err := tx.lockBankFolder(ctx, remote)
	if models.KindOf(err) != models.KindNotFound {
		return f, err
	}
	if _, err := tx.insertIgnoring(ctx, &models.BankFolder{Remote: remote, NextPoll: tx.Now}); err != nil {
		return f, err
	}
	return tx.lockBankFolder(ctx, remote)
}

func (tx *Tx) lockBankFolder(ctx context.Context, remote string) (models.BankFolder, error) {
	return readOne[models.BankFolder](forUpdate(tx.with(ctx)).Where("remote = ?", remote), "folder at the bank")
}

// UpdateBankFolder writes all fields of a folder, which the caller has locked.
func (tx *Tx) UpdateBankFolder(ctx context.Context, f models.BankFolder) error {
	return tx.put(ctx, &f)
}

// BeginBankPoll writes that a poll of a folder begins, and deletes its old polls.
func (tx *Tx) BeginBankPoll(ctx context.Context, c *models.BankPoll) error {
	err := tx.with(ctx).Where("remote = ? AND started_at < ?", c.Remote, tx.Now.Add(-checksKept)).Delete(&models.BankPoll{}).Error
	if err != nil {
		return classify(err, "")
	}
	c.StartedAt = tx.Now
	return tx.insert(ctx, c)
}

// UpdateBankPoll writes all fields of a poll.
func (tx *Tx) UpdateBankPoll(ctx context.Context, c models.BankPoll) error {
	return tx.put(ctx, &c)
}

// BankPolls returns up to limit polls of all folders at banks, the latest first.
func (r reads) BankPolls(ctx context.Context, limit int) ([]models.BankPoll, error) {
	return readAll[models.BankPoll](r.with(ctx).Order("id DESC").Limit(limit))
}

// BankNews is what is known of a creditor's files from the bank (rule E6b). A day is zero, and a moment is nil, if it never
// came.
type BankNews struct {
	Reached      models.Date // the latest settlement or booking date of the files that were imported for the creditor; the day on which a file came at most
	Confirmed    models.Date // the latest bank day for which a person confirmed that no file comes for the creditor
	EmptyPoll    *time.Time  // when the last completed poll that found nothing new began
	RejectedFile *time.Time  // when the last rejected file came from the source
}

// BankNews returns what is known of the creditor's files from the bank. It asks one question.
func (r reads) BankNews(ctx context.Context, creditorID int64, source string) (BankNews, error) {
	return scan[BankNews](r.with(ctx).Raw("SELECT "+selectBankNews, r.bankNews(ctx, creditorID, source)...))
}

const selectBankNews = "(?) AS reached, (?) AS confirmed, (?) AS empty_poll, (?) AS rejected_file"

// bankNews returns the queries of selectBankNews.
func (r reads) bankNews(ctx context.Context, creditorID int64, source string) []any {
	return []any{
		r.reached(ctx, creditorID),
		r.with(ctx).Model(&models.BankConfirmation{}).Select("MAX(bank_day)").Where("creditor_id = ?", creditorID),
		r.emptyPolls(ctx).Select("started_at").Limit(1),
		r.rejectedFiles(ctx, source).Select("received_at").Limit(1),
	}
}

// emptyPolls are the completed polls that found nothing new, the last first.
func (r reads) emptyPolls(ctx context.Context) *gorm.DB {
	return r.with(ctx).Model(&models.BankPoll{}).Where("ok = ? AND found = 0", true).Order("started_at DESC")
}

// LastEmptyPoll returns when the last completed poll that found nothing new began, or zero (rule E6b).
func (r reads) LastEmptyPoll(ctx context.Context) (time.Time, error) {
	poll, _, err := readFirst[models.BankPoll](r.emptyPolls(ctx))
	if err != nil {
		return time.Time{}, err
	}
	return poll.StartedAt, nil
}

// ConfirmBankDay keeps a person's confirmation. It reports false if the day was confirmed before.
func (tx *Tx) ConfirmBankDay(ctx context.Context, c *models.BankConfirmation) (bool, error) {
	c.CreatedAt = tx.Now
	return tx.insertIgnoring(ctx, c)
}

// LastConfirmedBankDays returns BankNews.Confirmed of each creditor that has one.
func (r reads) LastConfirmedBankDays(ctx context.Context) (map[int64]models.Date, error) {
	return latestDates(r.with(ctx).Model(&models.BankConfirmation{}), "bank_day")
}

// latestDate is the latest date of a creditor's rows.
type latestDate struct {
	CreditorID int64
	Latest     models.Date
}

// latestDates returns the latest date in a column of each creditor's rows.
func latestDates(rows *gorm.DB, column string) (map[int64]models.Date, error) {
	found, err := readAll[latestDate](rows.Select("creditor_id, MAX(" + column + ") AS latest").Group("creditor_id"))
	if err != nil {
		return nil, err
	}
	latest := make(map[int64]models.Date, len(found))
	for _, f := range found {
		latest[f.CreditorID] = f.Latest
	}
	return latest, nil
}

// BankMark is what grows with whatever the bank has told: while it is the same, no creditor's bank files have come (rule E6b).
type BankMark struct {
	File, Confirmation int64
	EmptyPoll          time.Time
}

// BankMark returns what the bank has told by now.
func (r reads) BankMark(ctx context.Context) (m BankMark, err error) {
	if m.EmptyPoll, err = r.LastEmptyPoll(ctx); err != nil {
		return BankMark{}, err
	}
	err = r.each(ctx, "SELECT COALESCE((SELECT MAX(id) FROM payment_files), 0), COALESCE((SELECT MAX(id) FROM bank_confirmations), 0)", nil,
		func() {}, &m.File, &m.Confirmation)
	return m, err
}
