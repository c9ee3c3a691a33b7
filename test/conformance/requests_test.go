package conformance_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/app"
)

// TestD4ContentTypes tries what a body may be declared to be. That answers are XML in UTF-8 with a declaration
// is checked in every answer of every test.
func TestD4ContentTypes(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer().URI()
		body := tag("customer", tag("name2", "v/ Åse"))
		for _, test := range []struct {
			declared string
			status   int
		}{
			{"application/xml", 200},
			{"text/xml", 200},
			{"Application/XML; charset=utf-8", 200},
			{"", 200},
			{"text/plain", 415},
			{"application/json", 415},
			{"application/xhtml+xml", 415},
			{"application/x-www-form-urlencoded", 415},
		} {
			a := c.Put(customer, body, contentType(test.declared)).Is(test.status)
			if test.status == http.StatusUnsupportedMediaType {
				a.Refused(415, "unsupported_media_type")
				continue
			}
			a.Root().Shows("name2 v/ Åse")
		}
		c.Post("/invoices", order{}.xml(), contentType("text/plain")).Refused(415, "unsupported_media_type")
	})
}

// TestD4Bodies sends what may be in a body and what may not.
func TestD4Bodies(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer().URI()
		big := func(size int) string {
			body := tag("customer", tag("name2", "big"), "<!--", "-->")
			return strings.Replace(body, "<!--", "<!--"+strings.Repeat("x", size-len(body)), 1)
		}
		for _, test := range []struct {
			what, body string
			status     int
			fault      string
			name2      string
		}{
			{"UTF-8 that is declared", `<?xml version="1.0" encoding="UTF-8"?><customer><name2>Ærlige Åsmund</name2></customer>`, 200, "", "Ærlige Åsmund"},
			{"UTF-8 that is not", `<customer><name2>Ærlige Åsmund</name2></customer>`, 200, "", "Ærlige Åsmund"},
			{"ISO-8859-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><customer><name2>\xc6rlige \xc5smund</name2></customer>", 200, "", "Ærlige Åsmund"},
			{"ISO-8859-1 in other letters", "<?xml version='1.0' encoding='iso-8859-1'?><customer><name2>\xd8</name2></customer>", 200, "", "Ø"},
			{"ISO-8859-1 that is not declared", "<customer><name2>\xc6</name2></customer>", 400, "malformed_xml", ""},
			{"another encoding", `<?xml version="1.0" encoding="UTF-16"?><customer/>`, 400, "unsupported_encoding", ""},
			{"references", `<customer><name2>&lt;&#198;&#xD8;&amp;&gt;</name2></customer>`, 200, "", "<ÆØ&>"},
			{"unknown attributes", `<customer version="7"><name2 lang="nb">x</name2></customer>`, 200, "", "x"},
			{"a mebibyte", big(1 << 20), 200, "", "big"},
			{"more than a mebibyte", big(1<<20 + 1), 413, "too_large", ""},
			{"nothing", " ", 400, "malformed_xml", ""},
			{"no XML", "name2=x", 400, "malformed_xml", ""},
			{"an element that is not closed", "<customer><name2>x</customer>", 400, "malformed_xml", ""},
			{"two roots", "<customer/><customer/>", 400, "malformed_xml", ""},
			{"an entity of nobody's", "<customer><name2>&who;</name2></customer>", 400, "malformed_xml", ""},
			{"a document type", `<!DOCTYPE customer><customer/>`, 400, "doctype_not_allowed", ""},
			{"entities", `<!DOCTYPE c [<!ENTITY e SYSTEM "file:///etc/passwd">]><customer><name2>&e;</name2></customer>`, 400, "doctype_not_allowed", ""},
			{"another root", `<invoice/>`, 422, "unknown_element invoice", ""},
			{"an unknown element", `<customer><name3>x</name3></customer>`, 422, "unknown_element name3", ""},
			{"an element twice", `<customer><name2>x</name2><name2>y</name2></customer>`, 422, "duplicate_element name2[2]", ""},
		} {
			a := c.on(trying{t, test.what}).Put(customer, test.body)
			if test.fault != "" {
				a.Refused(test.status, test.fault)
				continue
			}
			a.Is(test.status).Root().Shows("name2 " + test.name2)
		}
	})
}

// trying puts what is tried before the messages of a test.
type trying struct {
	testing.TB
	what string
}

func (n trying) Errorf(format string, args ...any) {
	n.Helper()
	n.TB.Errorf(n.what+": "+format, args...)
}

func (n trying) Fatalf(format string, args ...any) {
	n.Helper()
	n.TB.Fatalf(n.what+": "+format, args...)
}

// TestD4L20WhatOnlyAnswersHaveMustSayWhatIsSo sends back elements that answers show, and some that none shows.
func TestD4L20WhatOnlyAnswersHaveMustSayWhatIsSo(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		for _, test := range []struct{ path, body, fault string }{
			{"/invoices", strings.Replace(order{}.xml(), "<num_due_days>", "<invoice_number>7</invoice_number><num_due_days>", 1), "differs invoice_number"},
			{"/invoices", order{lines: []string{line("x", "1", "1", "HIGH", tag("net_amount", "5"))}}.xml(), "differs lines/line[1]/net_amount"},
			{"/invoices", order{inline: kari + tag("country", "NO")}.xml(), "unknown_element recipient/country"},
			{"/customers", tag("customer", kari, tag("invoices")), "unknown_element invoices"},
			{invoice.URI() + "/credit_notes", creditNote(tag("gross_amount", "1")), "differs gross_amount"},
			{invoice.URI() + "/ar_transactions", entry("-1", in.Today(), tag("from_account_number", "1")), "differs from_account_number"},
		} {
			c.Post(test.path, test.body).Refused(422, test.fault)
		}
		equal(t, "number of invoices", len(c.List("/invoices")), 1)
	})
}

// TestD5EverythingThatIsWrongAtOnce sends an order with a fault in every part: each is reported with its place.
// That errors have the one form is checked in every answer of every test.
func TestD5EverythingThatIsWrongAtOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.Post("/invoices", tag("invoice")).Refused(422, "required num_due_days", "required recipient", "required lines", "required shipments")
		c.Post("/invoices", tag("invoice", tag("num_due_days", "366"), tag("recipient", tag("name1", "Kari"), tag("email", "kari")),
			tag("lines", line("x", "1", "1", "HIGH"), line("", "1.12345", "1,5", "25"), tag("line")), tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "FAX")), tag(`shipment type="copy"`)),
			tag("status", "sent"))).
			Refused(422, "out_of_range num_due_days", "required recipient/address1", "required recipient/postal_code", "required recipient/postal_name", "invalid_email recipient/email",
				"required lines/line[2]/line_text", "invalid_number lines/line[2]/unit_price", "invalid_number lines/line[2]/num_items", "invalid_vat_rate lines/line[2]/vat_rate",
				"required lines/line[3]/line_text", "required lines/line[3]/unit_price", "required lines/line[3]/num_items", "required lines/line[3]/vat_rate",
				"invalid_shipment_method shipments/shipment[1]/shipment_method", "required shipments/shipment[2]/shipment_method", "required shipments/shipment[2]/recipient/email",
				"unknown_element status")
		c.Get("/invoices?page=0&per_page=x&status=y&from_date=z&color=blue").
			Refused(400, "out_of_range page", "out_of_range per_page", "unknown_status status", "invalid_date from_date", "unknown_parameter color")
		a := c.Post("/customers", "<customer>")
		a.Refused(400, "malformed_xml") // with no place
		equal(t, "the form", a.Root().ConsistsOf("error").Only("error").ConsistsOf("@code").Text != "", true)
	})
}

// TestD6StatusCodes meets the statuses that are not met elsewhere, and the methods that the description rules out.
func TestD6StatusCodes(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		payment := c.registers("-1", invoice)
		in.at(t, "2023-12-09 00:01")
		reminder := c.notices(invoice, notice(false, false, false))
		note := c.credits(invoice)
		for _, n := range []node{invoice, note, reminder} {
			for _, method := range []string{"PUT", "DELETE"} {
				a := c.Send(method, n.URI(), "<x/>")
				a.Refused(http.StatusMethodNotAllowed, "method_not_allowed")
				equal(t, "Allow of "+n.String(), a.Header.Get("Allow"), "GET")
			}
		}
		a := c.Put(payment.URI(), entry("-2", in.Today()))
		a.Refused(http.StatusMethodNotAllowed, "method_not_allowed")
		equal(t, "Allow of a transaction", a.Header.Get("Allow"), "DELETE, GET")
		for _, path := range []string{"/invoices", "/customers", "/overdue_notices", "/credit_notes", "/ar_transactions"} {
			c.Delete(path).Refused(http.StatusMethodNotAllowed, "method_not_allowed")
		}
		for _, path := range []string{
			"/nothing", "/invoice", "/invoices/1", "/invoice/0", "/invoice/x", "/invoice/-1", "/invoice/999999999", "/invoice/99999999999999999999/pdf", "/invoice/1.0",
			"/credit_note/999999999", "/customer/999999999", "/customer/999999999/invoices", "/ar_transaction/999999999", "/overdue_notice/999999999", "//api/v2/invoices", "//nothing",
		} {
			c.Get(path).Refused(http.StatusNotFound, "not_found")
		}
		c.Delete(customer.URI()).Refused(http.StatusConflict, "customer_has_invoices")
	})
}

// TestD7CreationAnswersWithTheResource: each POST answers with the address and the detail of what it made.
func TestD7CreationAnswersWithTheResource(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		in.at(t, "2023-12-09 00:01")
		reminder := c.notices(invoice, notice(false, false, false))
		c.again(reminder).Equals(reminder)
		payment := c.registers("-10", invoice)
		note := c.credits(invoice)
		payout := c.registers("10", note)
		for _, made := range []node{customer, payment, payout} {
			c.again(made).Equals(made)
		}
		fresh := c.invoices(order{})
		c.again(fresh).Equals(fresh)
		uncredited := c.credits(fresh)
		c.again(uncredited).Equals(uncredited)

		changed := c.Put(customer.URI(), tag("customer", tag("name2", "x"))).Shown()
		c.again(customer).Equals(changed)
		gone := c.Delete(payout.URI()).Is(http.StatusNoContent)
		if len(gone.Body) > 0 || gone.Header.Get("Content-Type") != "" {
			t.Errorf("the answer to DELETE is %s %q", gone.Header.Get("Content-Type"), gone.Body)
		}
		c.Delete(c.customer().URI()).Is(http.StatusNoContent)
	})
}

// TestD8URIsBeginWithTheBaseURL where one is configured, with the scheme and host of the request where none is.
func TestD8URIsBeginWithTheBaseURL(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		begins := func(c *client, base string) {
			t.Helper()
			customer := c.customer()
			path, is := strings.CutPrefix(customer.URI(), base+"/api/v1/customer/")
			if _, err := fmt.Sscan(path); !is {
				t.Errorf("the uri is %s, want it to begin with %s: %v", customer.URI(), base, err)
			}
		}
		begins(c, in.App.URL)
		a := c.Get("/creditor", func(r *http.Request) { r.Host = "invoices.example.no:8443" }).Shown()
		a.Shows("@uri http://invoices.example.no:8443/api/v1/creditor")

		const base = "https://pay.example.no/purr"
		configured := in.own(t, beginning, func(_ testing.TB, cfg *app.Settings) { cfg.API.BaseURL = base })
		c = configured.creditor(t)
		begins(c, base)
		customer := c.List("/customers")[0].URI()
		invoice := c.Post("/invoices", order{to: customer}.xml()).Created()
		for _, path := range []string{"recipient/parent_recipient/@uri", "ar_transactions/ar_transaction/@uri"} {
			if uri := invoice.At(path); !strings.HasPrefix(uri, base+"/api/v1/") {
				t.Errorf("%s is %s", path, uri)
			}
		}
	})
}

// TestD12RequestIDs: a caller's own is kept where it is fit to be, else every request has a new one.
func TestD12RequestIDs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		seen := map[string]bool{}
		for range 3 {
			seen[c.Get("/creditor").Header.Get("X-Request-Id")] = true
		}
		equal(t, "number of different IDs", len(seen), 3)
		for _, test := range []struct {
			id   string
			kept bool
		}{{"x", true}, {"order 4711 / try 2", true}, {strings.Repeat("i", 128), true}, {strings.Repeat("i", 129), false}, {"a\tb", false}} {
			got := c.Get("/creditor", header("X-Request-Id", test.id)).Header.Get("X-Request-Id")
			if (got == test.id) != test.kept {
				t.Errorf("the ID %q became %q", test.id, got)
			}
		}
		c.Get("/nothing", header("X-Request-Id", "mine")).Refused(404, "not_found")
		equal(t, "ID of a refusal", c.Get("/nothing", header("X-Request-Id", "mine")).Header.Get("X-Request-Id"), "mine")
	})
}
