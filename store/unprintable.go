package store

import (
	"context"
	"strings"

	"purr/models"
)

// UnprintableCustomers calls do for each customer, of any creditor, of whose name or address an element cannot be printed (rule D111), in
// no order. Of the customer it has the IDs and these elements. It reads the customers once.
func (r reads) UnprintableCustomers(ctx context.Context, do func(models.Customer)) error {
	plain := " REGEXP '[0-9A-Za-z]'" // which nearly all have
	if dialect(r.db.Name()) == dialectSQLite {
		plain = " GLOB '*[0-9A-Za-z]*'"
	}
	var wheres []string
	for _, column := range []string{"name1", "address1", "postal_code", "postal_name"} {
		wheres = append(wheres, column+" <> '' AND NOT "+column+plain)
	}
	var c models.Customer
	to := &c.Recipient
	return r.each(ctx, "SELECT id, creditor_id, name1, address1, postal_code, postal_name FROM customers WHERE "+strings.Join(wheres, " OR "), nil, func() {
		if len(to.Unprintable()) > 0 {
			do(c)
		}
	}, &c.ID, &c.CreditorID, &to.Name1, &to.Address1, &to.PostalCode, &to.PostalName)
}
