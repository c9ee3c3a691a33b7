package openitems_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"purr/billing/openitems"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// header has the columns of the lists of the tests.
const header = "invoice_number;issue_date;due_date;gross_amount;balance;kid;customer_number;name1;address1;postal_code;postal_name"

// item returns a row of a list: an invoice of 1000.00 of the customer with the number.
func item(number int, balance string, customer int) string {
	return fmt.Sprintf("%d;2026-01-05;2026-01-19;1000.00;%s;%s;K%d;Ola Nordmann;Storgata 1;0155;Oslo", number, balance, kid(number), customer)
}

func kid(number int) string { return models.NewKID(fmt.Sprintf("7%08d", number), models.Modulus10) }

// listOf returns a list of rows under the header.
func listOf(rows ...string) string { return header + "\n" + strings.Join(rows, "\n") + "\n" }

// take takes a list, and returns what came of it and what was told.
func take(t *testing.T, db *store.DB, c models.Creditor, list string, o openitems.Options) (r openitems.Result, told []string, err error) {
	t.Helper()
	o.Actor = "a person"
	r, err = openitems.Run(t.Context(), db, c, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(list)), nil }, o, openitems.Listener{
		Fault: func(f openitems.Fault) {
			told = append(told, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Name, f.Code))
		},
		News: func(n openitems.News) {
			told = append(told, fmt.Sprintf("%d %s %s→%s %s", n.Number, n.What, n.Was, n.Now, n.Left))
		},
	})
	return r, told, err
}

// adopting is a creditor whose series begins at 100 000 000.
func adopting(t *testing.T, db *store.DB) models.Creditor {
	t.Helper()
	return rows.Creditor(t, db, func(c *models.Creditor) { c.KIDLength, c.FirstNumber = 16, 100_000_000 })
}

// TestL17EveryFaultOfAListIsToldWithItsPlace has a list for each kind of fault.
func TestL17EveryFaultOfAListIsToldWithItsPlace(t *testing.T) {
	t.Parallel()
	const whole = "7;2026-01-05;2026-01-19;1000.00;700.00;7000000070;K1;Ola;Gata 1;0155;Oslo"
	// with returns a row with another value in a column, by its place from 0.
	with := func(changes ...any) string {
		fields := strings.Split(strings.Replace(whole, "7000000070", kid(7), 1), ";")
		for i := 0; i < len(changes); i += 2 {
			fields[changes[i].(int)] = changes[i+1].(string)
		}
		return header + "\n" + strings.Join(fields, ";") + "\n"
	}
	notices := func(values string) string {
		return header + ";notice1_issue_date;notice1_due_date;notice1_is_incasso_notice;notice1_charge;notice1_interest;notice2_issue_date;notice2_due_date\n" +
			strings.TrimSpace(strings.SplitN(with(), "\n", 2)[1]) + ";" + values + "\n"
	}
	further := func(column, value string) string {
		return header + ";" + column + "\n" + strings.TrimSpace(strings.SplitN(with(), "\n", 2)[1]) + ";" + value + "\n"
	}
	tests := []struct{ list, want string }{
		{"", "1:0  empty"},
		{"invoice_number;balance;colour\n", "1:24 colour unknown_column"},
		{"invoice_number;balance;kid;kid\n", "1:28 kid repeated_column"},
		{"issue_date;kid\n", "1:0 invoice_number missing_column, 1:0 balance missing_column"},
		{"\"invoice_number;balance\n", "1:25  invalid_csv"},
		{with(0, ""), "2:1 invoice_number required"},
		{with(0, "x"), "2:1 invoice_number invalid_number"},
		{with(0, "-7"), "2:1 invoice_number invalid_number"},
		{with(0, "7.0"), "2:1 invoice_number invalid_number"},
		{with(0, "1234567890123"), "2:1 invoice_number invalid_number, 2:1 invoice_number number_in_series"},
		{with(0, "100000000"), "2:1 invoice_number number_in_series"},
		{with(1, ""), "2:3 issue_date required"},
		{with(1, "2026-13-01"), "2:3 issue_date invalid_date"},
		{with(1, "5/1/2026"), "2:3 issue_date invalid_date"},
		{with(1, "31.02.2026"), "2:3 issue_date invalid_date"},
		{with(1, "2027-01-01", 2, "2027-01-15"), "2:3 issue_date date_in_future"},
		{with(1, "1999-12-31", 2, "2000-01-14"), "2:3 issue_date out_of_range"},
		{with(2, ""), "2:14 due_date required"},
		{with(2, "i går"), "2:14 due_date invalid_date"},
		{with(2, "2026-01-04"), "2:14 due_date due_before_issue"},
		{with(2, "2027-01-06"), "2:14 due_date out_of_range"},
		{with(3, ""), "2:25 gross_amount amount_not_positive"},
		{with(3, "0"), "2:25 gross_amount amount_not_positive"},
		{with(3, "-1000"), "2:25 gross_amount amount_not_positive"},
		{with(3, "tusen"), "2:25 gross_amount invalid_amount"},
		{with(3, "1000.001"), "2:25 gross_amount invalid_amount"},
		{with(3, "99999999999"), "2:25 gross_amount invalid_amount"},
		{with(4, ""), "2:33 balance required"},
		{with(4, "-0.01"), "2:33 balance out_of_range"},
		{with(4, "1000.01"), "2:33 balance above_gross"},
		{with(4, "kr 700"), "2:33 balance invalid_amount"},
		{with(4, "7,0,0"), "2:33 balance invalid_amount"},
		{with(5, ""), "2:40 kid invalid_kid"},
		{with(5, "7000000071"), "2:40 kid invalid_kid"},
		{with(5, "123"), "2:40 kid invalid_kid"},
		{with(5, "000000000000"), "2:40 kid invalid_kid"},
		{with(5, strings.Repeat("1", 26)), "2:40 kid invalid_kid"},
		{with(5, "70000A0070"), "2:40 kid invalid_kid"},
		{with(6, ""), "2:51 customer_number required"},
		{with(6, strings.Repeat("K", 41)), "2:51 customer_number too_long"},
		{with(7, ""), "2:54 name1 required"},
		{with(7, strings.Repeat("n", 300)), "2:54 name1 too_long"},
		{with(8, ""), "2:58 address1 required"},
		{with(9, ""), "2:65 postal_code required"},
		{with(10, ""), "2:70 postal_name required"},
		{with(7, "\xff\xfe"), "2:54 name1 invalid_text"},
		{with() + ";;;\n" + with(0, "8")[len(header)+1:], "4:40 kid repeated"},
		{with() + with(5, kid(9))[len(header)+1:], "3:1 invoice_number repeated"},
		{header + "\n7;\"a\"b;\n", "2:5  invalid_csv"},
		{with() + "8;2026-01-05;2026-01-19;1;1;1230;K1;a;b;c;d;e\n", "3:45  too_many_fields"},
		{further("currency", "EUR"), "2:75 currency unsupported_currency"},
		{further("bank_account", "1503"), "2:75 bank_account invalid_bank_account"},
		{further("bank_account", "15030100007"), "2:75 bank_account unknown_account"},
		{further("country_code", "XX"), "2:75 country_code invalid_country"},
		{further("email", "ola"), "2:75 email invalid_email"},
		{further("organisation_number", "123456789"), "2:75 organisation_number invalid_organisation_number"},
		{further("language", "de"), "2:75 language invalid_language"},
		{notices("2026-01-04;2026-01-18;;;;;"), "2:75 notice1_issue_date out_of_range"},
		{notices("2026-02-05;2026-02-04;;;;;"), "2:86 notice1_due_date due_before_issue"},
		{notices("2026-02-05;;;;;;"), "2:86 notice1_due_date required"},
		{notices("2026-02-05;2026-02-19;ja;;;;"), "2:97 notice1_is_incasso_notice invalid_flag"},
		{notices("2026-02-05;2026-02-19;0;-1;;;"), "2:99 notice1_charge out_of_range"},
		{notices("2026-02-05;2026-02-19;0;;x;;"), "2:100 notice1_interest invalid_amount"},
		{notices(";;;;;2026-02-05;2026-02-19"), "2:80 notice2_issue_date first_notice_missing"},
		{notices("2026-02-05;2026-02-19;0;;;2026-02-04;2026-02-19"), "2:101 notice2_issue_date out_of_range"},
	}
	if len(tests) < 60 {
		t.Errorf("%d kinds of faults", len(tests))
	}
	db := rows.Open(t, testkit.SQLite(t))
	c := adopting(t, db)
	for _, tt := range tests {
		_, told, err := take(t, db, c, tt.list, openitems.Options{})
		if got := strings.Join(told, ", "); got != tt.want || !errors.Is(err, openitems.ErrFaults) {
			t.Errorf("%q: %s (%v), want %s", tt.list, got, err, tt.want)
		}
	}
	found, _, err := db.Customers(t.Context(), c.ID, "", store.Page{Number: 1, Size: 10})
	if err != nil || len(found) > 0 {
		t.Errorf("%d customers were made, %v", len(found), err)
	}
}
