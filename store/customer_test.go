package store_test

import (
	"context"
	"errors"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// wantConflict checks that an error is a conflict with the code and the field.
func wantConflict(t testing.TB, err error, code, field string) {
	t.Helper()
	var e *models.Error
	if !errors.As(err, &e) || e.Kind != models.KindConflict || e.Code != code || e.Place.String() != field {
		t.Errorf("got %#v, want a conflict %s at %q", err, code, field)
	}
}

func TestCustomerNumbersAreUniqueWhereNotEmptyD16(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		numbered := func(number string) func(*models.Customer) {
			return func(c *models.Customer) { c.Recipient.CustomerNumber = number }
		}
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		first := rows.Customer(t, db, c, numbered("K-1"))
		second := rows.Customer(t, db, c, numbered(""))
		rows.Customer(t, db, c, numbered(""))
		rows.Customer(t, db, c, numbered("k-1"))
		rows.Customer(t, db, other, numbered("K-1"))

		create := func(number string) error {
			return db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.CreateCustomer(t.Context(), &models.Customer{CreditorID: c.ID, Recipient: models.Recipient{CustomerNumber: number}})
			})
		}
		update := func(customer models.Customer, number string) error {
			customer.Recipient.CustomerNumber = number
			return db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &customer) })
		}
		wantConflict(t, create("K-1"), "customer_number_in_use", "customer_number")
		wantConflict(t, update(second, "K-1"), "customer_number_in_use", "customer_number")
		must(t, update(first, "K-1")) // its own number
		must(t, update(first, ""))
		must(t, update(second, "K-1")) // free again
	})
}

func TestDeleteCustomer(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		idle, invoiced := rows.Customer(t, db, c), rows.Customer(t, db, c)
		rows.Invoice(t, db, c, rows.To(invoiced))
		for customer, want := range map[int64]bool{idle.ID: false, invoiced.ID: true} {
			if got, err := db.HasInvoices(t.Context(), customer); got != want || err != nil {
				t.Errorf("customer %d has invoices: %t, %v", customer, got, err)
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return tx.DeleteCustomer(t.Context(), c.ID, idle.ID) })
		_, err := db.Customer(t.Context(), c.ID, idle.ID)
		wantKind(t, err, models.KindNotFound)
		if _, err := db.Customer(t.Context(), c.ID, invoiced.ID); err != nil {
			t.Errorf("the other customer: %v", err)
		}
	})
}
