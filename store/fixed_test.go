package store_test

import (
	"errors"
	"sync"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestStatementsArePreparedByManyAtOnce has more readers than there are connections read for the first time. Each holds a connection
// while one of them takes another to prepare the statement.
func TestStatementsArePreparedByManyAtOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c)
		const readers = 80
		errs := make([]error, readers)
		var wg sync.WaitGroup
		for n := range readers {
			wg.Go(func() {
				errs[n] = db.View(t.Context(), func(v store.View) error {
					found, err := v.Invoice(t.Context(), c.ID, invoice.ID)
					if err == nil && found.Number != invoice.Number {
						err = errors.New("another invoice came")
					}
					return err
				})
			})
		}
		wg.Wait()
		must(t, errors.Join(errs...))
		_, err := db.Invoice(t.Context(), c.ID, invoice.ID+1)
		wantKind(t, err, models.KindNotFound)
	})
}

// TestPreparedStatementsOutliveTheirTable has a column come between two reads by the same statement, as at an upgrade.
func TestPreparedStatementsOutliveTheirTable(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.MySQL(t))
	c := rows.Creditor(t, db)
	invoice := rows.Invoice(t, db, c)
	for range 3 {
		found, err := db.InvoiceLines(t.Context(), invoice.ID)
		if err != nil || len(found) == 0 || found[0].Text == "" {
			t.Fatalf("found %+v, %v", found, err)
		}
		if n := db.Prepared(); n != 1 {
			t.Errorf("%d statements are prepared", n)
		}
		must(t, db.Exec(t.Context(), "ALTER TABLE invoice_lines DROP COLUMN IF EXISTS later"))
		must(t, db.Exec(t.Context(), "ALTER TABLE invoice_lines ADD COLUMN later INT NOT NULL DEFAULT 7 FIRST"))
	}
}
