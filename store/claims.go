package store

import (
	"context"
	"errors"

	"gorm.io/gorm/clause"
)

// Claim is an answer's key that is claimed together with others, and what became of it.
type Claim struct {
	Answer       // the one that stands, unless the claim is fresh
	Fresh  bool  // the request is to be done
	Err    error // ErrInProgress, for this key alone
}

// ClaimAnswers does for several keys of one creditor, all different, what ClaimAnswer does for one, with few
// statements.
func (tx *Tx) ClaimAnswers(ctx context.Context, claims []*Claim) error {
	if len(claims) == 0 {
		return nil
	}
	err := tx.claimTogether(ctx, claims)
	if !isLocked(err) && !errors.Is(err, ErrDuplicate) {
		return classify(err, "")
	}
	for _, c := range claims { // another process has one of them: which one, each must tell for itself
		c.Fresh, c.Err = false, nil
		fresh, err := tx.ClaimAnswer(ctx, &c.Answer)
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

// claimTogether claims the keys as long as no other transaction has claimed one of them.
func (tx *Tx) claimTogether(ctx context.Context, claims []*Claim) error {
	standing, err := tx.lockAnswers(ctx, claims)
	if err != nil {
		return err
	}
	var fresh []*Answer
	var old []int64
	for _, c := range claims {
		kept, found := standing[c.IdempotencyKey]
		if found && kept.CreatedAt.After(tx.Now.Add(-answerKept)) {
			c.Answer = kept
			continue
		}
		if found {
			old = append(old, kept.ID)
		}
		c.CreatedAt, c.Fresh = tx.Now, true
		fresh = append(fresh, &c.Answer)
	}
	if len(old) > 0 {
		if err := tx.with(ctx).Where("id IN ?", old).Delete(&Answer{}).Error; err != nil {
			return err
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return tx.insert(ctx, &fresh)
}

// lockAnswers returns the answers that stand for the keys, however old, by key, and fails at once where another
// transaction has one of them.
func (tx *Tx) lockAnswers(ctx context.Context, claims []*Claim) (map[string]Answer, error) {
	keys := make([]string, len(claims))
	for i, c := range claims {
		keys[i] = c.IdempotencyKey
	}
	var found []Answer
	err := tx.with(ctx).Clauses(noWait).Where("creditor_id = ? AND idempotency_key IN ?", claims[0].CreditorID, keys).Find(&found).Error
	standing := make(map[string]Answer, len(found))
	for _, a := range found {
		standing[a.IdempotencyKey] = a
	}
	return standing, err
}

// FinishAnswers does for several answers what FinishAnswer does for one.
func (tx *Tx) FinishAnswers(ctx context.Context, answers []Answer) error {
	if len(answers) == 0 {
		return nil
	}
	finish := clause.OnConflict{DoUpdates: clause.AssignmentColumns([]string{"status", "location", "body"})}
	return classify(tx.with(ctx).Clauses(finish).Create(&answers).Error, "")
}
