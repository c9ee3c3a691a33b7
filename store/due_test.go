package store_test

import (
	"testing"
	"time"

	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// One question finds each kind of what is due, and none that is not due yet.
func TestS5OneQuestionFindsWhatIsDue(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		want := func(why string, at time.Time, want store.Due) {
			t.Helper()
			got, err := db.DueBy(t.Context(), at)
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v, want %+v", why, got, err, want)
			}
		}
		now := db.Common().Add(time.Hour)
		want("an empty installation", now, store.Due{})
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateWebhook(t.Context(), &models.Webhook{CreditorID: c.ID, URL: "https://example.no", Enabled: true})
		})
		rows.Invoice(t, db, c)
		want("an invoice", now, store.Due{Events: true, Shipments: true})
		must(t, db.NumberEvents(t.Context()))
		want("an invoice whose events have their IDs", now, store.Due{Shipments: true, Deliveries: true})
		want("before anything is due", db.Common().Add(-time.Hour), store.Due{})
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.AddWorker(t.Context(), &store.Worker{ID: "dead"}))
			_, err := tx.Bury(t.Context(), store.Worker{ID: "dead"})
			return err
		})
		want("a worker that died", now, store.Due{Shipments: true, Deliveries: true, WorkerDeaths: 1})
	})
}
