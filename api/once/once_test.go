package once_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"purr/api/once"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func key(name, request string) *once.Key {
	return &once.Key{CreditorID: 1, Name: name, Request: request}
}

// done and refused are answers in a form that is not XML.
var (
	done    = once.Answer{Status: 201, Location: "/there", MediaType: "application/json", Body: `{"a": "å"}`}
	refused = once.Answer{Status: 422, MediaType: "application/problem+json", Body: `{}`, Refusal: models.Invalid("wrong", "", "is wrong")}
)

func long(a once.Answer) once.Answer {
	a.Body = strings.Repeat("x", 64<<10+1)
	return a
}

// way is a shape in which an act is done once.
type way func(t *testing.T, db *store.DB, key *once.Key, act func() (once.Answer, error)) (a once.Answer, fresh bool, err error)

func alone(t *testing.T, db *store.DB, key *once.Key, act func() (once.Answer, error)) (once.Answer, bool, error) {
	t.Helper()
	return once.Do(t.Context(), db, key, func(context.Context, *store.Tx) (once.Answer, error) { return act() })
}

// others counts the acts that were done beside another.
var others int

func amongOthers(t *testing.T, db *store.DB, k *once.Key, act func() (once.Answer, error)) (once.Answer, bool, error) {
	t.Helper()
	others++
	one, other, free := &once.Act{Key: k}, &once.Act{Key: key(fmt.Sprint("other ", others), "r")}, &once.Act{}
	err := db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
		if err := once.Begin(ctx, tx, other, one, free); err != nil {
			return err
		}
		if !other.Fresh || !free.Fresh {
			t.Errorf("the others are fresh: %t, %t", other.Fresh, free.Fresh)
		}
		other.Answer = done
		if one.Fresh {
			if one.Answer, err = act(); err != nil {
				return err
			}
		}
		return once.Finish(ctx, tx, other, one, free)
	})
	return one.Answer, one.Fresh, errors.Join(err, one.Err)
}

func leased(t *testing.T, db *store.DB, key *once.Key, act func() (once.Answer, error)) (once.Answer, bool, error) {
	t.Helper()
	leases := once.Leases{DB: db, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	return leases.Do(t.Context(), key, func(string) (once.Answer, error) { return act() })
}

// TestD9EachWayKeepsTheSamePromise does each act twice: what was done, or refused shortly, is answered the same; what failed, or was
// refused at length, is tried again.
func TestD9EachWayKeepsTheSamePromise(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		fault := errors.New("a fault of ours")
		for name, do := range map[string]way{"alone": alone, "among others": amongOthers, "leased": leased} {
			for what, test := range map[string]struct {
				answer once.Answer
				sent   int64
				err    error
				kept   bool
			}{
				"what was done":                {answer: done, kept: true},
				"what was done at length":      {answer: long(done), sent: 64<<10 + 1, kept: true},
				"a refusal":                    {answer: refused, sent: 64 << 10, kept: true},
				"a long refusal":               {answer: long(refused)},
				"a refusal of much":            {answer: refused, sent: 64<<10 + 1},
				"a fault":                      {answer: once.Answer{Status: 503}},
				"while it is held":             {answer: once.Answer{Status: 409, Refusal: store.ErrHeld}},
				"while another is in progress": {answer: once.Answer{Status: 409, Refusal: store.ErrInProgress}},
				"a failure":                    {err: fault},
			} {
				k := key(name+", "+what, "r")
				k.Sent, k.JSON = test.sent, true
				times := 0
				act := func() (once.Answer, error) { times++; return test.answer, test.err }
				for n := range 2 {
					a, fresh, err := do(t, db, k, act)
					want := test.answer
					if n == 1 && test.kept {
						want.Refusal = nil
					}
					if again := n == 1 && !test.kept; !errors.Is(err, test.err) || err == nil && (a != want || fresh != (n == 0 || again)) || times != 1 && !again {
						t.Errorf("%s, %s: done %d times, then fresh %t and answered %+v, %v", name, what, times, fresh, a, err)
					}
				}
				if (times == 1) != test.kept {
					t.Errorf("%s, %s: done %d times, and kept is %t", name, what, times, test.kept)
				}
				other := *k
				other.Request = "another"
				_, _, err := do(t, db, &other, func() (once.Answer, error) { return done, nil })
				if known := test.kept || name == "leased"; errors.Is(err, once.ErrAnother) != known || err != nil && !known {
					t.Errorf("%s, %s: another request with the key is answered %v", name, what, err)
				}
				other.JSON = false
				if _, _, err := do(t, db, &other, func() (once.Answer, error) { return done, nil }); errors.Is(err, once.ErrOtherForm) != test.kept {
					t.Errorf("%s, %s: a request for the other form with the key is answered %v", name, what, err)
				}
			}
			for range 2 {
				if a, fresh, err := do(t, db, nil, func() (once.Answer, error) { return done, nil }); a != done || !fresh || err != nil {
					t.Errorf("%s, without a key: %+v, %t, %v", name, a, fresh, err)
				}
			}
		}
	})
}

// TestD9ARefusedFormIsFree: a form that was refused is shown again, changed, and sent again under its name; a call of the API is not.
func TestD9ARefusedFormIsFree(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for name, want := range map[string]error{store.FormKeys + "k": nil, "k": once.ErrAnother} {
			_, _, err := leased(t, db, key(name, "r"), func() (once.Answer, error) { return once.Answer{}, refused.Refusal })
			if !errors.Is(err, refused.Refusal) {
				t.Errorf("%s is answered %v", name, err)
			}
			_, _, err = leased(t, db, key(name, "changed"), func() (once.Answer, error) { return done, nil })
			if !errors.Is(err, want) {
				t.Errorf("%s changed is answered %v, want %v", name, err, want)
			}
		}
	})
}

// TestD9ARefusalIsKeptUnlessItWasAnsweredMeanwhile by another process, that has done the act.
func TestD9ARefusalIsKeptUnlessItWasAnsweredMeanwhile(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		if a, fresh, err := once.Refuse(t.Context(), db, *key("a", "r"), refused); a != refused || !fresh || err != nil {
			t.Errorf("the first refusal is %+v, %t, %v", a, fresh, err)
		}
		if a, _, err := once.Refuse(t.Context(), db, *key("a", "r"), long(refused)); !errors.Is(err, refused.Refusal) {
			t.Errorf("what is not kept is %+v, %v", a, err)
		}
		if _, _, err := alone(t, db, key("b", "r"), func() (once.Answer, error) { return done, nil }); err != nil {
			t.Fatal(err)
		}
		if a, fresh, err := once.Refuse(t.Context(), db, *key("b", "r"), refused); err != nil || fresh || a != done {
			t.Errorf("a refusal of what was done is %+v, %t, %v", a, fresh, err)
		}
	})
}

// TestO9WhoTakesWorkOverAnswersFirst has a process lose its lease. What the other one has answered is the answer to both.
func TestO9WhoTakesWorkOverAnswersFirst(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		leases := once.Leases{DB: db, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
		other := once.Answer{Status: 201, MediaType: "application/xml", Body: "<x/>"}
		a, fresh, err := leases.Do(t.Context(), key("k", "r"), func(work string) (once.Answer, error) {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.EndLeases(t.Context()) })
			b, fresh, err := leases.Do(t.Context(), key("k", "r"), func(same string) (once.Answer, error) {
				if same != work || work == "" {
					t.Errorf("the work %q goes on as %q", work, same)
				}
				return other, nil
			})
			if b != other || !fresh || err != nil {
				t.Errorf("who takes over is answered %+v, %t, %v", b, fresh, err)
			}
			return done, nil
		})
		if a != other || fresh || err != nil {
			t.Errorf("who began is answered %+v, %t, %v", a, fresh, err)
		}
	})
}
