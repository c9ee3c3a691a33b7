package bench

import (
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// Open is a creditor with open invoices only, each of its own customer. Some are due for their first notice on one
// day, and the others later. Some others are overdue for as long, and paid by a plan whose only instalment is due later.
type Open struct{ Invoices, Due, Plans int }

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
	overdue := o.Due + o.Plans
	exec(fillOpen, creditor.ID, first, today.String(), overdue, overdue, o.Invoices, o.Invoices)
	exec(`INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices WHERE creditor_id = ? ORDER BY id`, creditor.ID)
	exec("DROP TABLE numbers")
	exec("DROP TABLE people")
	if o.Plans > 0 {
		exec(fillPlans, today.String(), creditor.ID, o.Due, overdue)
		exec("UPDATE invoices i JOIN payment_plans p ON p.invoice_id = i.id SET i.plan_id = p.id WHERE p.creditor_id = ?", creditor.ID)
	}
	exec("ANALYZE TABLE invoices, customers, entries, payment_plans")
	return creditor
}

// fillPlans makes a payment plan for the invoices with numbers from one to another.
const fillPlans = `INSERT INTO payment_plans (creditor_id, customer_id, invoice_id, since, sum, last_entry_id, instalments, state, language, seller_id, recipient_name1,
		recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email,
		recipient_customer_number, recipient_organisation_number, created_at, look_on)
	SELECT creditor_id, customer_id, id, due_date, balance, (SELECT MAX(id) FROM entries), CONCAT('[{"due_date":"', DATE_ADD(?, INTERVAL 30 DAY), '","amount":"1250.00"}]'),
		'running', 'nb', 0, '', '', '', '', '', '', '', '', '', '', created_at, DATE_ADD(due_date, INTERVAL 40 DAY)
	FROM invoices WHERE creditor_id = ? AND number > ? AND number <= ? ORDER BY id`

// fillOpen issues invoices day by day: first those that are due for a notice, then the others, whose due dates are
// from 12 days before to 47 days after the given one.
const fillOpen = `INSERT INTO invoices (creditor_id, ` + invoiceColumns + `)
	SELECT ?, customer, n.i, DAYS(due, -14;), due, ` + invoiceValues + `, 125000, 0, 0, due, '', NULL, 0, '', '', '2020-01-01 00:00:00'
	FROM (SELECT i, ? + i - 1 AS customer, DATE_ADD(?, INTERVAL IF(i <= ?, -17, (i - ?) * 60 DIV ? - 12) DAY) AS due
		FROM numbers WHERE i <= ?) AS n JOIN people p ON p.i = n.i ORDER BY n.i`
