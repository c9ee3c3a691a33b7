package documents

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"purr/archive"
	"purr/dunning"
	"purr/dunning/law"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// TestE6aALaterNoticeTellsOfCompensationThatWasCharged runs the spring of 2026 for a business and a private customer of
// a creditor that charges compensation. The second notice to the business calls it compensation too.
func TestE6aALaterNoticeTellsOfCompensationThatWasCharged(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled, c.Policy.Compensation = true, true })
		business := rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.OrganisationNumber = "974760673" })
		invoices := []models.Invoice{rows.Invoice(t, db, c, rows.To(business)), rows.Invoice(t, db, c)}
		for _, date := range []models.Date{rows.Today + 28, rows.Today + 56} {
			rows.Send(t, db, c)
			if _, err := dunning.Run(t.Context(), rows.On(db, date), law.Default(), c, date); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []bool{true, false} {
			notices, err := db.NoticesOf(t.Context(), invoices[i].ID)
			if err != nil || len(notices) != 2 {
				t.Fatalf("%d notices, %v", len(notices), err)
			}
			for _, n := range notices {
				if got, err := compensatedBy(t.Context(), db, n); got != want || err != nil {
					t.Errorf("notice %d of invoice %d: compensated %t, want %t: %v", n.Sequence, i+1, got, want, err)
				}
			}
		}
	})
}

// TestO7ALostPDFIsDrawnAgain breaks the kept PDF of each kind of document, and asks for it.
func TestO7ALostPDFIsDrawnAgain(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		made, invoice, other := New(db, kept), rows.Invoice(t, db, c), rows.Invoice(t, db, c)
		rows.Send(t, db, c)
		_, err = dunning.Run(t.Context(), rows.On(db, rows.Today+28), law.Default(), c, rows.Today+28)
		must(t, err)
		notices, err := db.NoticesOf(t.Context(), invoice.ID)
		must(t, err)
		for i, d := range []models.Document{invoice.Document(), rows.CreditNote(t, db, c, other).Document(), notices[0].Document()} {
			first, err := made.PDF(t.Context(), c.ID, d)
			must(t, err)
			path := filepath.Join(dir, archive.Sum(first)[:2], archive.Sum(first))
			for how, spoil := range map[string]func() error{
				"lost":    func() error { return os.Remove(path) },
				"damaged": func() error { return os.WriteFile(path, bytes.Repeat([]byte{0}, len(first)), 0o600) },
			} {
				must(t, spoil())
				again, err := made.PDF(t.Context(), c.ID, d)
				if err != nil || !bytes.Equal(first, again) || kept.Check(archive.Sum(first), -1, true) != nil {
					t.Errorf("a %s PDF of %s: %d bytes, want the first %d: %v", how, d, len(again), len(first), err)
				}
			}
			if got := kept.Counts(); got.Mended != int64(2*i+2) {
				t.Errorf("put back are %d", got.Mended)
			}
		}
		first, err := made.PDF(t.Context(), c.ID, invoice.Document())
		must(t, err)
		rows.Write(t, db, func(tx *store.Tx) error {
			c.Name = "Another name"
			return tx.UpdateCreditor(t.Context(), &c)
		})
		must(t, os.Remove(filepath.Join(dir, archive.Sum(first)[:2], archive.Sum(first))))
		again, err := made.PDF(t.Context(), c.ID, invoice.Document())
		fault, is := errors.AsType[*archive.Fault](err)
		if !is || fault.Word != archive.Lost || again != nil || models.KindOf(err) != models.KindInternal {
			t.Errorf("a PDF that cannot be drawn again: %d bytes, %v", len(again), err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
