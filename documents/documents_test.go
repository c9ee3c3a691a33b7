package documents

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
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
			snapshot, err := dunning.TakeSnapshot(t.Context(), rows.On(db, date), law.Default(), c, date)
			must(t, err)
			if _, err := snapshot.Run(t.Context(), func() {}); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []bool{true, false} {
			notices, err := db.NoticesOf(t.Context(), invoices[i].ID)
			if err != nil || len(notices) != 2 {
				t.Fatalf("%d notices, %v", len(notices), err)
			}
			for _, n := range notices {
				if got := compensatedBy(notices, n); got != want {
					t.Errorf("notice %d of invoice %d: compensated %t, want %t", n.Sequence, i+1, got, want)
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
		snapshot, err := dunning.TakeSnapshot(t.Context(), rows.On(db, rows.Today+28), law.Default(), c, rows.Today+28)
		must(t, err)
		_, err = snapshot.Run(t.Context(), func() {})
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
	})
}

// TestL13WhatOfACreditNoteIsTheCustomers credits invoices that were paid in part and not at all. A payout that follows does
// not change what the credit note says.
func TestL13WhatOfACreditNoteIsTheCustomers(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		for _, tt := range []struct{ paid, want models.Amount }{{0, 0}, {400_00, 400_00}, {1000_00, 1000_00}, {1200_00, 1000_00}} {
			paid, want := tt.paid, tt.want
			invoice := rows.Invoice(t, db, c, rows.Of(1000_00))
			entry := models.Entry{
				CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryPayment, Amount: -paid, TransactionDate: rows.Today,
			}
			if paid != 0 {
				rows.Write(t, db, func(tx *store.Tx) error { return ledger.Post(t.Context(), tx, []models.Entry{entry}, "") })
			}
			note := rows.CreditNote(t, db, c, invoice)
			for _, at := range []string{"first", "after a payout"} {
				if got, err := freeOf(t.Context(), db, note); got != want || err != nil {
					t.Errorf("%s, %s paid: %s is the customer's, want %s: %v", at, paid, got, want, err)
				}
				entry.CreditNoteID, entry.Amount = note.ID, 100_00
				rows.Write(t, rows.On(db, rows.Today+1), func(tx *store.Tx) error { return ledger.Post(t.Context(), tx, []models.Entry{entry}, "") })
			}
		}
	})
}

func TestL13InterestOfADayAhead(t *testing.T) {
	t.Parallel()
	charged := law.Interest{Segments: []law.Segment{{Rate: 1200}, {Rate: 1225}}}
	for _, tt := range []struct {
		interest  law.Interest
		principal models.Amount
		from      string
		want      models.Amount
	}{
		{charged, 10_000_00, "2026-07-07", 3_36}, // 3.3562
		{charged, 10_000_00, "2028-01-01", 3_35}, // a leap year: 3.3470
		{charged, 0, "2026-07-07", 0},            // only fees are left
		{law.Interest{}, 10_000_00, "2026-07-07", 0},
	} {
		if got := interestAhead(tt.interest, tt.principal, rows.Day(tt.from)); got.PerDay != tt.want {
			t.Errorf("%s from %s: %s a day, want %s", tt.principal, tt.from, got.PerDay, tt.want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
