package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"purr/models"
)

// Answer is the answer to a POST with an Idempotency-Key (rule D9). A row without an answer reserves the key.
type Answer struct {
	ID             int64
	CreditorID     int64
	IdempotencyKey string
	RequestHash    string // SHA-256 of method, path and body, in hex
	Status         int    // zero while the request runs
	Location       string
	MediaType      string // of the body; empty in what was kept before schema 47
	Body           string
	Work           string     // names work of several transactions; see LeaseKey
	LeasedUntil    *time.Time // by the database's clock; nil for work of one transaction
	CreatedAt      time.Time
}

// TableName names the table.
func (Answer) TableName() string { return "idempotency_keys" }

// Reservation is one key of several that ReserveKeys reserves together.
type Reservation struct {
	Answer       // the answer that is kept, unless the key is fresh
	Fresh  bool  // the key is new, so the request must be done
	Err    error // ErrInProgress, if it concerns this key alone
}

// ErrInProgress is returned for an idempotency key whose first request has not been answered yet (rule D9).
var ErrInProgress error = models.Conflict("idempotency_in_progress", "the first request with this Idempotency-Key is still running")

// answerKept is how long an answer is kept (rule D9).
const answerKept = 24 * time.Hour

const ofKey = "creditor_id = ? AND idempotency_key = ?"

// noWait locks the rows that a query finds. It fails at once if another transaction has locked one of them.
var noWait = clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsNoWait}

// AnswerTo returns the answer to the creditor's request with the key. It reports false if no answer was kept in
// the 24 hours before now (rule D9).
func (r reads) AnswerTo(ctx context.Context, creditorID int64, key string, now time.Time) (Answer, bool, error) {
	return readFirst[Answer](r.with(ctx).Where(ofKey+" AND created_at > ?", creditorID, key, now.Add(-answerKept)))
}

// FormKeys begins the keys of the console's forms. These are a person's, who lives in real time: a test clock does not age
// them.
const FormKeys = "console:"

// ReserveKey reserves the answer's key. If the key was used within the last 24 hours, it reports false and sets
// the answer to the kept one. It fails with ErrInProgress while another transaction holds the key. The answer's CreatedAt is
// the transaction's moment unless it is set, as that of a form is, in real time.
func (tx *Tx) ReserveKey(ctx context.Context, a *Answer) (fresh bool, err error) {
	if a.CreatedAt.IsZero() {
		a.CreatedAt = tx.Now
	}
	kept, found, err := tx.lockAnswer(ctx, *a)
	if err != nil {
		return false, err
	}
	if found {
		over, err := tx.isOver(ctx, kept, a.CreatedAt)
		if err != nil {
			return false, err
		}
		if !over {
			*a = kept
			return false, nil
		}
		if err := tx.DropAnswers(ctx, []int64{kept.ID}); err != nil {
			return false, err
		}
	}
	fresh, err = tx.insertIgnoring(ctx, a) // waits for a transaction that reserves the key at the same moment
	if err != nil || fresh {
		return fresh, err
	}
	err = tx.with(ctx).Where(ofKey, a.CreditorID, a.IdempotencyKey).Take(a).Error
	return false, classify(err, "idempotency key")
}

// isOver reports whether a kept answer is no longer given at a moment. That of work that goes on is still to come, however long
// ago it began: a test clock may have moved meanwhile.
func (tx *Tx) isOver(ctx context.Context, kept Answer, at time.Time) (bool, error) {
	if kept.CreatedAt.After(at.Add(-answerKept)) {
		return false, nil
	}
	if kept.Status != 0 || kept.LeasedUntil == nil {
		return true, nil
	}
	now, err := tx.Clock(ctx)
	if err != nil {
		return false, err
	}
	return !kept.LeasedUntil.After(now), nil
}

// lockAnswer returns the answer that is kept for the key, however old, and false if none is kept. It never waits:
// while another transaction holds the key, it fails with ErrInProgress. It reads a committed answer even while
// others have locked it.
func (tx *Tx) lockAnswer(ctx context.Context, of Answer) (Answer, bool, error) {
	kept, found, err := readFirst[Answer](tx.with(ctx).Clauses(noWait).Where(ofKey, of.CreditorID, of.IdempotencyKey))
	if !isLocked(err) {
		return kept, found, err
	}
	kept, committed, err := tx.AnswerTo(ctx, of.CreditorID, of.IdempotencyKey, of.CreatedAt)
	if err == nil && (!committed || kept.Status == 0) {
		err = ErrInProgress
	}
	return kept, committed, err
}

// ReserveKeys does for several different keys of one creditor what ReserveKey does for one. It takes few
// statements.
func (tx *Tx) ReserveKeys(ctx context.Context, reservations []*Reservation) error {
	if len(reservations) == 0 {
		return nil
	}
	err := tx.reserveTogether(ctx, reservations)
	if !isLocked(err) && !errors.Is(err, ErrDuplicate) {
		return err
	}
	for _, c := range reservations { // another process holds one of the keys; find out which
		c.Fresh, c.Err = false, nil
		fresh, err := tx.ReserveKey(ctx, &c.Answer)
		switch {
		case errors.Is(err, ErrInProgress):
			c.Err = err
		case err != nil:
			return err
		}
		c.Fresh = fresh
	}
	return nil
}

// reserveTogether reserves the keys. It fails if another transaction holds one of them.
func (tx *Tx) reserveTogether(ctx context.Context, reservations []*Reservation) error {
	keys := make([]string, len(reservations))
	for i, c := range reservations {
		keys[i] = c.IdempotencyKey
	}
	query := tx.with(ctx).Clauses(noWait).Where("creditor_id = ? AND idempotency_key IN ?", reservations[0].CreditorID, keys)
	standing, err := readBy(query, func(a Answer) string { return a.IdempotencyKey })
	if err != nil {
		return err
	}
	var fresh []*Answer
	var old []int64
	for _, c := range reservations {
		if c.CreatedAt.IsZero() {
			c.CreatedAt = tx.Now
		}
		if kept, found := standing[c.IdempotencyKey]; found {
			over, err := tx.isOver(ctx, kept, c.CreatedAt)
			if err != nil {
				return err
			}
			if !over {
				c.Answer = kept
				continue
			}
			old = append(old, kept.ID)
		}
		c.Fresh = true
		fresh = append(fresh, &c.Answer)
	}
	if err := tx.DropAnswers(ctx, old); err != nil {
		return err
	}
	if len(fresh) == 0 {
		return nil
	}
	return tx.insert(ctx, &fresh)
}

// FinishAnswers keeps the answers to requests whose keys were reserved.
func (tx *Tx) FinishAnswers(ctx context.Context, answers []Answer) error {
	if len(answers) == 0 {
		return nil
	}
	finish := clause.OnConflict{DoUpdates: clause.AssignmentColumns([]string{"status", "location", "media_type", "body"})}
	return tx.insertOr(ctx, &answers, finish)
}

// DropAnswers removes answers and reservations. Their keys are as if they had not been used.
func (tx *Tx) DropAnswers(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	return classify(tx.with(ctx).Where("id IN ?", ids).Delete(&Answer{}).Error, "")
}

// ForgetAnswers removes up to 1000 answers older than 24 hours, and reports whether more are left. It leaves a key whose
// work goes on.
func (tx *Tx) ForgetAnswers(ctx context.Context) (more bool, err error) {
	const most = 1000
	now, err := tx.Clock(ctx)
	if err != nil {
		return false, err
	}
	old := tx.with(ctx).Model(&Answer{}).
		Where("(created_at <= ? AND idempotency_key NOT LIKE ? OR created_at <= ? AND idempotency_key LIKE ?)", tx.Now.Add(-answerKept), FormKeys+"%", now.Add(-answerKept), FormKeys+"%").
		Where("status <> 0 OR leased_until IS NULL OR leased_until <= ?", now)
	ids, err := idsOf(old.Limit(most))
	if err != nil {
		return false, err
	}
	return len(ids) == most, tx.DropAnswers(ctx, ids)
}
