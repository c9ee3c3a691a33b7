package jobs

import (
	"testing"
	"time"

	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// TestD117WhatAClockPutOffIsTakenAtTheNextSweep: a shipment and a delivery that wait for longer than they ever do are due at once, and each
// creditor is told once. A letter that is held for its day waits on.
func TestD117WhatAClockPutOffIsTakenAtTheNextSweep(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		ahead, other := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		put := func(c models.Creditor, next time.Duration, heldFor int64) int64 {
			ss := []models.Shipment{{CreditorID: c.ID, DocumentKind: models.InvoiceDocument, DocumentID: rows.Invoice(t, o.db, c).ID, Method: models.ByPaper, HeldFor: heldFor}}
			rows.Write(t, o.db, func(tx *store.Tx) error {
				if err := tx.CreateShipments(t.Context(), ss); err != nil {
					return err
				}
				ss[0].NextAttempt = tx.Common.Add(next)
				return tx.UpdateShipment(t.Context(), ss[0])
			})
			return ss[0].ID
		}
		waits := map[int64]time.Duration{
			put(ahead, 25*time.Hour, 0): 0, put(ahead, 3*time.Hour, 0): 0, put(ahead, 30*time.Hour, 7): 0,
			put(other, time.Hour, 0): time.Hour, put(other, 24*time.Hour, 7): 24 * time.Hour,
		}
		for range 2 {
			_, err := o.scheduler.Sweep(t.Context())
			must(t, err)
		}
		for id, want := range waits {
			s, err := o.db.Shipment(t.Context(), id)
			if got := s.NextAttempt.Sub(o.clock.Now()); err != nil || got != want {
				t.Errorf("shipment %d waits for %s (%v), want %s", id, got, err, want)
			}
		}
		wantLines(t, o.events(t, ahead, models.EventClockBack),
			"03-02 11:00:00 clock.went_back The clock was ahead and went back; what it had put off is due at once: 3 shipments, 0 hand-overs, 0 batches, 0 webhook deliveries")
		wantLines(t, o.events(t, other, models.EventClockBack))
	})
}
