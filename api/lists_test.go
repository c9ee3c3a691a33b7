package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestD10Pages(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		empty := in.get("/api/v1/customers").xml(t)
		if got := empty.at("@page") + empty.at("@total_pages") + empty.at("@per_page"); got != "11100" {
			t.Errorf("page, total_pages and per_page of nothing are %s, want 1, 1 and 100", got)
		}
		for i := range 5 {
			in.make("/api/v1/customers", fmt.Sprintf(`<customer><name1>Kunde %d</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`, i))
		}
		for _, test := range []struct{ query, pages, names string }{
			{"", "1/1", "Kunde 0 Kunde 1 Kunde 2 Kunde 3 Kunde 4"},
			{"?per_page=2", "1/3", "Kunde 0 Kunde 1"},
			{"?per_page=2&page=3", "3/3", "Kunde 4"},
			{"?page=4&per_page=2", "4/3", ""},
			{"?page=99999999999999999999&per_page=1000", "2147483648/1", ""},
			{"?per_page=1000", "1/1", "Kunde 0 Kunde 1 Kunde 2 Kunde 3 Kunde 4"},
			{"?per_page=5", "1/1", "Kunde 0 Kunde 1 Kunde 2 Kunde 3 Kunde 4"},
		} {
			list := in.get("/api/v1/customers" + test.query).xml(t)
			var names []string
			for _, c := range list.find("customer") {
				names = append(names, c.at("name1"))
			}
			if got := strings.Join(names, " "); got != test.names {
				t.Errorf("%s shows %q, want %q", test.query, got, test.names)
			}
			if got := list.at("@page") + "/" + list.at("@total_pages"); got != test.pages {
				t.Errorf("%s is page %s, want %s", test.query, got, test.pages)
			}
		}
	})
}

func TestD10ParametersThatAreRefused(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, test := range []struct{ path, want string }{
		{"customers?page=0", "out_of_range@page"},
		{"customers?page=-1", "out_of_range@page"},
		{"customers?page=x", "out_of_range@page"},
		{"customers?page=1.0", "out_of_range@page"},
		{"customers?page=%2B1", "out_of_range@page"},
		{"customers?per_page=0", "out_of_range@per_page"},
		{"customers?per_page=1001", "out_of_range@per_page"},
		{"customers?per_page=99999999999999999999", "out_of_range@per_page"},
		{"customers?page=1&page=2", "repeated_parameter@page"},
		{"customers?name=x", "unknown_parameter@name"},
		{"customers?status=all", "unknown_parameter@status"},
		{"customers?search=%FF", "malformed_query@search"},
		{"customers?a=1;b=2", "malformed_query"},
		{"invoices?from_date=2026-02-29", "invalid_date@from_date"},
		{"invoices?from_date=1.2.2026", "invalid_date@from_date"},
		{"invoices?status=lost", "unknown_status@status"},
		{"invoices?status=all|lost", "unknown_status@status"},
		{"invoices?Status=all", "unknown_parameter@Status"},
		{"credit_notes?status=invoice_sent", "unknown_status@status"},
		{"overdue_notices?search=x", "unknown_parameter@search"},
		{"ar_transactions?transaction_type=payment", "unknown_transaction_type@transaction_type"},
		{"ar_transactions?status=all", "unknown_parameter@status"},
		{"unmatched_payments?status=matched", "unknown_status@status"},
		{"events?after=x", "invalid_id@after"},
		{"events?after=-1", "invalid_id@after"},
		{"invoices?page=0&status=lost&from_date=x&x=1", "invalid_date@from_date unknown_status@status out_of_range@page unknown_parameter@x"},
	} {
		t.Run(test.path, func(t *testing.T) {
			in.get("/api/v1/"+strings.ReplaceAll(test.path, "|", "%7C")).refused(t, http.StatusBadRequest, strings.Fields(test.want)...)
		})
	}
}

func TestD10DatesTheWrongWayRoundFindNothing(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.invoice("14")
	for _, list := range []string{"invoices", "credit_notes", "overdue_notices", "ar_transactions", "customer/1/invoices"} {
		r := in.get("/api/v1/" + list + "?from_date=2026-12-31&to_date=2026-01-01")
		r.is(t, http.StatusOK)
		if n := len(r.xml(t).Children); n != 0 {
			t.Errorf("%s shows %d items", list, n)
		}
	}
}
