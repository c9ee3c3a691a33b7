package dunning

import (
	"context"
	"fmt"
	"time"

	"purr/calendar"
	"purr/models"
	"purr/store"
)

// BankNews is how far a creditor's payments are known from the bank (rule E6b). The days are those of the creditor's
// time zone, each zero where there was none.
type BankNews struct {
	Reached   models.Date // the latest settlement or booking date of the imported files
	Confirmed models.Date // the latest bank day of which a person has said that no file comes
	Checked   models.Date // the last day on which a look into the bank's folder began that found nothing new
	Rejected  models.Date // the last day on which a file came from there that was rejected
}

// Late reports whether the bank's files are late for a run on a date (rule E6b): the creditor has had one, none
// reaches the last bank day before the date, no person has said that none comes for it, and no look into the bank's
// folder, begun after that day was over, has found nothing new. A file that came from there on that day or later and
// was rejected may hold the day's payments: that nothing newer is there then says nothing.
func (n BankNews) Late(date models.Date) bool {
	last := calendar.LastBankDayBefore(date)
	if n.Reached == 0 || max(n.Reached, n.Confirmed) >= last {
		return false
	}
	return n.Checked <= last || n.Rejected >= last
}

// ReadBankNews reads how far a creditor's payments are known from the bank.
func ReadBankNews(ctx context.Context, db *store.DB, c models.Creditor) (n BankNews, err error) {
	err = db.View(ctx, func(v store.View) error {
		if n.Reached, err = v.LatestBankDate(ctx, c.ID); err != nil {
			return err
		}
		if n.Confirmed, err = v.LastConfirmedBankDay(ctx, c.ID); err != nil {
			return err
		}
		looks, err := readLooks(ctx, v)
		if err != nil {
			return err
		}
		return looks.fill(&n, c)
	})
	return n, err
}

// looks is what is known from the bank's folder, for all creditors.
type looks struct{ empty, rejected time.Time }

func readLooks(ctx context.Context, v store.View) (l looks, err error) {
	if l.empty, err = v.LastEmptyCheck(ctx); err != nil {
		return l, err
	}
	l.rejected, err = v.LastRejectedFile(ctx, models.SourceSFTP)
	return l, err
}

// fill sets the days of the looks in a creditor's time zone.
func (l looks) fill(n *BankNews, c models.Creditor) (err error) {
	if n.Checked, err = dayOf(c, l.empty); err != nil {
		return err
	}
	n.Rejected, err = dayOf(c, l.rejected)
	return err
}

// dayOf returns the creditor's day of a moment, zero for none.
func dayOf(c models.Creditor, at time.Time) (models.Date, error) {
	if at.IsZero() {
		return 0, nil
	}
	return c.Today(at)
}

// FilesLate reports whether the bank's files are late for a creditor's run on a date (rule E6b).
func FilesLate(ctx context.Context, db *store.DB, c models.Creditor, date models.Date) (bool, error) {
	news, err := ReadBankNews(ctx, db, c)
	return err == nil && news.Late(date), err
}

// CountLate returns for how many of all creditors the bank's files are late at a moment.
func CountLate(ctx context.Context, db *store.DB, now time.Time) (n int, err error) {
	err = db.View(ctx, func(v store.View) error {
		creditors, err := v.Creditors(ctx)
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
		looks, err := readLooks(ctx, v)
		if err != nil {
			return err
		}
		for _, c := range creditors {
			news := BankNews{Reached: reached[c.ID], Confirmed: confirmed[c.ID]}
			today, err := c.Today(now)
			if err != nil {
				return err
			}
			if err := looks.fill(&news, c); err != nil {
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

// WarnOfLateFiles tells a creditor in the run of a business date that the bank's files are late: once for each bank day
// that none reaches (rule E6b).
func WarnOfLateFiles(ctx context.Context, db *store.DB, c models.Creditor, run models.Run) error {
	news, err := ReadBankNews(ctx, db, c)
	if err != nil || !news.Late(run.BusinessDate) {
		return err
	}
	return db.InTx(ctx, func(tx *store.Tx) error {
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
		text := fmt.Sprintf("No file from the bank reaches %s, the last bank day; the latest one reaches %s",
			missing, news.Reached)
		return tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventBankFilesLate, SubjectID: run.ID, Text: text})
	})
}
