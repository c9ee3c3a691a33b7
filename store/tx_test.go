package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestInTxCommitsOrLeavesNothing(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		set := func(tx *store.Tx, value string) error { return tx.SetSetting(ctx, "word", value) }
		holds := func(want string) {
			t.Helper()
			if got, err := db.Setting(ctx, "word"); got != want || err != nil {
				t.Errorf("the setting is %q, %v, want %q", got, err, want)
			}
		}

		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if err := set(tx, "first"); err != nil {
				return err
			}
			if got, err := tx.Setting(ctx, "word"); got != "first" || err != nil {
				t.Errorf("within the transaction it is %q, %v", got, err)
			}
			holds("") // outside of it
			return nil
		}))
		holds("first")

		ours := errors.New("something is wrong")
		if err := db.InTx(ctx, func(_ context.Context, tx *store.Tx) error { return errors.Join(set(tx, "second"), ours) }); !errors.Is(err, ours) {
			t.Errorf("the error came back as %v", err)
		}
		holds("first")

		func() {
			defer func() {
				if got := recover(); got != "a bug" {
					t.Errorf("the panic came through as %v", got)
				}
			}()
			_ = db.InTx(ctx, func(_ context.Context, tx *store.Tx) error { must(t, set(tx, "third")); panic("a bug") })
		}()
		holds("first")

		ended, end := context.WithCancel(ctx)
		err := db.InTx(ended, func(_ context.Context, tx *store.Tx) error { must(t, set(tx, "fourth")); end(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the end of the context came back as %v", err)
		}
		holds("first")
		rows.Write(t, db, func(tx *store.Tx) error { return set(tx, "fifth") }) // no connection was lost
		holds("fifth")
	})
}

func TestATransactionHasOneMoment(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		key := models.Key{Name: "key", Scope: models.ScopeRead, Hash: "hash"}
		must(t, rows.On(db, day("2026-05-04")).InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if models.DateOf(tx.Now) != day("2026-05-04") {
				t.Errorf("its moment is %s", tx.Now)
			}
			return tx.CreateKey(t.Context(), &key)
		}))
		if models.DateOf(key.CreatedAt) != day("2026-05-04") {
			t.Errorf("what it wrote bears %s", key.CreatedAt)
		}
	})
}

func TestAKeyThatExistsIsADuplicateAndTheTransactionGoesOn(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreateReferences(ctx, []store.Reference{{CreditorID: 1, KID: "1230", InvoiceID: 1}}))
			if err := tx.CreateReferences(ctx, []store.Reference{{CreditorID: 1, KID: "1230", InvoiceID: 2}}); !errors.Is(err, store.ErrDuplicate) {
				t.Errorf("the same KID again: %v", err)
			}
			return tx.CreateReferences(ctx, []store.Reference{{CreditorID: 2, KID: "1230", InvoiceID: 3}})
		})
		found, err := db.ReferencesOf(ctx, 1, []string{"1230", "1248"})
		if err != nil || len(found) != 1 || found["1230"].InvoiceID != 1 {
			t.Errorf("found %v, %v", found, err)
		}
	})
}

// TestEachRowGetsBackTheIDItWasGiven inserts rows by two statements, with several steps between IDs (rule K1), while
// others insert into the same table: where INSERT returns the IDs, and where it does not.
func TestEachRowGetsBackTheIDItWasGiven(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	returning := rows.Open(t, databaseURL)
	reckoning, err := store.OpenWithoutReturning(databaseURL, clock.NewTest(rows.Start))
	must(t, err)
	t.Cleanup(func() { must(t, reckoning.Close()) })
	for _, way := range []struct {
		name string
		db   *store.DB
	}{{"returned", returning}, {"reckoned", reckoning}} {
		for _, step := range []int{1, 3, 7} {
			t.Run(fmt.Sprintf("%s, every %d", way.name, step), func(t *testing.T) {
				t.Parallel()
				rows.Write(t, way.db, func(tx *store.Tx) error {
					must(t, tx.Exec(t.Context(), "SET SESSION auto_increment_increment = ?, auto_increment_offset = 1", step))
					defer func() {
						must(t, tx.Exec(t.Context(), "SET SESSION auto_increment_increment = 3, auto_increment_offset = 2"))
					}()
					entries := make([]models.Entry, 1200)
					for i := range entries {
						entries[i] = models.Entry{CreditorID: int64(step), Type: models.EntryPayment, Amount: models.Amount(i), TransactionDate: rows.Today}
					}
					must(t, tx.CreateEntries(t.Context(), entries))
					for _, i := range []int{0, 1, 998, 999, 1000, 1001, 1199} {
						stored, err := tx.Entry(t.Context(), int64(step), entries[i].ID)
						if err != nil || stored.Amount != models.Amount(i) {
							t.Errorf("entry %d was told ID %d, which has amount %d, %v", i, entries[i].ID, stored.Amount, err)
						}
					}
					return nil
				})
			})
		}
	}
}
