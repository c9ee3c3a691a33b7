package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func claim(ctx context.Context, tx *store.Tx, creditorID int64, key string) (store.Answer, bool, error) {
	a := store.Answer{CreditorID: creditorID, IdempotencyKey: key, RequestHash: "hash"}
	fresh, err := tx.ReserveKey(ctx, &a)
	return a, fresh, err
}

func TestAnswersAreKeptForADayD9(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		at := func(after time.Duration) *store.DB { return db.WithClock(clock.NewTest(rows.Start.Add(after))) }
		answered := func(after time.Duration) bool {
			t.Helper()
			a, found, err := db.AnswerTo(ctx, 1, "key", rows.Start.Add(after))
			must(t, err)
			if found && (a.Status != 201 || a.Location != "/api/v1/invoice/1" || a.Body != "<invoice/>" || a.RequestHash != "hash") {
				t.Errorf("the answer is %+v", a)
			}
			return found
		}
		if answered(0) {
			t.Error("a request that never came is answered")
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			a, fresh, err := claim(ctx, tx, 1, "key")
			if err != nil || !fresh {
				t.Errorf("the first claim: %t, %v", fresh, err)
			}
			a.Status, a.Location, a.Body = 201, "/api/v1/invoice/1", "<invoice/>"
			return tx.FinishAnswers(ctx, []store.Answer{a})
		})
		undo := errors.New("undo")
		const day = 24 * time.Hour
		for _, tt := range []struct {
			creditor int64
			key      string
			after    time.Duration
			fresh    bool
			why      string
		}{
			{1, "key", 0, false, "the same key at once"},
			{1, "key", day - time.Microsecond, false, "just within the day"},
			{1, "key", day, true, "a day later"},
			{1, "Key", 0, true, "another key"},
			{2, "key", 0, true, "another creditor's"},
		} {
			err := at(tt.after).InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				a, fresh, err := claim(ctx, tx, tt.creditor, tt.key)
				if err != nil || fresh != tt.fresh || (!fresh && a.Status != 201) {
					t.Errorf("%s: fresh %t, answer %+v, %v", tt.why, fresh, a, err)
				}
				return undo
			})
			if !errors.Is(err, undo) {
				t.Error(err)
			}
		}
		if !answered(0) || !answered(day-time.Microsecond) || answered(day) {
			t.Errorf("answered at once %t, within the day %t, after it %t", answered(0), answered(day-time.Microsecond), answered(day))
		}

		forget := func(after time.Duration) (more bool) {
			t.Helper()
			rows.Write(t, at(after), func(tx *store.Tx) (err error) { more, err = tx.ForgetAnswers(ctx); return err })
			return more
		}
		if forget(day-time.Microsecond) || !answered(0) || forget(day) || answered(0) {
			t.Error("an answer is forgotten after a day, not before")
		}
	})
}

func TestAnswersAreForgottenAThousandAtATime(t *testing.T) {
	db := rows.Open(t, testkit.MySQL(t))
	old := make([]store.Answer, 1001)
	for n := range old {
		old[n] = store.Answer{CreditorID: int64(n), IdempotencyKey: "key", CreatedAt: rows.Start.AddDate(0, 0, -2)}
	}
	var more [3]bool
	rows.Write(t, db, func(tx *store.Tx) (err error) {
		must(t, tx.Insert(t.Context(), &old))
		for n := range more {
			if more[n], err = tx.ForgetAnswers(t.Context()); err != nil {
				return err
			}
		}
		return nil
	})
	if more != [3]bool{true, false, false} {
		t.Errorf("more is left: %v", more)
	}
}

// TestE8ATestClockDoesNotAgeAForm has a clock that is years ahead forget answers. Those to the console's forms go by real time.
func TestE8ATestClockDoesNotAgeAForm(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, begun := t.Context(), time.Now()
		ahead := db.WithClock(clock.NewTest(begun.AddDate(3, 0, 0)))
		kept := []store.Answer{
			{CreditorID: 1, IdempotencyKey: "key", Status: 201, CreatedAt: begun},
			{CreditorID: 1, IdempotencyKey: store.FormKeys + "of today", Status: 303, CreatedAt: begun},
			{CreditorID: 1, IdempotencyKey: store.FormKeys + "of long ago", Status: 303, CreatedAt: begun.AddDate(0, 0, -2)},
		}
		rows.Write(t, ahead, func(tx *store.Tx) error {
			must(t, tx.Insert(ctx, &kept))
			_, err := tx.ForgetAnswers(ctx)
			return err
		})
		for n, want := range []bool{false, true, false} {
			if _, found, err := db.AnswerTo(ctx, 1, kept[n].IdempotencyKey, begun.AddDate(0, 0, -3)); err != nil || found != want {
				t.Errorf("%s is kept: %t, %v", kept[n].IdempotencyKey, found, err)
			}
		}
	})
}

// TestOneOfManyRequestsIsFreshD9 sends requests with one key at the same moment. The first does the work. Each
// other one gets the answer of the first, or an error that it still runs.
func TestOneOfManyRequestsIsFreshD9(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		var worked atomic.Int32
		var requests sync.WaitGroup
		for range 8 {
			requests.Go(func() {
				err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
					a, fresh, err := claim(t.Context(), tx, 1, "key")
					if errors.Is(err, store.ErrInProgress) {
						return nil
					}
					if err != nil {
						return err
					}
					if !fresh {
						if a.Status != 201 {
							t.Errorf("another request sees the answer %+v", a)
						}
						return nil
					}
					worked.Add(1)
					a.Status = 201
					return tx.FinishAnswers(t.Context(), []store.Answer{a})
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		requests.Wait()
		if worked.Load() != 1 {
			t.Errorf("the work was done %d times", worked.Load())
		}
	})
}

// TestASecondRequestDoesNotWaitForTheFirstD9 has another process ask with the same key while the first request
// runs. The key is new or older than a day. It asks again after the first request has succeeded or failed.
func TestASecondRequestDoesNotWaitForTheFirstD9(t *testing.T) {
	databaseURL := testkit.MySQL(t)
	db, other := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
	undo := errors.New("undo")
	rows.Write(t, db.WithClock(clock.NewTest(rows.Start.AddDate(0, 0, -1))), func(tx *store.Tx) error {
		_, _, err := claim(t.Context(), tx, 1, "old")
		return err
	})
	// second reserves the key as another process does, in a transaction that is not repeated.
	second := func(key string) (a store.Answer, fresh bool, err error) {
		attempts := 0
		err = other.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			attempts++
			a, fresh, err = claim(t.Context(), tx, 1, key)
			return errors.Join(err, undo)
		})
		if attempts != 1 {
			t.Errorf("%s: the second is begun %d times", key, attempts)
		}
		return a, fresh, err
	}
	for _, tt := range []struct {
		key   string
		end   error
		fresh bool // whether the second is fresh after the first
	}{{"done", nil, false}, {"undone", undo, true}, {"old", nil, false}} {
		err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			a, fresh, err := claim(t.Context(), tx, 1, tt.key)
			if err != nil || !fresh {
				t.Errorf("%s: the first is fresh %t, %v", tt.key, fresh, err)
			}
			if _, _, err := second(tt.key); !errors.Is(err, store.ErrInProgress) {
				t.Errorf("%s: the second, meanwhile: %v", tt.key, err)
			}
			a.Status = 201
			must(t, tx.FinishAnswers(t.Context(), []store.Answer{a}))
			return tt.end
		})
		if !errors.Is(err, tt.end) {
			t.Error(err)
		}
		if a, fresh, err := second(tt.key); fresh != tt.fresh || (!fresh && a.Status != 201) || errors.Is(err, store.ErrInProgress) {
			t.Errorf("%s: the second, afterwards, is fresh %t and sees %+v, %v", tt.key, fresh, a, err)
		}
	}
	rows.Write(t, db, func(tx *store.Tx) error {
		if _, fresh, err := claim(t.Context(), tx, 1, "done"); fresh || err != nil {
			t.Errorf("a repeated request is fresh %t, %v", fresh, err)
		}
		if a, fresh, err := second("done"); fresh || a.Status != 201 || errors.Is(err, store.ErrInProgress) {
			t.Errorf("one that is repeated at the same time is fresh %t, sees %+v, %v", fresh, a, err)
		}
		return nil
	})
}

// TestO9AKeyIsHeldAsLongAsItsWorkGoesOn has the clock move by more than a day during the work. Then the process dies.
func TestO9AKeyIsHeldAsLongAsItsWorkGoesOn(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, later := t.Context(), db.WithClock(clock.NewTest(rows.Start.Add(25*time.Hour)))
		lease := func(db *store.DB) (a store.Answer, fresh bool, err error) {
			err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				a = store.Answer{CreditorID: 1, IdempotencyKey: "key", RequestHash: "hash"}
				fresh, err = tx.LeaseKey(ctx, &a)
				return err
			})
			return a, fresh, err
		}
		held, fresh, err := lease(db)
		if err != nil || !fresh {
			t.Fatalf("the first is fresh %t, %v", fresh, err)
		}
		if again, fresh, err := lease(later); !errors.Is(err, store.ErrInProgress) {
			t.Errorf("while the work goes on, the second is fresh %t and has %+v, %v", fresh, again, err)
		}
		rows.Write(t, later, func(tx *store.Tx) error {
			together := &store.Reservation{Answer: store.Answer{CreditorID: 1, IdempotencyKey: "key", RequestHash: "other"}}
			if err := tx.ReserveKeys(ctx, []*store.Reservation{together}); err != nil || together.Fresh || together.ID != held.ID {
				t.Errorf("while the work goes on, one of several has %+v, %v", together, err)
			}
			return tx.EndLease(ctx, held)
		})
		if again, fresh, err := lease(later); err != nil || !fresh || again.Work == held.Work {
			t.Errorf("a day after the work has died, its key is fresh %t and has %+v, %v", fresh, again, err)
		}
	})
}
