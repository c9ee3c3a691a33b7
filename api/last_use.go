package api

import (
	"context"
	"sync"
	"time"

	"purr/models"
	"purr/store"
)

// lastUseGrain is how exactly the last use of a key is known (rule D3).
const lastUseGrain = time.Minute

// lastUse knows which uses of keys were noted lately.
type lastUse struct {
	mu    sync.Mutex
	noted map[int64]time.Time // by key
}

func newLastUse() *lastUse { return &lastUse{noted: map[int64]time.Time{}} }

// due reports whether a use of the key is to be noted, and takes it that it is.
func (l *lastUse) due(k models.Key, at time.Time) bool {
	if k.LastUsedAt != nil && at.Sub(*k.LastUsedAt) < lastUseGrain {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, known := l.noted[k.ID]; known && at.Sub(last) < lastUseGrain {
		return false
	}
	l.noted[k.ID] = at
	return true
}

// noteUse notes that the request's key was used, off the request's path (rule D3).
func (s *Server) noteUse(ctx context.Context, rq *request) {
	if !s.lastUse.due(rq.key, rq.now) {
		return
	}
	keyID, at := rq.key.ID, rq.now
	s.background.start(ctx, "noting the last use of a key", func(ctx context.Context) error {
		return s.db.InTx(ctx, func(tx *store.Tx) error { return tx.TouchKey(ctx, keyID, at) })
	})
}
