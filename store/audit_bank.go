package store

import (
	"context"
	"time"

	"purr/models"
)

// BankFile is a file of the bank in which a creditor has a part.
type BankFile struct {
	Latest     models.Date // the latest settlement or booking date of the part
	ReceivedAt time.Time
}

// AuditBankFiles returns the files of the bank whose parts of the creditor's reach one of the days.
func (r reads) AuditBankFiles(ctx context.Context, creditorID int64, days Dates) ([]BankFile, error) {
	parts := days.apply(r.with(ctx).Table("payment_file_parts p").Where("p.creditor_id = ?", creditorID), "p.latest_date")
	return readAll[BankFile](parts.Joins("JOIN payment_files f ON f.id = p.payment_file_id").Select("p.latest_date AS latest, f.received_at").Order("p.latest_date, p.id"))
}

// BankWords is what besides files tells whether the bank's files were late for a creditor (rule E6b).
type BankWords struct {
	First     *time.Time                // when the first payment of a file came to the creditor's books or its queue; nil for never, and then the rest is not read
	Confirmed []models.BankConfirmation // of the days, by persons
	Polled    []time.Time               // when polls began that found nothing new
	Since     *time.Time                // when the first poll began that is still known; nil if there is none
	Rejected  []time.Time               // when rejected files came from the bank's folder
}

// AuditBankWords returns what is known besides files: of the days, and of polls and rejected files of the folder, which serves all
// creditors.
func (r reads) AuditBankWords(ctx context.Context, creditorID int64, days Dates) (words BankWords, err error) {
	first, there, err := readFirst[models.Entry](r.with(ctx).Select("created_at").Where("creditor_id = ? AND type = ?", creditorID, models.EntryOCR).Order("id"))
	if err != nil {
		return words, err
	}
	if there {
		words.First = &first.CreatedAt
	}
	queued, there, err := readFirst[models.UnmatchedPayment](r.with(ctx).Select("created_at").Where("creditor_id = ?", creditorID).Order("id"))
	if err != nil {
		return words, err
	}
	if there && (words.First == nil || queued.CreatedAt.Before(*words.First)) {
		words.First = &queued.CreatedAt
	}
	if words.First == nil {
		return words, nil
	}
	if words.Confirmed, err = readAll[models.BankConfirmation](days.apply(r.with(ctx).Where("creditor_id = ?", creditorID), "bank_day").Order("id")); err != nil {
		return words, err
	}
	oldest, there, err := readFirst[models.BankPoll](r.with(ctx).Order("id"))
	if err != nil || !there {
		return words, err
	}
	words.Since = &oldest.StartedAt
	from, to := days.From.Time().AddDate(0, 0, -1), days.To.Time().AddDate(0, 0, 2) // in whichever time zone
	if words.Polled, err = scan[[]time.Time](r.emptyPolls(ctx).Select("started_at").Where("started_at >= ? AND started_at < ?", from, to)); err != nil {
		return words, err
	}
	words.Rejected, err = scan[[]time.Time](r.rejectedFiles(ctx, models.SourceSFTP).Select("received_at").Where("received_at >= ? AND received_at < ?", from, to))
	return words, err
}
