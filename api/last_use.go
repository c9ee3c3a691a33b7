package api

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"purr/models"
	"purr/store"
)

// lastUseGrain is how exactly the last use of a key is known (rule D3).
const lastUseGrain = time.Minute

// lastUse notes when keys were used, off the path of the requests.
type lastUse struct {
	db  *store.DB
	log *slog.Logger

	mu      sync.Mutex
	noted   map[int64]time.Time // by key
	writing sync.WaitGroup
}

func newLastUse(db *store.DB, log *slog.Logger) *lastUse {
	return &lastUse{db: db, log: log, noted: map[int64]time.Time{}}
}

// note has the use written, unless one within the grain is noted already.
func (l *lastUse) note(ctx context.Context, k models.Key, at time.Time) {
	if k.LastUsedAt != nil && at.Sub(*k.LastUsedAt) < lastUseGrain {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, known := l.noted[k.ID]; known && at.Sub(last) < lastUseGrain {
		return
	}
	l.noted[k.ID] = at
	l.writing.Go(func() { l.write(context.WithoutCancel(ctx), k.ID, at) })
}

func (l *lastUse) write(ctx context.Context, keyID int64, at time.Time) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := l.db.InTx(ctx, func(tx *store.Tx) error { return tx.TouchKey(ctx, keyID, at) })
	if err != nil {
		l.log.Warn("the last use of a key was not noted", "key", keyID, "error", err)
	}
}

// wait returns when all that was noted is written.
func (l *lastUse) wait() { l.writing.Wait() }
