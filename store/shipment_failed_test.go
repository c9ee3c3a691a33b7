package store_test

import (
	"fmt"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestN8WhatFailedByCustomer: each customer once, whoever has the newest first, with all that failed and that nobody has sent again.
func TestN8WhatFailedByCustomer(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		creditor := rows.Creditor(t, db)
		var customers [3]models.Customer
		for n := range customers {
			customers[n] = rows.Customer(t, db, creditor)
		}
		states := []models.ShipmentState{models.ShipmentFailed, models.ShipmentReturned, models.ShipmentSent, models.ShipmentFailed, models.ShipmentFailed, models.ShipmentFailed}
		of := []int{0, 1, 2, 0, 1, 0}
		ids := make([]int64, len(of))
		for n, c := range of {
			invoice := rows.Invoice(t, db, creditor, rows.To(customers[c]))
			s, err := db.ShipmentsOf(ctx, invoice.Document())
			must(t, err)
			s[0].State, ids[n] = states[n], s[0].ID
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateShipment(ctx, s[0]) })
		}
		said := func(before int64, limit int) string {
			t.Helper()
			found, err := db.FailedCustomers(ctx, creditor.ID, before, limit)
			must(t, err)
			return fmt.Sprint(found)
		}
		first, second := customers[0].ID, customers[1].ID
		want := fmt.Sprintf("[{%d %d 3} {%d %d 2}]", first, ids[5], second, ids[4])
		if got := said(0, 10); got != want {
			t.Errorf("they are %s, want %s", got, want)
		}
		if got, want := said(0, 1), fmt.Sprintf("[{%d %d 3}]", first, ids[5]); got != want {
			t.Errorf("the first is %s, want %s", got, want)
		}
		if got, want := said(ids[5], 10), fmt.Sprintf("[{%d %d 2}]", second, ids[4]); got != want {
			t.Errorf("below it is %s, want %s", got, want)
		}
		failed, err := db.FailedOf(ctx, creditor.ID, []int64{first, second}, 2)
		must(t, err)
		got := ""
		for _, s := range failed {
			got += fmt.Sprintf("%d of %d; ", s.ID, s.CustomerID)
		}
		if want := fmt.Sprintf("%d of %d; %d of %d; %d of %d; %d of %d; ", ids[5], first, ids[4], second, ids[3], first, ids[1], second); got != want {
			t.Errorf("two of each are %s, want %s", got, want)
		}
		if failed[0].State != models.ShipmentFailed || failed[0].Recipient.Name1 != customers[0].Recipient.Name1 {
			t.Errorf("the first is %+v", failed[0])
		}
		rows.Write(t, db, func(tx *store.Tx) error { // in the place of another one
			return tx.CreateShipments(ctx, []models.Shipment{{CreditorID: creditor.ID, DocumentKind: failed[1].DocumentKind, DocumentID: failed[1].DocumentID, FallbackOf: failed[1].ID}})
		})
		if got, want := said(0, 10), fmt.Sprintf("[{%d %d 3} {%d %d 1}]", first, ids[5], second, ids[1]); got != want {
			t.Errorf("then they are %s, want %s", got, want)
		}
	})
}
