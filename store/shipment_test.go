package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestOwedShipments(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		if _, owed, err := db.NextAttempt(ctx, store.LeasedShipments); err != nil || owed {
			t.Errorf("of nothing something is owed: %v", err)
		}
		// Fractions of a second must keep their order, also if one is the beginning of another.
		due := []time.Time{at("12:00:00.25"), at("12:00:00"), at("11:59:59.999999"), at("12:00:00.2"), at("12:00:01"), at("12:00:00.000001")}
		shipments := make([]models.Shipment, len(due)+3)
		for n := range shipments {
			shipments[n] = models.Shipment{DocumentKind: models.InvoiceDocument, DocumentID: int64(n), Method: models.ByPaper}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateShipments(ctx, shipments) })
		rows.Write(t, db, func(tx *store.Tx) error {
			for n, s := range shipments {
				if s.State != models.ShipmentOwed || !s.NextAttempt.Equal(rows.Start) || !s.CreatedAt.Equal(rows.Start) {
					t.Errorf("a new shipment is %+v", s)
				}
				locked, err := tx.LockShipment(ctx, s.ID)
				must(t, err)
				if n < len(due) {
					locked.NextAttempt = due[n]
				} else {
					locked.State = []models.ShipmentState{models.ShipmentSent, models.ShipmentFailed, models.ShipmentWithdrawn}[n-len(due)]
				}
				must(t, tx.UpdateShipment(ctx, locked))
			}
			return nil
		})
		tests := []struct {
			by    time.Time
			limit int
			want  []int64 // documents
			why   string
		}{
			{at("13:00:00"), 10, []int64{2, 1, 5, 3, 0, 4}, "all that are owed, the longest due first"},
			{at("12:00:00"), 10, []int64{2, 1}, "what is due by a moment, it included"},
			{at("12:00:00.2"), 10, []int64{2, 1, 5, 3}, "a moment within a second"},
			{at("13:00:00"), 2, []int64{2, 1}, "no more than asked for"},
			{at("11:00:00"), 10, nil, "nothing yet"},
		}
		for _, tt := range tests {
			found, err := db.DueShipments(ctx, 0, tt.by, tt.limit, models.ByPaper, models.ByEmail)
			if got := documents(found); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s: by %s are owed %v, %v, want %v", tt.why, tt.by, got, err, tt.want)
			}
		}
		if next, owed, err := db.NextAttempt(ctx, store.LeasedShipments); err != nil || !owed || !next.Equal(due[2]) {
			t.Errorf("the next is due at %s, %t, %v", next, owed, err)
		}
		if failed, err := db.FailedShipments(ctx, 0); err != nil || len(failed) != 1 {
			t.Errorf("failed are %v, %v", failed, err)
		}
	})
}

func documents(shipments []models.Shipment) []int64 {
	var ids []int64
	for _, s := range shipments {
		ids = append(ids, s.DocumentID)
	}
	return ids
}

func TestShipmentsOfADocument(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		shipments := []models.Shipment{
			{DocumentKind: models.InvoiceDocument, DocumentID: 1, Method: models.ByEmail},
			{DocumentKind: models.InvoiceDocument, DocumentID: 1, Method: models.ByEmail, Beside: true, Recipient: models.Recipient{Email: "copy@example.no"}},
			{DocumentKind: models.CreditNoteDocument, DocumentID: 1, Method: models.ByPaper},
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateShipments(ctx, shipments) })
		found, err := db.ShipmentsOf(ctx, models.Document{Kind: models.InvoiceDocument, ID: 1})
		if err != nil || len(found) != 2 || found[0].Role() != models.Original || found[1].Role() != models.Copy || found[1].Recipient.Email != "copy@example.no" {
			t.Errorf("found %+v, %v", found, err)
		}
		s, err := db.Shipment(ctx, shipments[2].ID)
		if err != nil || s.Document() != (models.Document{Kind: models.CreditNoteDocument, ID: 1}) || s.FirstAttempt != nil || s.SentAt != nil {
			t.Errorf("found %+v, %v", s, err)
		}
		_, err = db.Shipment(ctx, -1)
		wantKind(t, err, models.KindNotFound)
	})
}

// TestS1aListsOfShipmentsReadAnIndex: a list of a million shipments reads as many entries of an index, and a list of the few
// that failed reads those few.
func TestS1aListsOfShipmentsReadAnIndex(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range []struct {
			filter store.ShipmentFilter
			index  string
		}{
			{store.ShipmentFilter{}, "shipments_list"},
			{store.ShipmentFilter{Method: models.ByPaper}, "shipments_list"},
			{store.ShipmentFilter{States: []models.ShipmentState{models.ShipmentSent}, Method: models.ByEmail}, "shipments_list"},
			{store.ShipmentFilter{States: []models.ShipmentState{models.ShipmentFailed, models.ShipmentReturned}, Pending: true, Before: 7}, "shipments_turns"},
			{store.ShipmentFilter{Document: models.Document{Kind: models.InvoiceDocument, ID: 7}, States: []models.ShipmentState{models.ShipmentSent}}, "shipments_document"},
		} {
			sent := db.Queries(t, func() {
				_, _, err := db.Shipments(t.Context(), 1, tt.filter, store.Page{Number: 1, Size: 100})
				must(t, err)
				_, err = db.NewestShipments(t.Context(), 1, tt.filter, 100)
				must(t, err)
			})
			for _, q := range sent {
				index := tt.index
				if !db.IsMySQL() {
					index = "USING " // SQLite chooses among the indexes
				}
				if plan := explain(t, db, q); !strings.Contains(plan, index) {
					t.Errorf("%s\nis read by\n%s", q.SQL, plan)
				}
			}
		}
	})
}
