package store

import (
	"context"
	"time"
)

// AnswerTo returns what the creditor's request with the idempotency key was answered, and false where
// none with it was kept within the 24 hours before now (rule D9).
func (r reads) AnswerTo(ctx context.Context, creditorID int64, key string, now time.Time) (Answer, bool, error) {
	var found []Answer
	err := r.with(ctx).Where(ofKey+" AND created_at > ?", creditorID, key, now.Add(-answerKept)).Find(&found).Error
	return firstAnswer(found, err)
}

func firstAnswer(found []Answer, err error) (Answer, bool, error) {
	if err != nil || len(found) == 0 {
		return Answer{}, false, classify(err, "")
	}
	return found[0], true, nil
}
