package conformance_test

import (
	"net/http"
	"strings"
	"testing"
)

// The elements of resources, as section "Resources and their fields" of the description has them.
const (
	recipientFields  = "name1 name2 address1 address2 postal_code postal_name email customer_number country_code"
	lineFields       = "@index line_text unit_price num_items discount_percent net_amount gross_amount vat_rate"
	itemFields       = "@uri @status invoice_number issue_date due_date gross_amount net_amount"
	noticeItemFields = "@uri issue_date due_date gross_amount is_incasso_notice related_invoice"
	nestedEntry      = "@uri transaction_date amount comment transaction_type"
	nestedOCREntry   = "@uri transaction_date amount comment from_account_number transaction_type"
)

// TestInterfaceListWrapper: every list is an element of its own name with page, total_pages and per_page, and
// nothing but items in it.
func TestInterfaceListWrapper(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		c.credits(c.invoices(order{to: customer.URI()}))
		for _, path := range collections(customer) {
			list := c.Get(path).Shown()
			path = path[strings.LastIndexByte(path, '/')+1:]
			equal(t, "root element", list.Name(), path)
			list.Shows("@page 1", "@total_pages 1", "@per_page 100")
			equal(t, "number of attributes of "+path, len(list.Attrs), 3)
			for _, item := range list.Nodes() {
				equal(t, "item of "+path, item.Name()+"s", path)
			}
		}
	})
}

// TestInterfaceCustomer reads a customer in list and detail, with everything and with as little as may be.
func TestInterfaceCustomer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		const fields = "name1 name2 address1 address2 postal_code postal_name"
		full := c.customer(tag("name1", "Kari"), tag("name2", "v/ Ola"), tag("address1", "Lia 2"), tag("address2", "H0101"), tag("postal_code", "5003"),
			tag("postal_name", "Bergen"), tag("country_code", "DK"), tag("email", "kari@example.no"), tag("customer_number", "7"))
		least := c.customer(tag("name1", "Kari"), tag("postal_code", "5003"), tag("postal_name", "Bergen"))
		c.invoices(order{to: full.URI()})
		for _, customer := range []node{full, least} {
			c.again(customer).ConsistsOf("@uri " + fields + " country_code email customer_number")
		}
		for _, item := range c.List("/customers") {
			item.ConsistsOf("@uri " + fields + " email customer_number")
		}
		full.Shows("name1 Kari", "name2 v/ Ola", "address1 Lia 2", "address2 H0101", "postal_code 5003", "postal_name Bergen", "country_code DK",
			"email kari@example.no", "customer_number 7")
		least.Shows("name2", "address1", "address2", "country_code NO", "email", "customer_number")
		c.Post("/customers", tag("customer")).Refused(422, "required name1", "required postal_code", "required postal_name")
	})
}

// TestInterfaceInvoice reads an invoice in list and detail.
func TestInterfaceInvoice(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer(kari, tag("name2", "v/ Ola"), tag("address2", "H0101"), tag("customer_number", t.Name()))
		invoice := c.invoices(order{to: customer.URI(), days: "0", note: "Takk for handelen", by: "EMAIL", copies: []string{"a@example.no", "b@example.no"}, lines: []string{
			line("Kaffe", "500", "2", "HIGH", tag("discount_percent", "10")), line("Kake", "33.3333", "0.5", "MEDIUM"),
		}})
		invoice.ConsistsOf("@uri @status invoice_number issue_date due_date num_due_days gross_amount net_amount invoice_note ocr_kid_number recipient lines shipments ar_transactions overdue_notices credit_notes")
		invoice.Shows("@status invoice_sent", "issue_date 2023-12-08", "due_date 2023-12-08", "num_due_days 0", "gross_amount 1144.17", "net_amount 916.67",
			"invoice_note Takk for handelen", "overdue_notices", "credit_notes", "ar_transactions/@balance 1144.17")
		recipient := invoice.Only("recipient").ConsistsOf("parent_recipient " + recipientFields)
		recipient.Shows("parent_recipient/@uri "+customer.URI(), "name1 Kari Nordmann", "name2 v/ Ola", "address1 Storgata 1", "address2 H0101", "postal_code 0155",
			"postal_name Oslo", "email kari@example.no", "customer_number "+t.Name(), "country_code NO")
		for _, l := range invoice.All("lines/line") {
			l.ConsistsOf(lineFields)
		}
		invoice.Shows("lines/line[1]/@index 1", "lines/line[1]/line_text Kaffe", "lines/line[1]/unit_price 500.00", "lines/line[1]/num_items 2", "lines/line[1]/discount_percent 10",
			"lines/line[1]/net_amount 900.00", "lines/line[1]/gross_amount 1125.00", "lines/line[1]/vat_rate HIGH", "lines/line[1]/vat_rate/@percent 25",
			"lines/line[2]/@index 2", "lines/line[2]/unit_price 33.3333", "lines/line[2]/num_items 0.5", "lines/line[2]/discount_percent", "lines/line[2]/vat_rate/@percent 15")
		invoice.Shows("shipments/shipment[1]/@type original", "shipments/shipment[1]/shipment_method EMAIL", "shipments/shipment[1]/recipient/address1 Storgata 1",
			"shipments/shipment[2]/@type copy", "shipments/shipment[2]/shipment_method EMAIL", "shipments/shipment[2]/recipient/email a@example.no", "shipments/shipment[3]/recipient/email b@example.no")
		for i, s := range invoice.All("shipments/shipment") {
			s.ConsistsOf("@type shipment_method sent_at recipient")
			s.Only("recipient").ConsistsOf(map[bool]string{true: recipientFields, false: "email"}[i == 0])
		}
		invoice.Only("ar_transactions").ConsistsOf("@balance ar_transaction").Only("ar_transaction").ConsistsOf(nestedEntry)

		in.at(t, "2023-12-09 00:01")
		reminder := c.notices(invoice, notice(false, false, false))
		later := c.again(invoice)
		for _, s := range later.All("shipments/shipment") {
			s.Shows("sent_at 2023-12-08 00:01:00")
		}
		later.Only("overdue_notices/overdue_notice").ConsistsOf("@uri issue_date due_date gross_amount is_incasso_notice sequence_number").
			Shows("@uri "+reminder.URI(), "issue_date 2023-12-09", "due_date 2023-12-23", "gross_amount 1144.17", "is_incasso_notice 0", "sequence_number 1")
		note := c.credits(invoice)
		c.again(invoice).Shows("credit_notes/credit_note/@uri " + note.URI())
		item := c.List(customer.URI() + "/invoices")[0].ConsistsOf(itemFields)
		item.Shows("@uri "+invoice.URI(), "@status invoice_paid", "invoice_number "+invoice.At("invoice_number"), "issue_date 2023-12-08", "due_date 2023-12-08", "gross_amount 1144.17", "net_amount 916.67")
	})
}

// TestInterfaceCreditNote reads a credit note in list and detail.
func TestInterfaceCreditNote(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), note: "Takk"})
		c.registers("-300", invoice)
		c.Put(customer.URI(), tag("customer", tag("address1", "Nyveien 2"))).Is(200)
		note := c.Post(invoice.URI()+"/credit_notes", tag("credit_note", shipments("EMAIL"), tag("comment", "Feil vare"))).Created()
		note.ConsistsOf("@uri @status invoice_number issue_date due_date num_due_days gross_amount net_amount invoice_note ocr_kid_number comment credited_invoice recipient lines shipments ar_transactions")
		note.Shows("due_date", "comment Feil vare", "credited_invoice/@uri "+invoice.URI(), "gross_amount 1250.00", "net_amount 1000.00", "issue_date "+in.Today().String(), "ar_transactions/@balance -300.00")
		// It goes to the customer as that is now.
		note.Only("recipient").ConsistsOf("@uri "+recipientFields).Shows("@uri "+customer.URI(), "address1 Nyveien 2")
		note.Only("lines/line").ConsistsOf(lineFields).Shows("@index 1", "gross_amount 1250.00")
		note.Shows("shipments/shipment/@type original", "shipments/shipment/shipment_method EMAIL", "shipments/shipment/recipient/address1 Nyveien 2")
		note.All("ar_transactions/ar_transaction")[0].ConsistsOf(nestedEntry)
		c.List("/credit_notes")[0].ConsistsOf(itemFields).Shows("@uri "+note.URI(), "@status not_paid", "due_date", "gross_amount 1250.00")
		c.List(customer.URI() + "/credit_notes")[0].Equals(c.List("/credit_notes")[0])
	})
}

// TestInterfaceOverdueNotice reads a notice in list and detail, and filters by its issue date.
func TestInterfaceOverdueNotice(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		in.at(t, "2023-12-21 00:01")
		c.registers("-250", invoice)
		n := c.notices(invoice, notice(false, true, true, tag("comment", "Siste varsel")))
		n.ConsistsOf("@uri issue_date due_date gross_amount comment ocr_kid_number recipient lines")
		n.Shows("issue_date 2023-12-21", "due_date 2024-01-04", "gross_amount 1005.23", "comment Siste varsel", "ocr_kid_number "+invoice.At("ocr_kid_number"))
		n.Only("recipient").ConsistsOf("@uri " + recipientFields).Shows("@uri " + customer.URI())
		lines := n.All("lines/line")
		for i, l := range lines {
			l.ConsistsOf("@index line_text gross_amount").Shows("@index " + string(rune('1'+i)))
		}
		same(t, "lines", texts(lines, "gross_amount"), []string{"1250.00", "-250.00", "5.23"})

		item := func(query string) (found []node) {
			for _, item := range c.List("/overdue_notices?" + query) {
				if item.URI() == n.URI() {
					found = append(found, item)
				}
			}
			return found
		}
		for query, finds := range map[string]int{
			"": 1, "from_date=2023-12-21": 1, "to_date=2023-12-21": 1, "from_date=2023-12-22": 0, "to_date=2023-12-20": 0, "from_date=2023-12-21&to_date=2023-12-21": 1,
		} {
			equal(t, "found by "+query, len(item(query)), finds)
		}
		item("")[0].ConsistsOf(noticeItemFields).Shows("issue_date 2023-12-21", "due_date 2024-01-04", "gross_amount 1005.23", "is_incasso_notice 1", "related_invoice/@uri "+invoice.URI())
	})
}

// TestInterfaceTransactions reads transactions of every type in list and detail, and filters by type and date.
func TestInterfaceTransactions(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		account := in.bankAccount()
		c := in.creditor(t, tag("bank_account", account))
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI()})
		manual := c.Post(invoice.URI()+"/ar_transactions", entry("-100", in.Today()-3, tag("comment", "Vipps"))).Created()
		manual.ConsistsOf("@uri transaction_date amount comment transaction_type invoice")
		manual.Shows("transaction_date "+(in.Today()-3).String(), "amount -100.00", "comment Vipps", "transaction_type PAYMENT", "invoice/@uri "+invoice.URI())
		c.bankReports(account, invoice.At("ocr_kid_number"))

		for kind, n := range map[string]int{"INVOICE": 1, "PAYMENT": 1, "OCR": 1, "CREDIT_NOTE": 0, "OVERDUE_CHARGE": 0, "INTEREST": 0} {
			found := c.List("/ar_transactions?transaction_type=" + kind)
			equal(t, "number of "+kind, len(found), n)
			for _, item := range found {
				item.ConsistsOf("@uri transaction_date amount transaction_type invoice").Shows("transaction_type "+kind, "invoice/@uri "+invoice.URI())
			}
		}
		c.Get("/ar_transactions?transaction_type=CASH").Refused(400, "unknown_transaction_type transaction_type")
		equal(t, "number until three days ago", len(c.List("/ar_transactions?to_date="+(in.Today()-3).String())), 1)
		equal(t, "number from two days ago", len(c.List("/ar_transactions?from_date="+(in.Today()-2).String())), 2)

		ocr := c.List("/ar_transactions?transaction_type=OCR")[0]
		c.again(ocr).ConsistsOf("@uri transaction_date amount comment from_account_number transaction_type invoice").
			Shows("amount -1250.00", "from_account_number "+payer, "transaction_date "+in.Today().String())
		nested := c.again(invoice).All("ar_transactions/ar_transaction")
		for i, fields := range []string{nestedEntry, nestedEntry, nestedOCREntry} {
			nested[i].ConsistsOf(fields)
		}
		// What the customer owes is the sum of all: negative, in the customer's favour.
		sum := 0
		for _, e := range c.List(customer.URI() + "/ar_transactions") {
			sum += e.Ore("amount")
		}
		equal(t, "what the customer owes", kroner(sum), "-100.00")
		c.Delete(ocr.URI()).Refused(409, "not_a_payment")
	})
}

// TestInterfaceEndpointsRecipients: an invoice goes to a customer that there is, or to one that it brings, who is always new.
func TestInterfaceEndpointsRecipients(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		c.invoices(order{to: customer.URI()}).Shows("recipient/parent_recipient/@uri " + customer.URI())
		equal(t, "number of customers", len(c.List("/customers")), 1)
		fresh := c.invoices(order{inline: kari})
		again := c.invoices(order{inline: kari + tag("name2", "x") + tag("country_code", "SE")}).Shows("recipient/name2 x", "recipient/country_code SE")
		customers := c.List("/customers")
		same(t, "customers", texts(customers, "@uri"), []string{customer.URI(), fresh.At("recipient/parent_recipient/@uri"), again.At("recipient/parent_recipient/@uri")})
		c.Post("/invoices", order{inline: tag("name2", "x")}.xml()).
			Refused(422, "required recipient/name1", "required recipient/address1", "required recipient/postal_code", "required recipient/postal_name")
		c.Post("/invoices", order{to: customer.URI() + "9"}.xml()).Refused(404, "not_found recipient")
	})
}

// TestInterfaceEndpoints makes every call of the tables in section "Endpoints", as it stands there: the status and
// what is answered.
func TestInterfaceEndpoints(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer, unused := c.customer(), c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		credited := c.invoices(order{to: customer.URI()})
		c.registers("-10", credited)
		in.at(t, "2023-12-09 00:01")
		answers := func(call, body string, status int, root string) node {
			t.Helper()
			method, path, _ := strings.Cut(call, " ")
			a := c.Send(method, path, body).Is(status)
			if root == "" {
				return node{}
			}
			equal(t, "what is answered to "+call, a.Root().Name(), root)
			return a.Root()
		}
		reminder := answers("POST "+invoice.URI()+"/overdue_notices", notice(false, false, false), 201, "overdue_notice")
		payment := answers("POST "+invoice.URI()+"/ar_transactions", entry("-1", in.Today(), tag("comment", "x")), 201, "ar_transaction")
		note := answers("POST "+credited.URI()+"/credit_notes", creditNote(), 201, "credit_note")
		payout := answers("POST "+note.URI()+"/ar_transactions", entry("1", in.Today(), tag("comment", "x")), 201, "ar_transaction")
		for _, test := range []struct {
			call, body string
			status     int
			root       string
		}{
			{"GET /invoices?search=x&from_date=2023-12-08&to_date=2023-12-08&status=all&page=1&per_page=10", "", 200, "invoices"},
			{"GET /invoices/", "", 200, "invoices"},
			{"GET " + invoice.URI(), "", 200, "invoice"},
			{"POST /invoices", order{to: customer.URI()}.xml(), 201, "invoice"},
			{"GET " + invoice.URI() + "/pdf", "", 200, ""},
			{"PUT " + invoice.URI(), order{}.xml(), 405, "errors"},
			{"DELETE " + invoice.URI(), "", 405, "errors"},
			{"GET /credit_notes?search=x&from_date=2023-12-08&to_date=2023-12-08&status=all&page=1&per_page=10", "", 200, "credit_notes"},
			{"GET " + note.URI(), "", 200, "credit_note"},
			{"GET " + note.URI() + "/pdf", "", 200, ""},
			{"PUT " + note.URI(), creditNote(), 405, "errors"},
			{"DELETE " + note.URI(), "", 405, "errors"},
			{"GET /overdue_notices?from_date=2023-12-08&to_date=2023-12-08&page=1&per_page=10", "", 200, "overdue_notices"},
			{"GET " + reminder.URI(), "", 200, "overdue_notice"},
			{"GET " + reminder.URI() + "/pdf", "", 200, ""},
			{"PUT " + reminder.URI(), notice(false, false, false), 405, "errors"},
			{"DELETE " + reminder.URI(), "", 405, "errors"},
			{"GET /customers?search=x&page=1&per_page=10", "", 200, "customers"},
			{"GET " + customer.URI(), "", 200, "customer"},
			{"POST /customers", tag("customer", kari), 201, "customer"},
			{"PUT " + customer.URI(), tag("customer", tag("name2", "x")), 200, "customer"},
			{"DELETE " + unused.URI(), "", 204, ""},
			{"GET " + customer.URI() + "/invoices", "", 200, "invoices"},
			{"GET " + customer.URI() + "/credit_notes", "", 200, "credit_notes"},
			{"GET " + customer.URI() + "/ar_transactions", "", 200, "ar_transactions"},
			{"GET /ar_transactions?transaction_type=INVOICE&from_date=2023-12-08&to_date=2023-12-08&page=1&per_page=10", "", 200, "ar_transactions"},
			{"GET " + payment.URI(), "", 200, "ar_transaction"},
			{"PUT " + payment.URI(), entry("-2", in.Today()), 405, "errors"},
			{"DELETE " + payment.URI(), "", 204, ""},
			{"DELETE " + payout.URI(), "", 204, ""},
		} {
			answers(test.call, test.body, test.status, test.root)
		}
	})
}

// TestInterfaceErrors meets the seven conditions of section "Errors", in its order.
func TestInterfaceErrors(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		eight := strings.Split(strings.Repeat(line("x", "1", "1", "HIGH")+"|", 8), "|")[:8]
		complete := order{}.xml()
		without := func(name string) string {
			from, to := strings.Index(complete, "<"+name), strings.Index(complete, "</"+name+">")+len("</"+name+">")
			return complete[:from] + complete[to:]
		}
		for _, part := range []string{"lines", "num_due_days", "shipments", "recipient"} {
			c.Post("/invoices", without(part)).Refused(422, "required "+part)
		}
		copyOnly := strings.Replace(complete, shipments(""), strings.Replace(shipments("", "a@example.no"), tag(`shipment type="original"`, tag("shipment_method", "PAPER")), "", 1), 1)
		c.Post("/invoices", copyOnly).Refused(422, "required shipments")

		c.Post("/invoices", order{lines: append(eight[:8:8], eight[0])}.xml()).Refused(422, "too_many_lines lines")
		customer := c.customer(tag("name1", "Uten Adresse"), tag("address1", "Lia 2"), tag("postal_code", "5003"), tag("postal_name", "Bergen"))
		invoice := c.invoices(order{to: customer.URI(), lines: eight})
		equal(t, "number of lines", len(invoice.All("lines/line")), 8)

		c.Post("/invoices", order{to: customer.URI(), by: "EMAIL"}.xml()).Refused(422, "email_required recipient")
		c.Post("/invoices", order{inline: tag("name1", "x") + tag("address1", "x") + tag("postal_code", "1") + tag("postal_name", "x"), by: "EMAIL"}.xml()).
			Refused(422, "email_required recipient/email")
		c.Post(invoice.URI()+"/credit_notes", tag("credit_note", shipments("EMAIL"))).Refused(422, "email_required shipments/shipment[1]/shipment_method")
		c.Post(invoice.URI()+"/credit_notes", tag("credit_note")).Refused(422, "required shipments")

		c.refuses(invoice, notice(false, false, false), "not_overdue") // the others are TestD27ConditionsOfANotice's
		c.Delete(customer.URI()).Refused(409, "customer_has_invoices")
		for _, e := range invoice.All("ar_transactions/ar_transaction") {
			c.Delete(e.URI()).Refused(409, "not_a_payment")
			c.Put(e.URI(), entry("-1", in.Today())).Refused(405, "method_not_allowed")
		}
		for _, method := range []string{http.MethodPut, http.MethodDelete} {
			c.Send(method, invoice.URI(), complete).Refused(405, "method_not_allowed")
		}

		c.Put(customer.URI(), tag("customer", tag("email", "ny@example.no"))).Is(200)
		c.Post(invoice.URI()+"/credit_notes", tag("credit_note", shipments("EMAIL"))).Created().Shows("shipments/shipment/recipient/email ny@example.no")
		c.invoices(order{to: customer.URI(), by: "EMAIL"})
		unused := c.customer()
		c.Delete(unused.URI()).Is(http.StatusNoContent)
		c.Get(unused.URI()).Refused(404, "not_found")
	})
}

// TestInterfaceLimits tries per_page and page on their borders, and how many items come when nothing is said.
func TestInterfaceLimits(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.customer()
		c.Get("/customers?per_page=1").Shown().Shows("@per_page 1", "@total_pages 1", "@page 1")
		c.Get("/customers?per_page=1000").Shown().Shows("@per_page 1000")
		c.Get("/customers?per_page=0").Refused(400, "out_of_range per_page")
		c.Get("/customers?per_page=1001").Refused(400, "out_of_range per_page")
		const one = "<customer><name1>x</name1><postal_code>1</postal_code><postal_name>x</postal_name></customer>"
		for range 100 {
			c.Post("/customers", one).Is(http.StatusCreated)
		}
		first := c.Get("/customers").Shown().Shows("@total_pages 2")
		equal(t, "number of items on the first page", len(first.Nodes()), 100)
		equal(t, "number of items on the second", len(c.Get("/customers?page=2").Shown().Nodes()), 1)
	})
}

// TestInterfaceVersioning: the version is in the path, and the change log's entries hold.
func TestInterfaceVersioning(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		for _, path := range []string{"//invoices", "//api/invoices", "//api/v2/invoices", "//v1/invoices"} {
			c.Get(path).Is(http.StatusNotFound)
		}
		c.invoices(order{to: customer.URI()})
		c.again(customer).Shows("no invoices", "no credit_notes", "no ar_transactions")
		for _, list := range []string{"/invoices", "/credit_notes", "/ar_transactions"} {
			c.Get(customer.URI() + list).Shown()
		}
		c.Get("/ar_transactions?from_date=2011-09-16&to_date=2099-12-31").Shown().Shows("ar_transaction/amount 1250.00")
	})
}
