package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
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
			"03-02 11:00:00 clock.went_back The clock was ahead and went back; what it had put off is due at once: 3 shipments, 0 hand-overs, 0 files for the debt collector, 0 files of claims for the bank, 0 batches, 0 webhook deliveries, 0 paused ways")
		wantLines(t, o.events(t, other, models.EventClockBack))
	})
}

// TestWhatAClockPutsOffIsAmongTheFacts holds that webhooks and readers of the list know each name that such an event tells of.
func TestWhatAClockPutsOffIsAmongTheFacts(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(models.EventFacts, func(f models.EventFact) bool { return f.Type == models.EventClockBack })
	facts := strings.Fields(strings.ReplaceAll(models.EventFacts[i].Facts, "?", ""))
	for _, rows := range putOffRows() {
		if !slices.Contains(facts, rows.name) {
			t.Errorf("%s are not among the facts of %s in models.EventFacts: add them with a ?, since older events lack them", rows.name, models.EventClockBack)
		}
	}
}

// TestD117APausedWayIsTriedAfterAClockThatWasAhead: a way that waits for a trial that such a clock has put off is tried at once, what it
// keeps back waits no longer than ever, and a person is told once.
func TestD117APausedWayIsTriedAfterAClockThatWasAhead(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.Email = "post@fjord.example" })
		part := shipments.Part{Ways: models.Ways{models.ByEmail: models.WaySMTP}}
		byEmail := func(r *billing.InvoiceRequest) { r.Method = models.ByEmail }
		to := rows.To(rows.Customer(t, o.db, c, func(c *models.Customer) { c.Recipient.Email = "kari@kunde.example" }))
		rows.Invoice(t, o.db, c, to, byEmail)
		rows.Invoice(t, o.db, c, to, byEmail)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			w, err := tx.LockWayOut(t.Context(), c.ID, models.ByEmail)
			must(t, err)
			ahead := tx.Common.Add(25 * time.Hour)
			w.PausedSince, w.NextTrial = &tx.Now, &ahead
			return tx.UpdateWayOut(t.Context(), w)
		})
		open := func() (g shipments.Gate) {
			rows.Write(t, o.db, func(tx *store.Tx) (err error) {
				g, err = shipments.OpenGate(t.Context(), tx, part, c.ID, []models.ShipmentMethod{models.ByEmail})
				return err
			})
			return g
		}
		if g := open(); len(g.Single) != 0 {
			t.Fatalf("a trial leaves that a clock has put off: %+v", g)
		}
		for range 3 {
			_, err := o.scheduler.Sweep(t.Context())
			must(t, err)
			open()
			o.clock.Set(o.clock.Now().Add(time.Second))
		}
		rows.Write(t, o.db, func(tx *store.Tx) error {
			w, err := tx.LockWayOut(t.Context(), c.ID, models.ByEmail)
			if err != nil || w.Trials != 1 || w.NextTrial.After(tx.Common.Add(time.Minute)) {
				t.Errorf("it was tried %d times, and is next at %s (%v)", w.Trials, w.NextTrial, err)
			}
			return nil
		})
		wantLines(t, o.events(t, c, models.EventClockBack),
			"03-02 11:00:00 clock.went_back The clock was ahead and went back; what it had put off is due at once: 2 shipments, 0 hand-overs, 0 files for the debt collector, 0 files of claims for the bank, 0 batches, 0 webhook deliveries, 1 paused ways")
	})
}
