package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// dumpOf returns all rows of a database.
func dumpOf(t *testing.T, db *store.DB) []byte {
	t.Helper()
	var all bytes.Buffer
	testkit.Must(t, db.View(t.Context(), func(v store.View) error { return v.Dump(t.Context(), &all) }))
	return all.Bytes()
}

// TestO3ADumpGoesThereAndBack loads the rows of each database into the other one, and those back into the first. What
// comes back is what went, byte for byte.
func TestO3ADumpGoesThereAndBack(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		other := testkit.MySQL
		if !db.IsSQLite() {
			other = testkit.SQLite
		}
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Name = "Blåbær & Sønn <\"'\\ \u2028 🫐>" })
		invoice := rows.Invoice(t, db, c)
		rows.Invoice(t, db, c)
		rows.CreditNote(t, db, c, invoice)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreatePaymentFile(t.Context(), &models.PaymentFile{Filename: "a\nb.txt", SHA256: "00"})
		})
		went := dumpOf(t, db)
		there, back := rows.Open(t, other(t)), rows.Open(t, another(t, db))
		testkit.Must(t, there.Load(t.Context(), bytes.NewReader(went)))
		testkit.Must(t, back.Load(t.Context(), bytes.NewReader(dumpOf(t, there))))
		if came := dumpOf(t, back); !bytes.Equal(went, came) {
			t.Errorf("what came back differs:\n%s\nfrom what went:\n%s", came, went)
		}
		want, err := db.Contents(t.Context())
		testkit.Must(t, err)
		got, err := there.Contents(t.Context())
		if err != nil || got.Schema != want.Schema || got.Counts["invoices"] != 2 || len(got.Series) != 1 || got.Series[0] != want.Series[0] {
			t.Errorf("the other database holds %+v, %v; want %+v", got, err, want)
		}
		next := rows.Invoice(t, there, c)
		if next.Number != invoice.Number+3 || next.ID <= invoice.ID+1 {
			t.Errorf("the other database goes on with the number %d and the id %d", next.Number, next.ID)
		}
	})
}

// another returns the URL of a new database of the same kind.
func another(t *testing.T, db *store.DB) string {
	if db.IsSQLite() {
		return testkit.SQLite(t)
	}
	return testkit.MySQL(t)
}

// TestO3ACopyOfAnSQLiteFileIsWhole copies a database that is in use.
func TestO3ACopyOfAnSQLiteFileIsWhole(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.SQLite(t))
	rows.Invoice(t, db, rows.Creditor(t, db))
	path := filepath.Join(t.TempDir(), "copy.db")
	testkit.Must(t, db.VacuumInto(t.Context(), path))
	copied, err := store.Open("sqlite:"+path, clock.NewTest(rows.Start))
	testkit.Must(t, err)
	if !bytes.Equal(dumpOf(t, db), dumpOf(t, copied)) {
		t.Error("the copy differs")
	}
	testkit.Must(t, copied.Close())
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("the copy has a log beside it")
	}
}

// TestO3AHeldInstallationGivesNoNumber holds two creditors, and accepts them one after the other.
func TestO3AHeldInstallationGivesNoNumber(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		a, b := rows.Creditor(t, db), rows.Creditor(t, db)
		first := rows.Invoice(t, db, a)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "restored from a backup") })
		refused := func(c models.Creditor) {
			t.Helper()
			err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := tx.NextNumbers(t.Context(), c.ID, 1)
				return err
			})
			if err != store.ErrHeld { //nolint:errorlint // the error itself, not one that wraps it
				t.Errorf("a held creditor's number: %v", err)
			}
		}
		refused(a)
		rows.Write(t, db, func(tx *store.Tx) error {
			next, err := tx.LoseNumbers(t.Context(), a.ID, first.Number+10)
			if next != first.Number+11 {
				t.Errorf("the series goes on at %d", next)
			}
			if err != nil {
				return err
			}
			return tx.Accept(t.Context(), a)
		})
		if got := rows.Invoice(t, db, a).Number; got != first.Number+11 {
			t.Errorf("the accepted creditor goes on with the number %d", got)
		}
		refused(b)
		waiting, err := db.Unaccepted(t.Context())
		if err != nil || len(waiting) != 1 || waiting[0].ID != b.ID {
			t.Errorf("still held are %v, %v", waiting, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.EndHold(t.Context()) })
		rows.Invoice(t, db, b)
		if hold, held, err := db.Hold(t.Context()); held || err != nil {
			t.Errorf("still held: %v, %v", hold, err)
		}
	})
}
