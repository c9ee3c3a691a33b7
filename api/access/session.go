package access

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// The bounds of a session: how long it lasts without use, and how long at most (rule E10).
const (
	SessionIdle = 8 * time.Hour
	SessionMost = 7 * 24 * time.Hour
)

// Session is a browser that is signed in.
type Session struct {
	ID   int64
	Keys []store.KeyCreditor // those that are not revoked, in the order in which they were given; at least one
}

// Of returns the session's key of a creditor, and false if it has none.
func (s Session) Of(creditorID int64) (store.KeyCreditor, bool) {
	i := slices.IndexFunc(s.Keys, func(k store.KeyCreditor) bool { return k.Creditor.ID == creditorID })
	if i < 0 {
		return store.KeyCreditor{}, false
	}
	return s.Keys[i], true
}

// Last returns the key that was given last.
func (s Session) Last() store.KeyCreditor { return s.Keys[len(s.Keys)-1] }

// Begin signs a browser in with a key, and returns the token of its session. If the browser has a session already, the
// new one has its keys too, and the old one ends. A session has one key of each creditor: the last that was given.
func (k *Keys) Begin(ctx context.Context, before Session, key models.Key) (token string, err error) {
	token = rand.Text() + rand.Text() // 256 bits
	now := k.wall.Now()
	err = k.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		s := models.Session{Hash: models.HashKey(token), CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(k.Idle)}
		for _, had := range before.Keys {
			if had.Creditor.ID != key.CreditorID {
				s.KeyIDs = append(s.KeyIDs, had.Key.ID)
			}
		}
		s.KeyIDs = append(s.KeyIDs, key.ID)
		if err := tx.DeleteSession(ctx, before.ID); err != nil {
			return err
		}
		return tx.CreateSession(ctx, &s)
	})
	return token, err
}

// Session returns the session with a token, with the keys as they are now. It fails with models.KindNotFound if there is
// none, if it has expired, and if all its keys were revoked.
func (k *Keys) Session(ctx context.Context, token string) (Session, error) {
	now := k.wall.Now()
	s, err := k.db.SessionByHash(ctx, models.HashKey(token), now)
	if err != nil {
		return Session{}, err
	}
	keys, err := k.db.KeysInForce(ctx, s.KeyIDs)
	if err != nil {
		return Session{}, err
	}
	slices.SortFunc(keys, func(a, b store.KeyCreditor) int {
		return slices.Index(s.KeyIDs, a.Key.ID) - slices.Index(s.KeyIDs, b.Key.ID)
	})
	if len(keys) == 0 {
		return Session{}, models.NotFound("session")
	}
	expires := now.Add(k.Idle)
	if last := s.CreatedAt.Add(SessionMost); expires.After(last) {
		expires = last
	}
	k.note(ctx, sessionUse(s.ID), s.SeenAt, now, "noting the last use of a session", func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchSession(ctx, s.ID, now, expires)
	})
	return Session{ID: s.ID, Keys: keys}, nil
}

// End signs a browser out.
func (k *Keys) End(ctx context.Context, s Session) error {
	return k.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteSession(ctx, s.ID) })
}
