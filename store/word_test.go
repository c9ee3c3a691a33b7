package store_test

import (
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestN3WordsFollowTheCustomer: who gets another name is found by that and not by the old one, and who is deleted by none.
func TestN3WordsFollowTheCustomer(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c, func(r *models.Customer) { r.Recipient.Name1 = "Kari Nordmann" })
		called := func(name string, want ...int64) {
			t.Helper()
			alike, err := db.CustomersAlike(t.Context(), c.ID, []models.UnmatchedPayment{{PayerName: name}})
			if err != nil || !slices.Equal(alike[0], want) {
				t.Errorf("%s is %v, %v; want %v", name, alike, err, want)
			}
		}
		called("KARI NORDMANN", customer.ID)
		customer.Recipient.Name1, customer.Recipient.Name2 = "Kari Hansen", "Hansen Bygg AS"
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &customer) })
		called("KARI NORDMANN")
		called("HANSEN KARI", customer.ID)
		called("HANSEN BYGG", customer.ID)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.DeleteCustomer(t.Context(), c.ID, customer.ID) })
		called("HANSEN KARI")
	})
}
