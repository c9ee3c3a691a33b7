package store

import (
	"context"
	"time"

	"purr/models"
)

// farAhead is further than the clocks of two machines are apart, unless one is wrong.
const farAhead = time.Hour

// SessionByHash returns the session with the hash that has not expired at the moment. One that begins far in the future is of a clock that
// was ahead, and would last too long (rule D117).
func (r reads) SessionByHash(ctx context.Context, hash string, now time.Time) (models.Session, error) {
	return readOne[models.Session](r.with(ctx).Where("hash = ? AND expires_at > ? AND created_at <= ?", hash, now, now.Add(farAhead)), "session")
}

// CreateSession writes a new session and sets its ID. It also deletes the sessions that have expired by its creation.
func (tx *Tx) CreateSession(ctx context.Context, s *models.Session) error {
	if err := tx.with(ctx).Where("expires_at <= ?", s.CreatedAt).Delete(&models.Session{}).Error; err != nil {
		return classify(err, "")
	}
	return tx.insert(ctx, s)
}

// TouchSession keeps that the session was seen at the moment, and until when it lasts.
func (tx *Tx) TouchSession(ctx context.Context, id int64, seen, expires time.Time) error {
	return tx.set(ctx, &models.Session{}, map[string]any{"seen_at": seen, "expires_at": expires}, "id = ?", id)
}

// DeleteSession deletes a session. It is no fault if there is none.
func (tx *Tx) DeleteSession(ctx context.Context, id int64) error {
	return classify(tx.with(ctx).Delete(&models.Session{}, id).Error, "")
}
