package store_test

import (
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestU1AMomentIsReadAsItWasWritten reads moments in the forms in which SQLite and MariaDB write them, and no others.
func TestU1AMomentIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-05 12:00:00+00:00":           "2026-01-05T12:00:00Z",
		"2026-02-28 23:59:59.1+00:00":         "2026-02-28T23:59:59.1Z",
		"2024-02-29 00:00:00.000001":          "2024-02-29T00:00:00.000001Z",
		"2026-12-31 23:59:59.999999999+00:00": "2026-12-31T23:59:59.999999999Z",
		"2026-06-01 01:30:00+02:00":           "2026-05-31T23:30:00Z",
	} {
		at, err := store.MomentOf(text)
		if err != nil || at.Format(time.RFC3339Nano) != want || at.Location() != time.UTC {
			t.Errorf("%q is read as %s, %v, want %s", text, at.Format(time.RFC3339Nano), err, want)
		}
	}
	for _, text := range []string{"", "2026-01-05", "2026-02-29 12:00:00", "2026-01-05 24:00:00", "2026-01-05 12:60:00", "2026-01-05 12:0a:00", "2026-01-05 12:00:00.x", "2026-01-05 12:00:00 CET"} {
		if at, err := store.MomentOf(text); err == nil {
			t.Errorf("%q is read as %s", text, at)
		}
	}
}

// TestU1TheAuditReadsWhatTheRowsSay holds what an audit reads of an invoice, its entries and its events against what everything else reads of them,
// with fractions of a second in their moments.
func TestU1TheAuditReadsWhatTheRowsSay(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		i := rows.Invoice(t, db, rows.Creditor(t, db))
		must(t, db.Exec(t.Context(), "UPDATE entries SET created_at = '2026-03-01 10:20:30.123456' WHERE invoice_id = ?", i.ID))
		found, err := db.AuditedInvoices(t.Context(), i.CreditorID, 0, 10, store.AuditFilter{})
		must(t, err)
		same, err := db.Invoice(t.Context(), i.CreditorID, i.ID)
		must(t, err)
		if len(found) != 1 || found[0].DueDate != same.DueDate || found[0].Deadline != same.Deadline || !found[0].CreatedAt.Equal(same.CreatedAt) || found[0].Balance != same.Balance || found[0].HandedOver != 0 {
			t.Fatalf("read %+v, want %+v", found, same)
		}
		read, err := db.AuditRows(t.Context(), i.CreditorID, found)
		must(t, err)
		var want []models.Entry
		must(t, db.Query(t.Context(), &want, "SELECT * FROM entries WHERE invoice_id = ? ORDER BY id", i.ID))
		got := read.Entries[i.ID]
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("%d entries, want %d", len(got), len(want))
		}
		for n := range want {
			if got[n].ID != want[n].ID || got[n].Amount != want[n].Amount || got[n].TransactionDate != want[n].TransactionDate || !got[n].CreatedAt.Equal(want[n].CreatedAt) {
				t.Errorf("read %+v, want %+v", got[n], want[n])
			}
		}
	})
}
