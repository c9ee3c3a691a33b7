package conformance_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"purr/models"
)

// collections are the paths of all lists.
func collections(customer node) []string {
	return []string{
		"/invoices", "/credit_notes", "/overdue_notices", "/customers", "/ar_transactions",
		customer.URI() + "/invoices", customer.URI() + "/credit_notes", customer.URI() + "/ar_transactions",
		"/events", "/webhooks", "/payment_files", "/unmatched_payments",
	}
}

// TestD8ATrailingSlashMakesNoDifference to any collection, to read it or to add to it.
func TestD8ATrailingSlashMakesNoDifference(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.Post("/customers/", tag("customer", kari)).Created()
		invoice := c.Post("/invoices/", order{to: customer.URI()}.xml()).Created()
		c.Post(invoice.URI()+"/ar_transactions/", entry("-1", in.Today())).Created()
		note := c.Post(invoice.URI()+"/credit_notes/", creditNote()).Created()
		c.Post(note.URI()+"/ar_transactions/", entry("1", in.Today())).Created()
		for _, document := range []node{invoice, note} {
			eventually(t, "it is sent, and no event comes any more", func() (bool, any) {
				sent := c.again(document).At("shipments/shipment/sent_at")
				return sent != "", sent
			})
		}
		for _, path := range collections(customer) {
			slashed := strings.Replace(path+"?", "?", "/?", 1)
			c.Get(strings.TrimSuffix(slashed, "?")).Shown().Equals(c.Get(path).Shown())
		}
	})
}

// TestD10Pages walks every list page by page, and asks for pages that are not there.
func TestD10Pages(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		var numbers []string
		for range 3 {
			numbers = append(numbers, c.invoices(order{to: customer.URI()}).At("invoice_number"))
		}
		for _, list := range collections(customer) {
			c.Get(list+"?page=3&per_page=1000").Shown().Shows("@page 3", "@total_pages 1", "@per_page 1000")
			equal(t, "number of items past the end", len(c.Get(list+"?page=3").Shown().Nodes()), 0)
			c.Get(list+"?page=0&per_page=1001&color=blue").Refused(400, "out_of_range page", "out_of_range per_page", "unknown_parameter color")
			c.Get(list + "?page=1&per_page=1").Shown()
		}
		for _, wrong := range []string{"page=-1", "page=x", "page=1.5", "per_page=0", "per_page=-5", "per_page=ten"} {
			name, _, _ := strings.Cut(wrong, "=")
			c.Get("/invoices?"+wrong).Refused(400, "out_of_range "+name)
		}
		c.Get("/overdue_notices").Shown().Shows("@page 1", "@total_pages 1", "@per_page 100")
		c.Get("/invoices?per_page=2").Shown().Shows("@total_pages 2", "@per_page 2", "@page 1")
		c.Get("/invoices?per_page=3").Shown().Shows("@total_pages 1")
		var walked []string
		for page := 1; page <= 3; page++ {
			walked = append(walked, texts(c.Get(fmt.Sprintf("/invoices?per_page=1&page=%d", page)).Shown().Nodes(), "invoice_number")...)
			c.invoices(order{to: customer.URI()}) // what is added meanwhile comes at the end
		}
		same(t, "invoices, oldest first", walked, numbers)
		same(t, "all of them", texts(c.List("/invoices"), "invoice_number"), []string{"1", "2", "3", "4", "5", "6"})
	})
}

// TestD10Dates filters by dates that are right, wrong, and the wrong way round.
func TestD10Dates(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		c.registers("-10", c.invoices(order{to: customer.URI()}))
		c.credits(c.invoices(order{to: customer.URI()}))
		today := in.Today()
		for _, list := range []string{"/invoices", "/credit_notes", "/ar_transactions", customer.URI() + "/invoices", customer.URI() + "/credit_notes", customer.URI() + "/ar_transactions"} {
			all := len(c.List(list))
			for _, test := range []struct {
				from, to models.Date
				found    int
			}{{today, today, all}, {today - 1, 0, all}, {0, today + 1, all}, {today + 1, 0, 0}, {0, today - 1, 0}, {today + 1, today - 1, 0}} {
				q := url.Values{}
				if test.from != 0 {
					q.Set("from_date", test.from.String())
				}
				if test.to != 0 {
					q.Set("to_date", test.to.String())
				}
				equal(t, "number of items of "+list+"?"+q.Encode(), len(c.List(list+"?"+q.Encode())), test.found)
			}
		}
		for _, list := range []string{"/credit_notes", "/overdue_notices", "/ar_transactions"} {
			c.Get(list+"?from_date=2023-02-29&to_date=x").Refused(400, "invalid_date from_date", "invalid_date to_date")
		}
		for _, wrong := range []string{"2023-2-01", "2023-02-29", "01.02.2023", "20230201", "2023-13-01", "2023-00-10", "today", "2023-02-01T00:00:00"} {
			for _, list := range []string{"/invoices", "/credit_notes", "/overdue_notices", "/ar_transactions"} {
				c.Get(list+"?from_date="+wrong).Refused(400, "invalid_date from_date")
			}
			c.Get("/invoices?to_date="+wrong).Refused(400, "invalid_date to_date")
		}
	})
}

// TestD19Search finds documents by their whole number or a part of the recipient's names, customers by a part of
// their names or address.
func TestD19Search(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, tag("first_number", "11"))
		for _, name := range []string{"Blåbærtunet Søndre", "ÆRLIGE ÅSE", "100 % rabatt_", "Hus 12"} {
			initials := string([]rune(name)[:2])
			customer := c.customer(strings.Replace(named(name), "kari@", fmt.Sprintf("%x@", initials), 1), tag("name2", "c/o "+strings.ToUpper(initials)+"ØVRE"))
			c.credits(c.invoices(order{to: customer.URI()}))
		}
		found := func(list, search, field string) string {
			t.Helper()
			return strings.Join(texts(c.List(list+"?search="+url.QueryEscape(search)), field), " ")
		}
		for _, test := range []struct{ search, invoices, creditNotes string }{
			{"11", "11", ""},
			{"12", "17", "12 18"}, // a number, and a name
			{"1", "15 17", "16 18"},
			{"blåbær", "11", "12"},
			{"BLÅBÆRTUNET s", "11", "12"},
			{"søndre", "11", "12"},
			{"øvre", "11 13 15 17", "12 14 16 18"},
			{"ærlige", "13", "14"},
			{"åse", "13", "14"},
			{"ase", "", ""},
			{"%", "15", "16"},
			{"_", "15", "16"},
			{"example", "", ""}, // an address is none of the names
			{"", "11 13 15 17", "12 14 16 18"},
		} {
			equal(t, "invoices found by "+test.search, found("/invoices", test.search, "invoice_number"), test.invoices)
			equal(t, "credit notes found by "+test.search, found("/credit_notes", test.search, "invoice_number"), test.creditNotes)
		}
		for _, test := range []struct{ search, names string }{
			{"BÆRT", "Blåbærtunet Søndre"},
			{"ærøvre", "ÆRLIGE ÅSE"},
			{"C/O BLØ", "Blåbærtunet Søndre"},
			{"426C@EXAMPLE", "Blåbærtunet Søndre"},
			{"@example.no", "Blåbærtunet Søndre ÆRLIGE ÅSE 100 % rabatt_ Hus 12"},
			{"Storgata", ""},
			{"%", "100 % rabatt_"},
		} {
			equal(t, "customers found by "+test.search, found("/customers", test.search, "name1"), test.names)
		}
	})
}

// TestD25SubListsTakeTheFiltersOfTheirLists: what narrows a list narrows a customer's too, and all that they show
// is the customer's.
func TestD25SubListsTakeTheFiltersOfTheirLists(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		mine, others := c.customer(named("Min Kunde")), c.customer(named("Annen Kunde"))
		for _, customer := range []node{mine, others} { // numbers 1, 2, 3 and 4, 5, 6
			invoice := c.invoices(order{to: customer.URI()})
			c.registers("-10", invoice)
			c.credits(invoice)
			c.invoices(order{to: customer.URI()})
		}
		tomorrow := (in.Today() + 1).String()
		for _, test := range []struct{ list, query, field, finds string }{
			{"/invoices", "", "invoice_number", "1 3"},
			{"/invoices", "status=waiting", "invoice_number", "3"},
			{"/invoices", "status=paid", "invoice_number", "1"},
			{"/invoices", "search=3", "invoice_number", "3"},
			{"/invoices", "search=min", "invoice_number", "1 3"},
			{"/invoices", "search=annen", "invoice_number", ""},
			{"/invoices", "from_date=" + tomorrow, "invoice_number", ""},
			{"/invoices", "to_date=" + tomorrow, "invoice_number", "1 3"},
			{"/invoices", "per_page=1&page=2", "invoice_number", "3"},
			{"/credit_notes", "", "invoice_number", "2"},
			{"/credit_notes", "status=not_paid", "invoice_number", "2"},
			{"/credit_notes", "status=paid", "invoice_number", ""},
			{"/credit_notes", "search=2", "invoice_number", "2"},
			{"/credit_notes", "search=5", "invoice_number", ""},
			{"/credit_notes", "from_date=" + tomorrow, "invoice_number", ""},
			{"/ar_transactions", "", "amount", "1250.00 -10.00 -1250.00 -1240.00 1240.00 1250.00"},
			{"/ar_transactions", "transaction_type=PAYMENT", "amount", "-10.00"},
			{"/ar_transactions", "to_date=" + tomorrow + "&transaction_type=INVOICE", "amount", "1250.00 1250.00"},
			{"/ar_transactions", "from_date=" + tomorrow, "amount", ""},
		} {
			got := c.Get(mine.URI() + test.list + "?" + test.query).Shown().Nodes()
			equal(t, test.list+"?"+test.query, strings.Join(texts(got, test.field), " "), test.finds)
			wrong := c.Get(mine.URI() + test.list + "?color=blue")
			wrong.Refused(400, "unknown_parameter color")
		}
		c.Get(mine.URI()+"/ar_transactions?search=x").Refused(400, "unknown_parameter search")
	})
}
