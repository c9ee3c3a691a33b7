package unmatched

import (
	"context"
	"fmt"
	"time"

	"purr/models"
	"purr/store"
)

// WaitDays is how many days a payment is in the queue before a person is told that it still waits (rule L3).
const WaitDays = 10

// TellOfLongWaits logs an event for each of the creditor's open payments that has been in the queue for WaitDays, once for
// each payment (rule L3). today is the creditor's.
func TellOfLongWaits(ctx context.Context, db *store.DB, c models.Creditor, today models.Date) error {
	before, err := LongBefore(c, today)
	if err != nil {
		return err
	}
	for more := true; more; {
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			waiting, err := tx.WaitingPayments(ctx, c.ID, before, pageSize)
			if err != nil || len(waiting) == 0 {
				more = false
				return err
			}
			more = true
			return tellOfWaits(ctx, tx, c, waiting)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LongBefore returns the moment in a creditor's time zone before which a payment came that has waited for long today.
func LongBefore(c models.Creditor, today models.Date) (time.Time, error) {
	zone, err := c.Location()
	if err != nil {
		return time.Time{}, err
	}
	year, month, day := (today - WaitDays + 1).Time().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone), nil
}

// tellOfWaits logs the events of those payments that, read again under lock, still wait and that nobody was told of.
func tellOfWaits(ctx context.Context, tx *store.Tx, c models.Creditor, payments []models.UnmatchedPayment) error {
	var told []int64
	var events []models.Event
	for _, p := range payments {
		p, err := tx.LockUnmatchedPayment(ctx, c.ID, p.ID)
		if err != nil {
			return err
		}
		if p.Status != models.PaymentOpen || p.WaitingLong {
			continue
		}
		queued, err := c.Today(p.CreatedAt)
		if err != nil {
			return err
		}
		told = append(told, p.ID)
		events = append(events, models.Event{
			CreditorID: c.ID, Type: models.EventPaymentWaitingLong, SubjectID: p.ID,
			Facts: models.Facts{"amount": p.Amount, "since": queued},
			Text:  fmt.Sprintf("A payment of %s has waited in the queue since %s: match or dismiss it", p.Amount, queued),
		})
	}
	if len(told) == 0 {
		return nil
	}
	if err := tx.SetWaitingLong(ctx, told); err != nil {
		return err
	}
	return tx.Log(ctx, events...)
}
