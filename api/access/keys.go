// Package access says who a caller is: it finds the API key with a secret, bounds wrong keys, notes when a key was last
// used, and keeps the console's sessions. It knows nothing of routes, of XML or of pages.
package access

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"purr/api/guard"
	"purr/internal/clock"
	"purr/models"
	"purr/store"
)

// Keys are the API keys of an installation, as callers use them. The API and the console share one, so that wrong keys
// count for both (rule D3). It is safe for concurrent use.
type Keys struct {
	Idle time.Duration // how long a session lasts without use

	db         *store.DB
	proxies    guard.Proxies
	wall       clock.Clock
	log        *slog.Logger
	throttle   *guard.LoginThrottle
	background *guard.Background
	lastUses   sync.Map // by a key's or a session's ID: when the last write of its last use began
	awaited    atomic.Pointer[awaited]
}

// awaited is what is done when a key is used.
type awaited struct {
	hash string
	do   func()
}

// New returns the keys of the installation in db. wall is real time, even if the installation has a test clock. Close it
// after the servers that use it.
func New(db *store.DB, proxies guard.Proxies, wall clock.Clock, log *slog.Logger) *Keys {
	return &Keys{Idle: SessionIdle, db: db, proxies: proxies, wall: wall, log: log, throttle: guard.NewLoginThrottle(), background: guard.NewBackground(log)}
}

// Close waits until the last uses are noted.
func (k *Keys) Close() { k.background.Wait() }

// Of returns the key with a secret, and its creditor. It fails with models.KindUnauthorized for an unknown key and for a
// revoked one, with the same error, and with models.KindTooMany if the request's address has sent too many of them (rule
// D3). The log names the request by its ID.
func (k *Keys) Of(ctx context.Context, secret string, r *http.Request, requestID string) (models.Key, models.Creditor, error) {
	hash := models.HashKey(secret)
	key, creditor, err := k.db.KeyByHash(ctx, hash)
	if err != nil && models.KindOf(err) != models.KindNotFound {
		return models.Key{}, models.Creditor{}, err
	}
	// The database found the hash by an index. This compares the whole hash again, in constant time.
	if err == nil && subtle.ConstantTimeCompare([]byte(key.Hash), []byte(hash)) == 1 && key.RevokedAt == nil {
		if w := k.awaited.Load(); w != nil && w.hash == hash && k.awaited.CompareAndSwap(w, nil) {
			w.do()
		}
		return key, creditor, nil
	}
	client := k.proxies.ClientOf(r)
	k.log.Warn("an API key was refused", "client", client, "id", requestID)
	if pause := k.throttle.Wrong(client, k.wall.Now()); pause > 0 {
		return models.Key{}, models.Creditor{}, guard.TooMany("too_many_wrong_keys", "too many wrong keys came from this address", pause)
	}
	return models.Key{}, models.Creditor{}, &models.Error{Kind: models.KindUnauthorized, Code: "key_wrong", Msg: "this API key is not known, or was revoked"}
}

// WhenUsed calls do once, when the key with a hash is used next. It waits for one key: a later call takes the place of an earlier one.
func (k *Keys) WhenUsed(hash string, do func()) { k.awaited.Store(&awaited{hash, do}) }

// lastUsePause is the least time between two writes of a last use (rule D3).
const lastUsePause = time.Minute

// Used notes that the key is used now, in the background and at most about once a minute (rule D3).
func (k *Keys) Used(ctx context.Context, key models.Key, now time.Time) {
	if key.LastUsedAt == nil {
		key.LastUsedAt = &time.Time{}
	}
	k.note(ctx, keyUse(key.ID), *key.LastUsedAt, now, "noting the last use of a key", func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchKey(ctx, key.ID, now)
	})
}

type (
	keyUse     int64 // a key's ID
	sessionUse int64 // a session's ID
)

// note writes that something is used now, unless that was written less than lastUsePause ago.
func (k *Keys) note(ctx context.Context, of any, written, now time.Time, what string, touch func(ctx context.Context, tx *store.Tx) error) {
	recent := func(at time.Time) bool { return now.Sub(at) < lastUsePause }
	if recent(written) {
		return
	}
	if begun, known := k.lastUses.Load(of); known && recent(begun.(time.Time)) { //nolint:errcheck // only times are stored
		return
	}
	k.lastUses.Store(of, now)
	var apart store.Queries // not the request's
	k.background.Start(apart.Counting(ctx), what, func(ctx context.Context) error {
		return k.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return touch(ctx, tx) })
	})
}
