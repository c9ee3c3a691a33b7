package dispatch

import (
	"strings"
	"testing"

	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestU8ABundleThatTheAuditDisagreesWith waits for a person, who is told once: nobody warned the customer. With warn it leaves, and that is told.
func TestU8ABundleThatTheAuditDisagreesWith(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, warn := range []bool{false, true} {
			c := rows.Creditor(t, db)
			i := rows.Invoice(t, db, c)
			h := models.HandOver{CreditorID: c.ID, InvoiceID: i.ID, HandedOver: rows.Today, State: models.BundleOwed, NextAttempt: rows.Start}
			rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateHandOver(t.Context(), &h) })
			b := &Bundles{Look: shipments.SecondLook{Rules: law.Default(), OnlyWarn: warn}}
			for range 2 {
				rows.Write(t, rows.On(db, rows.Today+1), func(tx *store.Tx) error {
					_, taken, err := b.Take(t.Context(), tx, c.ID, h.ID, "a worker")
					if err == nil && !warn && taken {
						t.Error("it is taken")
					}
					return err
				})
			}
			now, err := db.HandOver(t.Context(), c.ID, h.ID)
			testkit.Must(t, err)
			if kept := now.Failure == models.KeptAudit && now.TakenBy == ""; kept == warn {
				t.Errorf("with warn %t it is %+v", warn, now)
			}
			told, err := db.NewestEvents(t.Context(), c.ID, store.EventFilter{Type: models.EventAuditDisagreed}, 0, 10)
			testkit.Must(t, err)
			if len(told) != 1 || told[0].SubjectID != h.ID || !strings.Contains(told[0].Text, "The bundle of invoice") {
				t.Errorf("with warn %t told is %+v", warn, told)
			}
		}
	})
}
