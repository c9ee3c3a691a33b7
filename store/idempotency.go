package store

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"purr/models"
)

// Answer is what a POST with an Idempotency-Key was answered (rule D9).
type Answer struct {
	ID             int64
	CreditorID     int64
	IdempotencyKey string
	RequestHash    string // SHA-256 of method, path and body, in hex
	Status         int    // zero while the request runs
	Location       string
	Body           string
	CreatedAt      time.Time
}

// TableName names the table.
func (Answer) TableName() string { return "idempotency_keys" }

// ClaimAnswer writes the answer's key, and reports false with the answer that stands where the key was
// used within the last 24 hours. While another transaction that has claimed the key runs, it fails with
// ErrInProgress.
func (tx *Tx) ClaimAnswer(ctx context.Context, a *Answer) (fresh bool, err error) {
	a.CreatedAt = tx.Now
	kept, found, err := tx.lockAnswer(ctx, *a)
	switch {
	case err != nil:
		return false, err
	case found && kept.CreatedAt.After(tx.Now.Add(-answerKept)):
		*a = kept
		return false, nil
	case found:
		if err := tx.with(ctx).Delete(&kept).Error; err != nil {
			return false, classify(err, "")
		}
	}
	fresh, err = tx.insertIgnoring(ctx, a) // waits for another that claims the key at this very moment
	if err != nil || fresh {
		return fresh, err
	}
	err = tx.with(ctx).Where(ofKey, a.CreditorID, a.IdempotencyKey).Take(a).Error
	return false, classify(err, "idempotency key")
}

// answerKept is how long an answer is kept (rule D9).
const answerKept = 24 * time.Hour

const ofKey = "creditor_id = ? AND idempotency_key = ?"

// ErrInProgress is returned for an idempotency key whose first request has not been answered yet (rule D9).
var ErrInProgress error = models.Conflict("idempotency_in_progress", "the first request with this Idempotency-Key is still running")

// noWait locks what a query finds, or fails at once where another transaction has locked some of it.
var noWait = clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsNoWait}

// lockAnswer returns the answer that stands for the key, however old, and false where there is none. It
// waits for nobody: while another transaction has claimed the key it fails with ErrInProgress. What is
// committed is read past the lock of others who read it likewise.
func (tx *Tx) lockAnswer(ctx context.Context, of Answer) (Answer, bool, error) {
	var found []Answer
	err := tx.with(ctx).Clauses(noWait).Where(ofKey, of.CreditorID, of.IdempotencyKey).Find(&found).Error
	if !isLocked(err) {
		return firstAnswer(found, err)
	}
	kept, committed, err := tx.AnswerTo(ctx, of.CreditorID, of.IdempotencyKey, tx.Now)
	if err == nil && !committed {
		err = ErrInProgress
	}
	return kept, committed, err
}

// FinishAnswer keeps what the request was answered.
func (tx *Tx) FinishAnswer(ctx context.Context, a Answer) error {
	return tx.update(ctx, &Answer{}, map[string]any{"status": a.Status, "location": a.Location, "body": a.Body}, "id = ?", a.ID)
}

// ForgetAnswers removes up to 1000 answers older than 24 hours, and reports whether more are left.
func (tx *Tx) ForgetAnswers(ctx context.Context) (more bool, err error) {
	const most = 1000
	var ids []int64
	if err := tx.with(ctx).Model(&Answer{}).Where("created_at <= ?", tx.Now.Add(-answerKept)).Limit(most).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
		return false, classify(err, "")
	}
	return len(ids) == most, classify(tx.with(ctx).Where("id IN ?", ids).Delete(&Answer{}).Error, "")
}
