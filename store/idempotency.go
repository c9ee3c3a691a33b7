package store

import (
	"context"
	"time"
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
// used within the last 24 hours. Of two transactions with the same key the second waits for the first.
func (tx *Tx) ClaimAnswer(ctx context.Context, a *Answer) (fresh bool, err error) {
	a.CreatedAt = tx.Now
	const old = "creditor_id = ? AND idempotency_key = ? AND created_at <= ?"
	if err := tx.with(ctx).Where(old, a.CreditorID, a.IdempotencyKey, tx.Now.Add(-24*time.Hour)).Delete(&Answer{}).Error; err != nil {
		return false, classify(err, "")
	}
	fresh, err = tx.insertIgnoring(ctx, a)
	if err != nil || fresh {
		return fresh, err
	}
	err = tx.with(ctx).Where("creditor_id = ? AND idempotency_key = ?", a.CreditorID, a.IdempotencyKey).Take(a).Error
	return false, classify(err, "idempotency key")
}

// FinishAnswer keeps what the request was answered.
func (tx *Tx) FinishAnswer(ctx context.Context, a Answer) error {
	return tx.update(ctx, &Answer{}, map[string]any{"status": a.Status, "location": a.Location, "body": a.Body}, "id = ?", a.ID)
}

// ForgetAnswers removes up to 1000 answers older than 24 hours, and reports whether more are left.
func (tx *Tx) ForgetAnswers(ctx context.Context) (more bool, err error) {
	const most = 1000
	var ids []int64
	if err := tx.with(ctx).Model(&Answer{}).Where("created_at <= ?", tx.Now.Add(-24*time.Hour)).Limit(most).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
		return false, classify(err, "")
	}
	return len(ids) == most, classify(tx.with(ctx).Where("id IN ?", ids).Delete(&Answer{}).Error, "")
}
