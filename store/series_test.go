package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestNumberSeriesD18(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.FirstNumber = 1000 })
		next := func(fail error) (n int64) {
			t.Helper()
			err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
				if n, err = tx.NextNumbers(ctx, c.ID, 1); err != nil {
					return err
				}
				return fail
			})
			if !errors.Is(err, fail) {
				t.Fatal(err)
			}
			return n
		}
		undone := errors.New("undone")
		if got := []int64{next(undone), next(nil), next(undone), next(undone), next(nil)}; !slices.Equal(got, []int64{1000, 1000, 1001, 1001, 1001}) {
			t.Errorf("the numbers are %v: one that is not used goes to the next", got)
		}
		if other := rows.Invoice(t, db, rows.Creditor(t, db)); other.Number != 1 {
			t.Errorf("another creditor's series begins at %d", other.Number)
		}
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { _, err := tx.NextNumbers(ctx, -1, 1); return err })
		wantKind(t, err, models.KindNotFound)
	})
}

func TestNumberSeriesUnderConcurrencyD18(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var mu sync.Mutex
		var got []int64
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				for range 5 {
					var n int64
					err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
						n, err = tx.NextNumbers(t.Context(), c.ID, 1)
						return err
					})
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					got = append(got, n)
					mu.Unlock()
				}
			})
		}
		clients.Wait()
		slices.Sort(got)
		for i, n := range got {
			if n != int64(i+1) {
				t.Fatalf("the numbers given out are %v", got)
			}
		}
	})
}

func TestFirstNumberOnlyBeforeTheFirstInvoiceE1(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		set := func(first int64) error {
			return db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.SetFirstNumber(t.Context(), c.ID, first) })
		}
		must(t, set(500))
		must(t, set(300))
		if s, err := db.Series(t.Context(), c.ID); err != nil || s != (store.Series{Next: 300, First: 1}) {
			t.Errorf("the empty series is %+v, %v", s, err)
		}
		invoice := rows.Invoice(t, db, c)
		note := rows.CreditNote(t, db, c, invoice)
		if invoice.Number != 300 || note.Number != 301 {
			t.Errorf("the first numbers are %d and %d", invoice.Number, note.Number)
		}
		if s, err := db.Series(t.Context(), c.ID); err != nil || s != (store.Series{Documents: 2, Lowest: 300, Highest: 301, Next: 302, First: 1}) {
			t.Errorf("the series is %+v, %v", s, err)
		}
		wantConflict(t, set(400), "series_in_use", "first_number")
	})
}
