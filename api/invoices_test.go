package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/models"
)

// order is an invoice's body whose elements a test replaces.
func order(in *installation, replace ...string) string {
	parts := map[string]string{
		"num_due_days": `<num_due_days>14</num_due_days>`,
		"recipient":    `<recipient uri="` + in.http.URL + `/api/v1/customer/1"/>`,
		"lines":        `<lines>` + line() + `</lines>`,
		"shipments":    `<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments>`,
		"more":         "",
	}
	for i := 0; i < len(replace); i += 2 {
		parts[replace[i]] = replace[i+1]
	}
	return "<invoice>" + parts["num_due_days"] + parts["recipient"] + parts["lines"] + parts["shipments"] + parts["more"] + "</invoice>"
}

// line is a line whose elements a test replaces.
func line(replace ...string) string {
	elements := []string{"line_text", "Kaffe", "unit_price", "100", "num_items", "1", "vat_rate", "HIGH"}
	for i := 0; i < len(replace); i += 2 {
		if at := slices.Index(elements, replace[i]); at >= 0 {
			elements[at+1] = replace[i+1]
		} else {
			elements = append(elements, replace[i], replace[i+1])
		}
	}
	var b strings.Builder
	for i := 0; i < len(elements); i += 2 {
		if elements[i+1] != "-" {
			fmt.Fprintf(&b, "<%s>%s</%s>", elements[i], elements[i+1], elements[i])
		}
	}
	return "<line>" + b.String() + "</line>"
}

func TestInvoiceThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.make("/api/v1/customers", `<customer><name1>Uten e-post</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`)
	inline := func(inner string) string { return `<recipient>` + inner + `</recipient>` }
	const address = `<address1>A 1</address1><postal_code>1</postal_code><postal_name>Oslo</postal_name>`
	original := func(method string) string {
		return `<shipment type="original"><shipment_method>` + method + `</shipment_method></shipment>`
	}
	for _, test := range []struct {
		name, body, want string
	}{
		{"nothing at all", `<invoice/>`, "required@num_due_days required@recipient required@shipments required@lines"},
		{"no line", order(in, "lines", `<lines/>`), "required@lines"},
		{"nine lines", order(in, "lines", `<lines>`+strings.Repeat(line(), 9)+`</lines>`), "too_many_lines@lines"},
		{
			"a line without anything", order(in, "lines", `<lines><line/></lines>`),
			"required@lines/line[1]/unit_price required@lines/line[1]/num_items required@lines/line[1]/vat_rate required@lines/line[1]/line_text",
		},
		{"a price with five decimals", order(in, "lines", `<lines>`+line("unit_price", "1.00001")+`</lines>`), "invalid_number@lines/line[1]/unit_price"},
		{"a discount above 100", order(in, "lines", `<lines>`+line("discount_percent", "100.01")+`</lines>`), "out_of_range@lines/line[1]/discount_percent"},
		{"an unknown VAT rate", order(in, "lines", `<lines>`+line("vat_rate", "25")+`</lines>`), "invalid_vat_rate@lines/line[1]/vat_rate"},
		{"a total of zero", order(in, "lines", `<lines>`+line("unit_price", "0")+`</lines>`), "amount_not_positive@lines"},
		{"a total beyond the most", order(in, "lines", `<lines>`+line("unit_price", "9999999999")+`</lines>`), "amount_too_large@lines/line[1]"},
		{"a line text of 251 characters", order(in, "lines", `<lines>`+line("line_text", strings.Repeat("ø", 251))+`</lines>`), "too_long@lines/line[1]/line_text"},
		{"a bell in a line text", order(in, "lines", `<lines>`+line("line_text", "a&#x7F;")+`</lines>`), "control_character@lines/line[1]/line_text"},
		{"a note of 2001 characters", order(in, "more", `<invoice_note>`+strings.Repeat("x", 2001)+`</invoice_note>`), "too_long@invoice_note"},
		{"due after 366 days", order(in, "num_due_days", `<num_due_days>366</num_due_days>`), "out_of_range@num_due_days"},
		{"due before it is sent", order(in, "num_due_days", `<num_due_days>-1</num_due_days>`), "out_of_range@num_due_days"},
		{"due after half a day", order(in, "num_due_days", `<num_due_days>0.5</num_due_days>`), "invalid_number@num_due_days"},
		{"a recipient without anything", order(in, "recipient", `<recipient/>`), "required@recipient"},
		{
			"a recipient without an address", order(in, "recipient", inline(`<name1>Ola</name1>`)),
			"required@recipient/address1 required@recipient/postal_code required@recipient/postal_name",
		},
		{"a recipient that is old and new", order(in, "recipient", `<recipient uri="/api/v1/customer/1"><name1>Ola</name1></recipient>`), "differs@recipient/name1"},
		{"a recipient from nowhere", order(in, "recipient", inline(`<name1>Ola</name1>`+address+`<country_code>XX</country_code>`)), "invalid_country@recipient/country_code"},
		{"EMAIL to a customer without an address", order(in, "shipments", `<shipments>`+original("EMAIL")+`</shipments>`), "email_required@recipient"},
		{"EMAIL to a new customer without an address", order(in, "recipient", inline(`<name1>Ola</name1>`+address), "shipments", `<shipments>`+original("EMAIL")+`</shipments>`), "email_required@recipient/email"},
		{
			"EMAIL without an address and due too late", order(in, "shipments", `<shipments>`+original("EMAIL")+`</shipments>`, "num_due_days", `<num_due_days>999</num_due_days>`),
			"out_of_range@num_due_days email_required@recipient",
		},
		{"a fax", order(in, "shipments", `<shipments>`+original("FAX")+`</shipments>`), "invalid_shipment_method@shipments/shipment[1]/shipment_method"},
		{"two originals", order(in, "shipments", `<shipments>`+original("PAPER")+original("PAPER")+`</shipments>`), "duplicate_element@shipments/shipment[2]"},
		{"a copy alone", order(in, "shipments", `<shipments><shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>a@b.no</email></recipient></shipment></shipments>`), "required@shipments"},
		{
			"a copy on paper", order(in, "shipments", `<shipments>`+original("PAPER")+`<shipment type="copy"><shipment_method>PAPER</shipment_method><recipient><email>a@b.no</email></recipient></shipment></shipments>`),
			"invalid_shipment_method@shipments/shipment[2]/shipment_method",
		},
		{
			"a copy to nobody", order(in, "shipments", `<shipments>`+original("PAPER")+`<shipment type="copy"><shipment_method>EMAIL</shipment_method></shipment></shipments>`),
			"required@shipments/shipment[2]/recipient/email",
		},
		{
			"an original with a recipient of its own", order(in, "shipments", `<shipments><shipment type="original"><shipment_method>PAPER</shipment_method><recipient><name1>Kari</name1></recipient></shipment></shipments>`),
			"differs@shipments/shipment[1]/recipient",
		},
		{"an element of the answer", order(in, "more", `<invoice_number>7</invoice_number>`), "differs@invoice_number"},
		{"a note twice", order(in, "more", `<invoice_note/><invoice_note/>`), "duplicate_element@invoice_note[2]"},
		{"text between the elements", order(in, "more", `oops`), "unexpected_text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in.send("POST", "/api/v1/invoices", test.body).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
	if n := in.get("/api/v1/invoices").xml(t).find("invoice"); len(n) != 0 {
		t.Errorf("%d invoices were made", len(n))
	}
	in.make("/api/v1/invoices", order(in))
	if got := in.get("/api/v1/invoice/1").xml(t).at("invoice_number"); got != "1" {
		t.Errorf("the refused invoices used up numbers: the first is %s", got)
	}
}

func TestD13AmountsOfALine(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.customer()
	body := order(in, "lines", `<lines>`+line("unit_price", "0.125", "num_items", "3", "vat_rate", "MEDIUM", "discount_percent", "0")+
		line("unit_price", "-0.005", "num_items", "1", "vat_rate", "NONE")+line("unit_price", "10", "num_items", "0.333", "vat_rate", "LOW", "discount_percent", "33.33")+`</lines>`)
	detail := in.send("POST", "/api/v1/invoices", body).xml(t)
	var got []string
	for _, l := range detail.find("lines")[0].find("line") {
		got = append(got, l.at("net_amount")+" "+l.at("gross_amount")+" "+l.at("discount_percent"))
	}
	if want := "0.38 0.44 0, -0.01 -0.01 , 2.22 2.40 33.33"; strings.Join(got, ", ") != want {
		t.Errorf("net, gross and discount are %s, want %s", strings.Join(got, ", "), want)
	}
	if got := detail.at("net_amount") + " " + detail.at("gross_amount"); got != "2.59 2.83" {
		t.Errorf("the totals are %s", got)
	}
}

func TestD15TodayIsTheCreditorsOwn(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.clock.Set(time.Date(2026, time.March, 2, 23, 30, 0, 0, time.UTC))
	if got := in.get(in.invoice("0")).xml(t).at("issue_date"); got != "2026-03-03" {
		t.Errorf("half past midnight in Oslo the invoice is of %s", got)
	}
}

func TestD17InvoiceKeepsItsRecipient(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer := in.customer()
		invoice := in.make("/api/v1/invoices", invoiceBody(customer, "14"))
		in.send("PUT", customer, `<customer><name1>Kari Hansen</name1></customer>`).is(t, http.StatusOK)
		detail := in.get(invoice).xml(t)
		if got := detail.at("recipient/name1"); got != "Kari Nordmann" {
			t.Errorf("the invoice's recipient became %s", got)
		}
		if got := detail.at("recipient/parent_recipient/@uri"); got != customer {
			t.Errorf("parent_recipient is %s, want %s", got, customer)
		}
	})
}

func TestD19SearchOfInvoices(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		for _, name := range []string{"Ærlig Østvåg 100%", "Kari Nordmann", "Firma 3 AS"} {
			in.make("/api/v1/invoices", order(in, "recipient", `<recipient><name1>`+name+`</name1><name2>v/ B_ta</name2><address1>A</address1><postal_code>1</postal_code><postal_name>Oslo</postal_name></recipient>`))
		}
		for _, test := range []struct{ search, want string }{
			{"", "1 2 3"},
			{"ærlig øst", "1"},
			{"ØSTVÅG", "1"},
			{"2", "2"},
			{"3", "3"},
			{"100%", "1"},
			{"%", "1"},
			{"b_TA", "1 2 3"},
			{"b-ta", ""},
			{"nordmann", "2"},
			{"00", "1"},
		} {
			var numbers []string
			for _, i := range in.get("/api/v1/invoices?search=" + url.QueryEscape(test.search)).xml(t).find("invoice") {
				numbers = append(numbers, i.at("invoice_number"))
			}
			if got := strings.Join(numbers, " "); got != test.want {
				t.Errorf("search %q finds %q, want %q", test.search, got, test.want)
			}
		}
	})
}

// One invoice is sent on each of five days and none is paid. On every day all lists, details and filters show the
// same status.
func TestD26StatusIsTheSameEverywhereEveryDay(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		for _, days := range []string{"0", "1", "7", "14", "30"} {
			in.invoice(days)
		}
		in.make("/api/v1/invoice/1/ar_transactions", `<ar_transaction><amount>-1250</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`)
		meta := map[string][]models.Status{
			"overdue":                      {models.InvoiceOverdue, models.InvoiceOverdueChargeable, models.OverdueNoticeOverdue, models.DebtCollectionNoticeOverdue},
			"waiting":                      {models.InvoiceSent, models.OverdueNoticeSent, models.DebtCollectionNoticeSent},
			"paid":                         {models.InvoicePaid},
			"all":                          models.Statuses,
			"invoice_sent|invoice_overdue": {models.InvoiceSent, models.InvoiceOverdue},
		}
		for _, s := range models.Statuses {
			meta[string(s)] = []models.Status{s}
		}
		for _, days := range []int{0, 1, 1, 5, 1, 6, 1, 1, 5, 9, 1} {
			in.pass(days)
			statuses := map[string]models.Status{}
			for _, i := range in.get("/api/v1/invoices").xml(t).find("invoice") {
				statuses[i.at("@uri")] = models.Status(i.at("@status"))
				if detail := in.get(i.at("@uri")).xml(t).at("@status"); detail != i.at("@status") {
					t.Errorf("%s is %s in the list and %s in its detail", i.at("@uri"), i.at("@status"), detail)
				}
			}
			for value, takes := range meta {
				found := in.get("/api/v1/invoices?status=" + url.QueryEscape(value)).xml(t).find("invoice")
				want := 0
				for _, s := range statuses {
					if slices.Contains(takes, s) {
						want++
					}
				}
				if len(found) != want {
					t.Errorf("on %s status=%s finds %d invoices, want %d of %v", in.clock.Now(), value, len(found), want, statuses)
				}
			}
		}
	})
}

// While payments come and go, an invoice's balance is the sum of the transactions beside it.
func TestD33BalanceAgreesWithItsTransactionsAtEveryMoment(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("14")
		done := make(chan struct{})
		var paying sync.WaitGroup
		paying.Go(func() {
			defer close(done)
			for range 15 {
				payment := in.make(invoice+"/ar_transactions", `<ar_transaction><amount>-1250</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`)
				in.send("DELETE", payment, "").is(t, http.StatusNoContent)
			}
		})
		for reading := true; reading; {
			select {
			case <-done:
				reading = false
			default:
			}
			detail := in.get(invoice).xml(t)
			var sum models.Amount
			for _, e := range detail.find("ar_transactions")[0].find("ar_transaction") {
				amount, err := models.ParseAmount(e.at("amount"))
				must(t, err)
				sum += amount
			}
			status := "invoice_sent"
			if sum == 0 {
				status = "invoice_paid"
			}
			if got := detail.at("ar_transactions/@balance"); got != sum.String() || detail.at("@status") != status {
				t.Fatalf("the balance is %s and the status %s, the transactions add up to %s", got, detail.at("@status"), sum)
			}
		}
		paying.Wait()
	})
}

func TestD35PDFIsTheSameEverAfter(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		in.pass(20)
		notice := in.make(invoice+"/overdue_notices", `<overdue_notice/>`)
		credit := in.make(invoice+"/credit_notes", creditBody)
		for uri, name := range map[string]string{invoice: "invoice-1.pdf", notice: "overdue_notice-1.pdf", credit: "credit_note-2.pdf"} {
			first := in.get(uri + "/pdf")
			first.is(t, http.StatusOK)
			if first.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(first.body, "%PDF-") {
				t.Errorf("%s/pdf is %s", uri, first.header.Get("Content-Type"))
			}
			if got := first.header.Get("Content-Disposition"); got != `inline; filename="`+name+`"` {
				t.Errorf("%s/pdf is %s", uri, got)
			}
			if again := in.get(uri + "/pdf"); again.body != first.body {
				t.Errorf("%s/pdf changed", uri)
			}
		}
	})
}

func TestQueueIsToldOfEachDocument(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	invoice := in.invoice("0")
	in.pass(20)
	in.make(invoice+"/overdue_notices", `<overdue_notice/>`)
	in.make(invoice+"/credit_notes", creditBody)
	must(t, in.server.Close())
	want := []models.Document{{Kind: models.InvoiceDocument, ID: 1}, {Kind: models.NoticeDocument, ID: 1}, {Kind: models.CreditNoteDocument, ID: 1}}
	got := in.queue.all()
	slices.SortFunc(got, func(a, b models.Document) int { return slices.Index(want, a) - slices.Index(want, b) })
	if !slices.Equal(got, want) {
		t.Errorf("the queue was told of %v, want %v", got, want)
	}
}
