package bench

import (
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// Open is a creditor with open invoices only, each of its own customer. Some are due for their first notice on one
// day, and the others later.
type Open struct{ Invoices, Due int }

// Fill fills a MySQL (or MariaDB) database for a creditor whose policy is switched on, and has notices sent on any day,
// the first of them 14 days after the due date.
func (o Open) Fill(b *testing.B, db Database, today models.Date) models.Creditor {
	b.Helper()
	creditor := rows.Creditor(b, db.Store, func(c *models.Creditor) {
		c.Policy.Enabled, c.Policy.WeekdaysOnly = true, false
	})
	exec := saying(b, db)
	numbers(b, db.Bare, o.Invoices)
	namePeople(b, db.Bare, o.Invoices)
	exec(fillCustomers, creditor.ID, o.Invoices)
	var first int64
	if err := db.Bare.QueryRowContext(b.Context(), "SELECT MIN(id) FROM customers WHERE creditor_id = ?", creditor.ID).Scan(&first); err != nil {
		b.Fatal(err)
	}
	exec(fillOpen, creditor.ID, first, today.String(), o.Due, o.Due, o.Invoices, o.Invoices)
	exec(`INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices WHERE creditor_id = ? ORDER BY id`, creditor.ID)
	exec("DROP TABLE numbers")
	exec("DROP TABLE people")
	exec("ANALYZE TABLE invoices, customers, entries")
	return creditor
}

// fillOpen issues invoices day by day: first those that are due for a notice, then the others, whose due dates are
// from 12 days before to 47 days after the given one.
const fillOpen = `INSERT INTO invoices (creditor_id, ` + invoiceColumns + `)
	SELECT ?, customer, n.i, DAYS(due, -14;), due, ` + invoiceValues + `, 125000, 0, 0, due, '', NULL, 0, '', '', '2020-01-01 00:00:00'
	FROM (SELECT i, ? + i - 1 AS customer, DATE_ADD(?, INTERVAL IF(i <= ?, -17, (i - ?) * 60 DIV ? - 12) DAY) AS due
		FROM numbers WHERE i <= ?) AS n JOIN people p ON p.i = n.i ORDER BY n.i`
