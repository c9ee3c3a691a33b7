package bench

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
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

// Fill fills a database and returns the large creditor. Its invoices are of the days up to the given one; nine of ten are paid, the
// others stand wherever an invoice can stand. People are called as in Norway, and one customer's name in a hundred holds a digit.
func (c Crowd) Fill(b *testing.B, db Database, today models.Date) models.Creditor {
	b.Helper()
	ctx := b.Context()
	creditor := rows.Creditor(b, db.Store)
	exec := saying(b, db)
	numbers(b, db.Bare, max(c.Customers, c.Invoices))
	namePeople(b, db.Bare, c.Customers)
	exec(fillCustomers, creditor.ID, c.Customers)
	exec(fillInvoices, creditor.ID, today.String(), c.Invoices, c.Invoices, perDay, perDay, c.Customers, c.Invoices)
	for range c.Others {
		other := rows.Creditor(b, db.Store)
		exec(strings.ReplaceAll(copyInvoices, "COLUMNS", invoiceColumns), other.ID, creditor.ID, c.OthersOfEach)
	}
	exec(fillEntries)
	exec(fillPayments)
	exec("DROP TABLE numbers")
	exec("DROP TABLE people")
	lapse(exec, db)
	if !db.lite {
		exec("ANALYZE TABLE invoices, customers, entries")
	}
	if err := db.Store.Patient().InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.CountLists(ctx, creditor.ID) }); err != nil {
		b.Fatal(err)
	}
	return creditor
}

// StandStill has so many of a large creditor's open invoices stand still from the given day on: by a hold, a dispute or more time. A tenth
// has ended the day before. One in a thousand is the hold of a whole customer.
func StandStill(b *testing.B, db Database, creditor models.Creditor, today models.Date, n int) {
	b.Helper()
	saying(b, db)(`INSERT INTO standstills (creditor_id, customer_id, invoice_id, kind, hold_reason, comment, since, until, last_day, started_by, ended_by)
		SELECT creditor_id, customer_id, CASE WHEN nth % 1000 = 0 THEN 0 ELSE id END, CASE nth % 3 WHEN 0 THEN 'hold' WHEN 1 THEN 'dispute' ELSE 'more_time' END,
		'', 'avtale', ?, DAYS(?, 30;), CASE WHEN nth % 10 = 1 THEN DAYS(?, -1;) ELSE DAYS(?, 30;) END, 'Kari', ''
		FROM (SELECT id, creditor_id, customer_id, ROW_NUMBER() OVER (ORDER BY id) AS nth FROM invoices WHERE creditor_id = ? AND balance > 0) AS open WHERE nth <= ?`,
		today.String()+" 00:00:00", today.String(), today.String(), today.String(), creditor.ID, n)
	if !db.lite {
		saying(b, db)("ANALYZE TABLE standstills")
	}
}

// saying returns what executes a statement as the database says it: DAYS(date, n) is the date so many days later.
func saying(b *testing.B, db Database) func(statement string, args ...any) {
	as := "DATE_ADD($1, INTERVAL ($2) DAY)"
	if db.lite {
		as = "DATE($1, ($2) || ' days')"
	}
	return func(statement string, args ...any) {
		b.Helper()
		statement = daysLater.ReplaceAllString(statement, as)
		if _, err := db.Bare.ExecContext(b.Context(), statement, args...); err != nil {
			b.Fatalf("%v: %s", err, statement)
		}
	}
}

// lapse sets when the invoices lapse that were written without it: three years after their due dates.
func lapse(exec func(statement string, args ...any), db Database) {
	on := "due_date + INTERVAL 3 YEAR"
	if db.lite {
		on = "CASE WHEN strftime('%m-%d', due_date) = '02-29' THEN date(due_date, '+3 years', '-1 day') ELSE date(due_date, '+3 years') END"
	}
	exec("UPDATE invoices SET lapses_on = " + on + " WHERE lapses_on IS NULL AND balance > 0")
}

var daysLater = regexp.MustCompile(`DAYS\(([^,]*), ([^;]*?);\)`)

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

const (
	fillCustomers = `INSERT INTO customers (creditor_id, name1, name2, address1, address2, postal_code, postal_name, country_code, email, customer_number,
		organisation_number, language, hold_held, hold_comment, search, created_at)
		SELECT ?, name, '', 'Storgata 1', '', '0155', 'Oslo', 'NO', CONCAT('kunde', i, '@example.no'), CONCAT('K-', i),
		'', '', 0, '', CONCAT(search, '\n\nkunde', i, '@example.no'), '2020-01-01 00:00:00' FROM people WHERE i <= ? ORDER BY i`

	invoiceColumns = `customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid, bank_account, recipient_name1, recipient_name2,
		recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email,
		recipient_customer_number, search, search_digit, balance, notices, warned, deadline, closed, handed_over, hold_held, hold_comment, pdf, created_at`

	// invoiceValues are the values of those columns, but for the customer, to the search.
	invoiceValues = `14, 125000, 100000, '', SUBSTR(CONCAT('0000000000', n.i), -10), '86011117947', p.name, '', 'Storgata 1', '', '0155', 'Oslo', 'NO', '', '',
		CONCAT(p.search, '\n'), p.digit`

	// fate: 10 is paid, 0, 1 and 9 are not yet dunned, 2 and 3 reminded, 4 and 5 warned, 6 handed over, 7 and 8 closed
	fillInvoices = `INSERT INTO invoices (creditor_id, ` + invoiceColumns + `)
		SELECT ?, customer, n.i, issued, DAYS(issued, 14;), ` + invoiceValues + `,
		CASE WHEN fate = 10 THEN 0 ELSE 125000 END, CASE WHEN fate IN (2, 3) THEN 1 WHEN fate IN (4, 5) THEN 2 ELSE 0 END, CASE WHEN fate IN (4, 5) THEN 1 ELSE 0 END,
		DAYS(issued, CASE WHEN fate BETWEEN 2 AND 5 THEN 42 ELSE 14 END;), CASE fate WHEN 7 THEN 'lost' WHEN 8 THEN 'other' ELSE '' END,
		CASE WHEN fate = 6 THEN DAYS(issued, 60;) ELSE NULL END, 0, '', '', CONCAT(issued, ' 00:00:00')
		FROM (SELECT i, customer, DAYS(?, -((? - i) - (? - i) % ?) / ?;) AS issued, CASE WHEN i % 10 > 0 THEN 10 ELSE i / 10 % 10 END AS fate
			FROM (SELECT i, 1 + i * 7919 % ? AS customer FROM numbers WHERE i <= ?) AS n) AS n JOIN people p ON p.i = customer ORDER BY n.i`

	copyInvoices = `INSERT INTO invoices (creditor_id, COLUMNS) SELECT ?, COLUMNS FROM invoices WHERE creditor_id = ? ORDER BY id LIMIT ?`

	fillEntries = `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'INVOICE', gross, issue_date, '', '', 0, 0, created_at FROM invoices ORDER BY id`

	fillPayments = `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
		notice_id, payment_file_id, created_at)
		SELECT creditor_id, customer_id, id, 0, 'OCR', -gross, due_date, '', '12345678903', 0, 1, created_at FROM invoices WHERE balance = 0 ORDER BY id`
)
