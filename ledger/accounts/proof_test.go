package accounts_test

import (
	"testing"

	"purr/ledger"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestA1cAnExportAgreesForEver proves two months anew after a payment of the first was deleted, and sees an øre that is wrong.
func TestA1cAnExportAgreesForEver(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		paid := l.months()
		l.pass(1)
		first := l.make(start, start+29, models.FormCSV).Export
		prove := func(e models.AccountExport) (p accounts.Proof) {
			t.Helper()
			must(t, l.db.View(t.Context(), func(v store.View) (err error) {
				p, err = accounts.Prove(t.Context(), v, e)
				return err
			}))
			return p
		}
		if p := prove(first); !p.Agrees() || p.Journal == 0 || p.Owed != first.Closing {
			t.Errorf("the first month: %+v", p)
		}
		rows.Write(t, l.db, func(tx *store.Tx) error {
			return ledger.DeletePayment(t.Context(), tx, l.creditor.ID, paid.ID, l.today(), "a person")
		})
		l.pass(2)
		second := l.make(start+30, l.today()-1, models.FormCSV).Export
		for _, e := range []models.AccountExport{first, second} {
			if p := prove(e); !p.Agrees() {
				t.Errorf("%s to %s: %+v", e.From, e.To, p)
			}
			e.Closing++
			if prove(e).Agrees() {
				t.Error("an øre too much, and it agrees")
			}
		}
	})
}
