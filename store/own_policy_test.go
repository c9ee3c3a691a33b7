package store_test

import (
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestCustomersWithAPolicyOfTheirOwnE6e(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		own := models.CustomerPolicy{Enabled: new(false), Fee: &models.Choice[models.Amount]{}, HandOverDays: &models.Choice[int]{Value: new(7)}}
		with := rows.Customer(t, db, c, func(c *models.Customer) { c.Policy = own })
		without := rows.Customer(t, db, c)
		rows.Customer(t, db, rows.Creditor(t, db), func(c *models.Customer) { c.Policy = own })
		for _, want := range []models.Customer{with, without} {
			got, err := db.Customer(ctx, c.ID, want.ID)
			must(t, err)
			same(t, got, want)
		}

		found, err := db.CustomersWithPolicy(ctx, c.ID)
		must(t, err)
		same(t, found, []models.Customer{with})
		with.Policy = models.CustomerPolicy{}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(ctx, &with) })
		found, err = db.CustomersWithPolicy(ctx, c.ID)
		must(t, err)
		if len(found) != 0 {
			t.Errorf("a policy that was taken away stays with %d customers", len(found))
		}
	})
}

func TestAWindowOnOneCustomersInvoices(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c)
		rows.Invoice(t, db, c)
		want := rows.Invoice(t, db, c, rows.To(customer))
		rows.Invoice(t, db, c, rows.To(customer), rows.DueIn(15))
		w := models.Window{Stage: models.StageOpen, To: want.Deadline, CustomerID: customer.ID}
		found, err := db.InvoicesInWindow(t.Context(), c.ID, w, models.Invoice{}, 10)
		must(t, err)
		if len(found) != 1 || found[0].ID != want.ID {
			t.Errorf("the window shows %+v", found)
		}
	})
}
