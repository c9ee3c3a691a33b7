package retries_test

import (
	"fmt"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestServersThatPrepareNothing has a server that has no room for a prepared statement, or a proxy before it that has lost what it
// prepared: reads are answered all the same, outside of transactions and in them.
func TestServersThatPrepareNothing(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	plain := rows.Open(t, databaseURL)
	c := rows.Creditor(t, plain)
	invoice := rows.Invoice(t, plain, c)
	for _, x := range []struct {
		command byte
		refusal int
	}{
		{prepare, noRoomToPrepare},
		{execute, noRoomToPrepare},
		{execute, notPrepared},
		{execute, prepareAgain},
	} {
		t.Run(fmt.Sprintf("%#x %d", x.command, x.refusal), func(t *testing.T) {
			p, through := newProxy(t, databaseURL)
			db := rows.Open(t, through)
			p.refuse(x.command, x.refusal)
			for range 2 {
				check := func(found models.Invoice, err error) {
					if err != nil || found.Number != invoice.Number {
						t.Errorf("found %+v, %v", found, err)
					}
				}
				check(db.Invoice(t.Context(), c.ID, invoice.ID))
				rows.Write(t, db, func(tx *store.Tx) error {
					check(tx.Invoice(t.Context(), c.ID, invoice.ID))
					return nil
				})
			}
			if p.refusals() == 0 {
				t.Error("nothing was refused")
			}
			if _, err := db.Invoice(t.Context(), c.ID, invoice.ID+1); models.KindOf(err) != models.KindNotFound {
				t.Errorf("of an invoice that is not there: %v", err)
			}
		})
	}
}
