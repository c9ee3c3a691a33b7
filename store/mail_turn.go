package store

import (
	"context"
	"time"

	"gorm.io/gorm/clause"
)

// mailTurn says when a creditor's next e-mail may leave (rule S5).
type mailTurn struct {
	CreditorID int64 `gorm:"primaryKey;autoIncrement:false"`
	NextAt     time.Time
}

// MailPause returns how long after now the creditor's next e-mail may leave. Other transactions wait with their e-mails of
// that creditor until this one ends.
func (tx *Tx) MailPause(ctx context.Context, creditorID int64, now time.Time) (time.Duration, error) {
	lock := func() (mailTurn, bool, error) {
		return readFirst[mailTurn](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID))
	}
	turn, found, err := lock()
	if err != nil {
		return 0, err
	}
	if !found {
		if _, err := tx.insertIgnoring(ctx, &mailTurn{creditorID, now}); err != nil {
			return 0, err
		}
		if turn, _, err = lock(); err != nil {
			return 0, err
		}
	}
	return max(0, turn.NextAt.Sub(now)), nil
}

// TakeMailTurn lets the creditor's next e-mail leave at the moment or later.
func (tx *Tx) TakeMailTurn(ctx context.Context, creditorID int64, next time.Time) error {
	return tx.insertOr(ctx, &mailTurn{creditorID, next}, clause.OnConflict{UpdateAll: true})
}
