package bench

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// Crowd is how much a large creditor has, and how many smaller ones there are beside it.
type Crowd struct {
	Customers, Invoices  int
	Others, OthersOfEach int
}

// perDay is how many invoices the large creditor issues a day.
const perDay = 1400

// Fill fills a MySQL (or MariaDB) database and returns the large creditor. Its invoices are of the days up
// to the given one; nine of ten are paid, the others stand wherever an invoice can stand. One customer's
// name in a hundred holds a digit.
func (c Crowd) Fill(b *testing.B, db Database, today models.Date) models.Creditor {
	b.Helper()
	ctx := b.Context()
	creditor := rows.Creditor(b, db.Store)
	exec := func(statement string, args ...any) {
		b.Helper()
		if _, err := db.Bare.ExecContext(ctx, statement, args...); err != nil {
			b.Fatalf("%v: %s", err, statement)
		}
	}
	numbers(b, db.Bare, max(c.Customers, c.Invoices))
	exec(fmt.Sprintf(fillCustomers, nameOf("i")), creditor.ID, c.Customers)
	exec(fmt.Sprintf(fillInvoices, nameOf("customer")), creditor.ID, today.String(), c.Invoices, perDay, c.Customers, c.Invoices)
	for range c.Others {
		other := rows.Creditor(b, db.Store)
		exec(strings.ReplaceAll(copyInvoices, "COLUMNS", invoiceColumns), other.ID, creditor.ID, c.OthersOfEach)
	}
	exec(fillEntries)
	exec(fillPayments)
	exec("DROP TABLE numbers")
	exec("ANALYZE TABLE invoices, customers, entries")
	if err := db.Store.Patient().InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.CountLists(ctx, creditor.ID) }); err != nil {
		b.Fatal(err)
	}
	return creditor
}

// numbers makes a table of the numbers from 1.
func numbers(b *testing.B, db *sql.DB, most int) {
	b.Helper()
	statements := []string{"CREATE TABLE numbers (i BIGINT NOT NULL PRIMARY KEY)", "INSERT INTO numbers VALUES (1)"}
	for n := 1; n < most; n *= 2 {
		statements = append(statements, fmt.Sprintf("INSERT INTO numbers SELECT i + %d FROM numbers WHERE i + %d <= %d", n, n, most))
	}
	for _, s := range statements {
		if _, err := db.ExecContext(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}

// nameOf is the SQL of the name of a customer.
func nameOf(number string) string {
	first := "ELT(1 + (" + number + ") % 13, 'Kari', 'Ola', 'Nora', 'Emil', 'Ingrid', 'Lars', 'Sofie', 'Jakob', 'Åse', 'Bjørn', 'Anne', 'Maja', 'Øystein')"
	last := "ELT(1 + (" + number + ") % 17, 'Hansen', 'Johansen', 'Olsen', 'Larsen', 'Andersen', 'Pedersen', 'Nilsen', 'Kristiansen', 'Berg', 'Haugen'," +
		" 'Hagen', 'Dahl', 'Jørgensen', 'Lund', 'Moen', 'Solberg', 'Bakken')"
	digits := "IF((" + number + ") % 100 = 0, CONCAT(' ', " + number + "), '')"
	return "CONCAT(" + first + ", ' ', " + last + ", " + digits + ")"
}

const (
	fillCustomers = `INSERT INTO customers (creditor_id, name1, name2, address1, address2, postal_code, postal_name, country_code, email, customer_number,
		organisation_number, language, hold_held, hold_comment, search, created_at)
		SELECT ?, name, '', 'Storgata 1', '', '0155', 'Oslo', 'NO', CONCAT('kunde', i, '@example.no'), CONCAT('K-', i),
		'', '', 0, '', LOWER(CONCAT(name, '\n\nkunde', i, '@example.no')), '2020-01-01' FROM (SELECT i, %s AS name FROM numbers WHERE i <= ?) AS n ORDER BY i`

	invoiceColumns = `customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid, bank_account, recipient_name1, recipient_name2,
		recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email,
		recipient_customer_number, search, search_digit, balance, notices, warned, deadline, closed, handed_over, hold_held, hold_comment, pdf, created_at`

	// fate: 10 is paid, 0, 1 and 9 are not yet dunned, 2 and 3 reminded, 4 and 5 warned, 6 handed over, 7 and 8 closed
	fillInvoices = `INSERT INTO invoices (creditor_id, ` + invoiceColumns + `)
		SELECT ?, customer, i, issued, DATE_ADD(issued, INTERVAL 14 DAY), 14, 125000, 100000, '', LPAD(i, 10, '0'),
		'86011117947', name, '', 'Storgata 1', '', '0155', 'Oslo', 'NO', '', '', LOWER(CONCAT(name, '\n')), name REGEXP '[0-9]',
		IF(fate = 10, 0, 125000), CASE WHEN fate IN (2, 3) THEN 1 WHEN fate IN (4, 5) THEN 2 ELSE 0 END, fate IN (4, 5),
		DATE_ADD(issued, INTERVAL IF(fate BETWEEN 2 AND 5, 42, 14) DAY), CASE fate WHEN 7 THEN 'lost' WHEN 8 THEN 'other' ELSE '' END,
		IF(fate = 6, DATE_ADD(issued, INTERVAL 60 DAY), NULL), 0, '', '', issued
		FROM (SELECT i, customer, %s AS name, DATE_SUB(?, INTERVAL (? - i) DIV ? DAY) AS issued, IF(i %% 10 > 0, 10, i DIV 10 %% 10) AS fate
			FROM (SELECT i, 1 + i * 7919 %% ? AS customer FROM numbers WHERE i <= ?) AS n) AS n ORDER BY i`

	copyInvoices = `INSERT INTO invoices (creditor_id, COLUMNS) SELECT ?, COLUMNS FROM invoices WHERE creditor_id = ? ORDER BY id LIMIT ?`

	fillEntries = `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices ORDER BY id`

	fillPayments = `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'OCR', -gross, due_date, '', '12345678903', 0, 1, created_at FROM invoices WHERE balance = 0 ORDER BY id`
)
