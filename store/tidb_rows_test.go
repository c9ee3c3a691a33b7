package store_test

import (
	"context"
	"testing"
	"time"

	"purr/store"
	"purr/test/testkit/rows"
)

// TestK8KeptTextsFitIntoARowOfTiDB: where texts are long, fewer of them are kept together, and searches miss none.
func TestK8KeptTextsFitIntoARowOfTiDB(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		const invoices, room = 9, 100 // bytes
		for range invoices {
			rows.Invoice(t, db, c)
		}
		store.OfLongTexts(room, func() {
			for day := range 2 { // the second finds all kept
				must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					tx.Now = tx.Now.Add(time.Duration(day+1) * 24 * time.Hour)
					return tx.CountLists(ctx, c.ID)
				}))
			}
		})
		var kept struct{ N, Items, Longest int }
		must(t, db.Query(t.Context(), &kept, "SELECT COUNT(*) AS n, SUM(items) AS items, MAX(LENGTH(texts)) AS longest FROM invoice_texts"))
		if kept.N < 2 || kept.Items != invoices || kept.Longest > room {
			t.Errorf("it keeps %+v, want %d texts in rows of at most %d bytes", kept, invoices, room)
		}
		wrong, err := db.TextMismatches(t.Context(), c.ID)
		if err != nil || len(wrong) > 0 {
			t.Errorf("%v of them are wrong: %v", wrong, err)
		}
	})
}
