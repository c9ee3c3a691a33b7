package dunning

import (
	"context"
	"fmt"
	"time"

	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// BankNews says until when a creditor's payments are known from the bank (rule E6b). The days are in the
// creditor's time zone. A day is zero if the event never happened.
type BankNews struct {
	Reached   models.Date // the latest settlement or booking date of the imported files
	Confirmed models.Date // the latest bank day for which a person confirmed that no file comes
	Polled    models.Date // the last day on which a poll of the bank's folder that found nothing new began
	Rejected  models.Date // the last day on which a file from the folder was rejected
}

// Late reports whether the bank's files are late for a run on a date (rule E6b). They are late if the creditor has
// had files but none reaches the last bank day before the date. Two things stop that. A person has confirmed that
// no file comes for that day. Or a poll of the bank's folder after that day found nothing new. Such a poll proves
// nothing if a file was rejected on that day or later, because the file may hold the day's payments.
func (n BankNews) Late(date models.Date) bool {
	last := calendar.LastBankDayBefore(date)
	if n.Reached == 0 || max(n.Reached, n.Confirmed) >= last {
		return false
	}
	return n.Polled <= last || n.Rejected >= last
}

// Missing returns how many bank days before a date no file reaches, or zero if the bank's files are not late for a run on
// that date.
func (n BankNews) Missing(date models.Date) (days int) {
	if !n.Late(date) {
		return 0
	}
	for d := max(n.Reached, n.Confirmed) + 1; d < date; d++ {
		if calendar.IsBankDay(d) {
			days++
		}
	}
	return days
}

// BankReader is a database, or a view of one.
type BankReader interface {
	BankNews(ctx context.Context, creditorID int64, source string) (store.BankNews, error)
}

// ReadBankNews reads until when a creditor's payments are known from the bank.
func ReadBankNews(ctx context.Context, db BankReader, c models.Creditor) (BankNews, error) {
	known, err := db.BankNews(ctx, c.ID, models.SourceSFTP)
	if err != nil {
		return BankNews{}, err
	}
	return bankNews(known, c)
}

// bankNews returns what is known of a creditor's files, with days in its time zone.
func bankNews(known store.BankNews, c models.Creditor) (BankNews, error) {
	n := BankNews{Reached: known.Reached, Confirmed: known.Confirmed}
	var p polls
	if known.EmptyPoll != nil {
		p.empty = *known.EmptyPoll
	}
	if known.RejectedFile != nil {
		p.rejected = *known.RejectedFile
	}
	return n, p.addTo(&n, c)
}

// polls are the times of the last polls of the bank's folder by result, zero if there was none. The folder serves
// all creditors.
type polls struct{ empty, rejected time.Time }

func readPolls(ctx context.Context, v store.View) (p polls, err error) {
	if p.empty, err = v.LastEmptyPoll(ctx); err != nil {
		return polls{}, err
	}
	if p.rejected, err = v.LastRejectedFile(ctx, models.SourceSFTP); err != nil {
		return polls{}, err
	}
	return p, nil
}

// addTo sets the days of the polls in a creditor's time zone.
func (p polls) addTo(n *BankNews, c models.Creditor) (err error) {
	if n.Polled, err = dayOf(c, p.empty); err != nil {
		return err
	}
	n.Rejected, err = dayOf(c, p.rejected)
	return err
}

// dayOf returns the day of a moment in the creditor's time zone, or zero for the zero moment.
func dayOf(c models.Creditor, at time.Time) (models.Date, error) {
	if at.IsZero() {
		return 0, nil
	}
	return c.Today(at)
}

// FilesLate reports whether the bank's files are late for a creditor's run on a date (rule E6b).
func FilesLate(ctx context.Context, db *store.DB, c models.Creditor, date models.Date) (bool, error) {
	news, err := ReadBankNews(ctx, db, c)
	if err != nil {
		return false, err
	}
	return news.Late(date), nil
}

// CountLate returns for how many creditors the bank's files are late at a moment.
func CountLate(ctx context.Context, db *store.DB, now time.Time) (n int, err error) {
	err = db.View(ctx, func(v store.View) error {
		zones, err := v.ZoneOfEach(ctx)
		if err != nil {
			return err
		}
		reached, err := v.LatestBankDates(ctx)
		if err != nil {
			return err
		}
		confirmed, err := v.LastConfirmedBankDays(ctx)
		if err != nil {
			return err
		}
		polls, err := readPolls(ctx, v)
		if err != nil {
			return err
		}
		for id := range reached { // no files of the others can be late
			c := models.Creditor{ID: id, TimeZone: zones[id]}
			news := BankNews{Reached: reached[id], Confirmed: confirmed[id]}
			today, err := c.Today(now)
			if err != nil {
				continue // the creditor is told that its days cannot be reckoned, and has no run
			}
			if err := polls.addTo(&news, c); err != nil {
				return err
			}
			if news.Late(today) {
				n++
			}
		}
		return nil
	})
	return n, err
}

// WarnOfLateFiles logs an event for the creditor that the bank's files are late for the run of the snapshot's day. It does so
// once for each missing bank day (rule E6b).
func (s *Snapshot) WarnOfLateFiles(ctx context.Context, run models.Run) error {
	if !s.filesLate {
		return nil
	}
	c, news := s.creditor, s.news
	return s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		locked, err := tx.LockRun(ctx, run.ID)
		if err != nil || locked.FilesLate {
			return err
		}
		missing := calendar.LastBankDayBefore(run.BusinessDate)
		for d := missing + 1; d < run.BusinessDate; d++ { // the weekend and the holidays since
			before, _, err := tx.RunOf(ctx, c.ID, run.Kind, d)
			if err != nil || before.FilesLate {
				return err
			}
		}
		locked.FilesLate = true
		if err := tx.UpdateRun(ctx, locked); err != nil {
			return err
		}
		text := fmt.Sprintf("No file from the bank reaches %s, the last bank day; the latest one reaches %s", missing, news.Reached)
		return tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventBankFilesLate, SubjectID: run.ID, Text: text, Facts: models.Facts{"bank_day": missing, "reached": news.Reached}})
	})
}

// ConfirmNone records that, according to a person, no file comes from the bank for a bank day. It returns the day.
// Day 0 means the last bank day before today. The confirmation counts as a file that reaches the day (rule E6b). A
// repeated confirmation changes nothing. ConfirmNone fails for a day in the future and for a day that is no bank
// day.
func ConfirmNone(ctx context.Context, tx *store.Tx, c models.Creditor, bankDay models.Date, actor string) (models.Date, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return 0, err
	}
	if bankDay == 0 {
		bankDay = calendar.LastBankDayBefore(today)
	}
	switch {
	case bankDay > today:
		return 0, models.Invalid("future_date", "date", "%s has not come yet: today is %s", bankDay, today)
	case !calendar.IsBankDay(bankDay):
		return 0, models.Invalid("not_a_bank_day", "date", "%s is no bank day; the last one before it is %s", bankDay, calendar.LastBankDayBefore(bankDay))
	}
	fresh, err := tx.ConfirmBankDay(ctx, &models.BankConfirmation{CreditorID: c.ID, BankDay: bankDay, Actor: actor})
	if err != nil || !fresh {
		return bankDay, err
	}
	text := fmt.Sprintf("No file comes from the bank for %s", bankDay)
	return bankDay, act{Actor: actor}.log(ctx, tx, models.Event{CreditorID: c.ID, Type: models.EventBankConfirmed, Text: text, Facts: models.Facts{"bank_day": bankDay}})
}
