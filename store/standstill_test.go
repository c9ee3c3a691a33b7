package store_test

import (
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestN11EachInvoiceThatStandsStillCountsOnce: an invoice with two rows, one of a customer who stands still himself, and one that is closed.
// Of more rows than can be added up there is the number alone.
func TestN11EachInvoiceThatStandsStillCountsOnce(t *testing.T) { //nolint:paralleltest // it lowers bounds
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		kari, ola := rows.Customer(t, db, c), rows.Customer(t, db, c)
		twice, his, paid := rows.Invoice(t, db, c, rows.To(kari), rows.Of(300_00)), rows.Invoice(t, db, c, rows.To(ola), rows.Of(200_00)), rows.Invoice(t, db, c, rows.To(kari), rows.Of(50_00))
		rows.Invoice(t, db, c, rows.To(ola), rows.Of(7_00))
		paid.Closed = models.ClosedLost
		stranger := rows.Invoice(t, db, other)
		rows.Write(t, db, func(tx *store.Tx) error {
			if err := tx.UpdateInvoice(t.Context(), paid); err != nil {
				return err
			}
			for _, s := range []models.Standstill{
				{CreditorID: c.ID, CustomerID: kari.ID, InvoiceID: twice.ID, Kind: models.StandsOnHold},
				{CreditorID: c.ID, CustomerID: kari.ID, InvoiceID: twice.ID, Kind: models.StandsMoreTime},
				{CreditorID: c.ID, CustomerID: kari.ID, InvoiceID: paid.ID, Kind: models.StandsOnHold},
				{CreditorID: c.ID, CustomerID: ola.ID, InvoiceID: his.ID, Kind: models.StandsOnHold},
				{CreditorID: c.ID, CustomerID: ola.ID, Kind: models.StandsOnHold},
				{CreditorID: other.ID, CustomerID: stranger.CustomerID, InvoiceID: stranger.ID, Kind: models.StandsOnHold},
			} {
				if err := tx.StandStill(t.Context(), &s); err != nil {
					return err
				}
			}
			return nil
		})
		f := store.StandstillFilter{Today: rows.Today}
		if sums, err := db.StandstillSums(t.Context(), c.ID, f); err != nil || sums != (store.StandstillSums{Number: 5, Owed: 507_00}) {
			t.Errorf("the sums are %+v, %v", sums, err)
		}
		for few, want := range map[int]store.ListSum{5: {Number: 5, Amount: 507_00, Added: true}, 4: {Number: 5}} {
			store.OfManyRows(few, func() {
				if sum, err := db.SummedStandstills(t.Context(), c.ID, f); err != nil || sum != want {
					t.Errorf("at most %d are added up: %+v, %v", few, sum, err)
				}
			})
		}
		f.Kind = models.StandsMoreTime
		if sums, err := db.StandstillSums(t.Context(), c.ID, f); err != nil || sums != (store.StandstillSums{Number: 1, Owed: 300_00}) {
			t.Errorf("of more time the sums are %+v, %v", sums, err)
		}
	})
}
