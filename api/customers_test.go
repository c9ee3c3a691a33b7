package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestCustomerThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	with := func(elements string) string {
		return `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name>` + elements + `</customer>`
	}
	for _, test := range []struct{ name, body, want string }{
		{"nothing at all", `<customer/>`, "required@name1 required@postal_code required@postal_name"},
		{"blanks", `<customer><name1> </name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`, "required@name1"},
		{"101 characters", with(`<name2>` + strings.Repeat("ø", 101) + `</name2>`), "too_long@name2"},
		{"a postal code of 17 characters", with(`<address1>A</address1><address2>` + strings.Repeat("x", 101) + `</address2>`), "too_long@address2"},
		{"an address of 41 characters", with(`<customer_number>` + strings.Repeat("x", 41) + `</customer_number>`), "too_long@customer_number"},
		{"a line feed in a name", with("<name2>a\nb</name2>"), "control_character@name2"},
		{"no e-mail address", with(`<email>Ola &lt;ola@example.no&gt;</email>`), "invalid_email@email"},
		{"no country", with(`<country_code>no</country_code>`), "invalid_country@country_code"},
		{"no organisation number", with(`<organisation_number>974760674</organisation_number>`), "invalid_organisation_number@organisation_number"},
		{"no language", with(`<language>sv</language>`), "invalid_language@language"},
		{"no telephone number with its country", with(`<phone>22222222</phone>`), "invalid_phone@phone"},
		{"something unknown", with(`<fax>1</fax>`), "unknown_element@fax"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in.send("POST", "/api/v1/customers", test.body).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
	in.make("/api/v1/customers", with(`<name2>`+strings.Repeat("ø", 100)+`</name2>`))
	in.send("PUT", "/api/v1/customer/1", `<customer><name1/><email>x</email></customer>`).
		refused(t, http.StatusUnprocessableEntity, "required@name1", "invalid_email@email")
	in.send("PUT", "/api/v1/customer/1", `<customer>`).refused(t, http.StatusBadRequest, "malformed_xml")
	in.send("PUT", "/api/v1/customer/9", `<customer/>`).refused(t, http.StatusNotFound, "not_found")
}

func TestD16CustomerNumberIsUnique(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		numbered := func(number string) string {
			return `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name><customer_number>` + number + `</customer_number></customer>`
		}
		in.make("/api/v1/customers", numbered("17"))
		second := in.make("/api/v1/customers", numbered(""))
		in.make("/api/v1/customers", numbered(""))
		in.send("POST", "/api/v1/customers", numbered("17")).refused(t, http.StatusConflict, "customer_number_in_use@customer_number")
		in.send("PUT", second, `<customer><customer_number>17</customer_number></customer>`).
			refused(t, http.StatusConflict, "customer_number_in_use@customer_number")
		in.another("Annen AS").make("/api/v1/customers", numbered("17"))
	})
}

func TestD19SearchOfCustomers(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.make("/api/v1/customers", `<customer><name1>Ærlig Østvåg</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`)
	in.make("/api/v1/customers", `<customer><name1>Kari</name1><name2>v/ Østvåg</name2><postal_code>1</postal_code><postal_name>Ærøy</postal_name><email>Kari@Example.no</email></customer>`)
	for search, want := range map[string]int{"øst": 2, "ÆR": 1, "kari@EXAMPLE": 1, "oslo": 0, "": 2} {
		if got := len(in.get("/api/v1/customers?search=" + url.QueryEscape(search)).xml(t).find("customer")); got != want {
			t.Errorf("search %q finds %d customers, want %d", search, got, want)
		}
	}
}

func TestD6CustomerWithInvoicesStays(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoiced, free := in.customer(), in.customer()
		in.make("/api/v1/invoices", invoiceBody(invoiced, "14"))
		in.send("DELETE", invoiced, "").refused(t, http.StatusConflict, "customer_has_invoices")
		r := in.send("DELETE", free, "")
		r.is(t, http.StatusNoContent)
		if r.body != "" {
			t.Errorf("204 with the body %q", r.body)
		}
		in.send("DELETE", free, "").refused(t, http.StatusNotFound, "not_found")
	})
}

func TestD25SubListsTakeTheFiltersOfTheirLists(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer := in.customer()
		invoice := in.make("/api/v1/invoices", invoiceBody(customer, "0"))
		in.pass(1)
		in.make("/api/v1/invoices", invoiceBody(customer, "14"))
		in.invoice("14") // another customer's
		in.make(invoice+"/credit_notes", creditBody)
		for path, want := range map[string]int{
			"/invoices":                                            2,
			"/invoices?status=invoice_sent":                        1,
			"/invoices?status=paid":                                1,
			"/invoices?search=2":                                   1,
			"/invoices?from_date=2026-03-03":                       1,
			"/invoices?to_date=2026-03-02":                         1,
			"/invoices?per_page=1&page=2":                          1,
			"/credit_notes":                                        1,
			"/credit_notes?status=not_paid":                        0,
			"/credit_notes?status=overdue":                         0,
			"/credit_notes?status=overdue%7Ccredit_note_paid":      1,
			"/credit_notes?to_date=2026-03-02":                     0,
			"/ar_transactions":                                     5,
			"/ar_transactions?transaction_type=CREDIT_NOTE":        3,
			"/ar_transactions?from_date=2026-03-03":                4,
			"/ar_transactions?transaction_type=INTEREST":           0,
			"/ar_transactions?transaction_type=INVOICE&per_page=1": 1,
		} {
			r := in.get(customer + path)
			r.is(t, http.StatusOK)
			if got := len(r.xml(t).Children); got != want {
				t.Errorf("%s shows %d items, want %d", path, got, want)
			}
		}
	})
}
