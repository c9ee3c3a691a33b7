package store_test

import (
	"errors"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// claimed is the expected result of reserving a key.
type claimed struct {
	key   string
	fresh bool
	err   error
}

// claimAll reserves the keys together, and finishes the fresh ones with the status.
func claimAll(t *testing.T, tx *store.Tx, status int, want ...claimed) error {
	t.Helper()
	var claims []*store.Reservation
	for _, w := range want {
		claims = append(claims, &store.Reservation{Answer: store.Answer{CreditorID: 1, IdempotencyKey: w.key, RequestHash: "hash of " + w.key}})
	}
	if err := tx.ReserveKeys(t.Context(), claims); err != nil {
		return err
	}
	var done []store.Answer
	for i, w := range want {
		c := claims[i]
		if c.Fresh != w.fresh || !errors.Is(c.Err, w.err) || c.IdempotencyKey != w.key || c.RequestHash != "hash of "+w.key {
			t.Errorf("the claim of %q became %+v, want fresh %t, %v", w.key, c, w.fresh, w.err)
		}
		if w.err == nil && !w.fresh && c.Status == 0 {
			t.Errorf("the answer that stands for %q is %+v", w.key, c.Answer)
		}
		if c.Fresh {
			a := c.Answer
			a.Status, a.Location, a.Body = status, "/"+w.key, "<"+w.key+"/>"
			done = append(done, a)
		}
	}
	return tx.FinishAnswers(t.Context(), done)
}

func TestClaimsOfSeveralKeysD9(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept := func(key string, after time.Duration, status int) {
			t.Helper()
			a, found, err := db.AnswerTo(t.Context(), 1, key, rows.Start.Add(after))
			if err != nil || !found || a.Status != status || a.Location != "/"+key || a.Body != "<"+key+"/>" || a.RequestHash != "hash of "+key {
				t.Errorf("the answer kept for %q is %+v, %t, %v, want status %d", key, a, found, err, status)
			}
		}
		at := func(after time.Duration) *store.DB { return db.WithClock(clock.NewTest(rows.Start.Add(after))) }
		rows.Write(t, db, func(tx *store.Tx) error { return claimAll(t, tx, 201) })
		rows.Write(t, db, func(tx *store.Tx) error {
			return claimAll(t, tx, 201, claimed{key: "a", fresh: true}, claimed{key: "b", fresh: true})
		})
		rows.Write(t, at(time.Hour), func(tx *store.Tx) error {
			return claimAll(t, tx, 422, claimed{key: "c", fresh: true}, claimed{key: "b"}, claimed{key: "d", fresh: true})
		})
		for key, status := range map[string]int{"a": 201, "b": 201, "c": 422, "d": 422} {
			kept(key, time.Hour, status)
		}
		rows.Write(t, at(24*time.Hour), func(tx *store.Tx) error {
			return claimAll(t, tx, 409, claimed{key: "a", fresh: true}, claimed{key: "c"}, claimed{key: "e", fresh: true})
		})
		kept("a", 24*time.Hour, 409)
		kept("c", 24*time.Hour, 422)
	})
}

// TestClaimsBesideAnotherProcessD9 has another process hold one of the keys. That key is in progress, and the
// others are reserved nevertheless.
func TestClaimsBesideAnotherProcessD9(t *testing.T) {
	databaseURL := testkit.MySQL(t)
	db, other := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
	rows.Write(t, other, func(tx *store.Tx) error { return claimAll(t, tx, 201, claimed{key: "done", fresh: true}) })
	rows.Write(t, other, func(theirs *store.Tx) error {
		if _, _, err := claim(t.Context(), theirs, 1, "theirs"); err != nil {
			return err
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			return claimAll(t, tx, 201, claimed{key: "new", fresh: true}, claimed{key: "theirs", err: store.ErrInProgress}, claimed{key: "done"})
		})
		return nil
	})
	if a, found, err := db.AnswerTo(t.Context(), 1, "new", rows.Start); err != nil || !found || a.Status != 201 {
		t.Errorf("the other's answer is %+v, %t, %v", a, found, err)
	}
}
