package api_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/api"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// foreignBodies are bodies for the paths with another creditor's ID, such as the owner could send.
var foreignBodies = map[string]string{
	"POST /api/v1/invoice/{id}/credit_notes/":        creditBody,
	"POST /api/v1/invoice/{id}/overdue_notices/":     `<overdue_notice/>`,
	"POST /api/v1/invoice/{id}/ar_transactions/":     `<ar_transaction><amount>-1</amount><transaction_date>2026-03-03</transaction_date></ar_transaction>`,
	"POST /api/v1/invoice/{id}/close":                `<close><reason>lost</reason></close>`,
	"POST /api/v1/invoice/{id}/copy":                 `<copy><shipment_method>PAPER</shipment_method></copy>`,
	"POST /api/v1/credit_note/{id}/copy":             `<copy><shipment_method>PAPER</shipment_method></copy>`,
	"POST /api/v1/overdue_notice/{id}/copy":          `<copy><shipment_method>PAPER</shipment_method></copy>`,
	"POST /api/v1/invoice/{id}/reopen":               `<reopen/>`,
	"POST /api/v1/invoice/{id}/debt_collection":      `<debt_collection/>`,
	"PUT /api/v1/invoice/{id}/dunning_hold":          `<dunning_hold/>`,
	"PUT /api/v1/invoice/{id}/more_time":             `<more_time><until>2026-12-01</until></more_time>`,
	"PUT /api/v1/invoice/{id}/acknowledged":          `<acknowledged><date>2026-03-02</date></acknowledged>`,
	"PUT /api/v1/invoice/{id}/payment_plan":          `<payment_plan><instalment due_date="2026-12-01" amount="1250.00"/></payment_plan>`,
	"POST /api/v1/credit_note/{id}/ar_transactions/": `<ar_transaction><amount>1</amount><transaction_date>2026-03-03</transaction_date></ar_transaction>`,
	"PUT /api/v1/adopted_invoice/{id}":               `<adopted_invoice><balance>1</balance></adopted_invoice>`,
	"PUT /api/v1/customer/{id}":                      `<customer><name1>X</name1></customer>`,
	"PUT /api/v1/customer/{id}/dunning_hold":         `<dunning_hold/>`,
	"POST /api/v1/customer/{id}/forget":              `<forget/>`,
	"POST /api/v1/audit/{id}/repay":                  `<repay/>`,
	"POST /api/v1/customer/{id}/settle":              `<settle/>`,
	"POST /api/v1/invoice/{id}/move_credit":          `<move_credit><invoice uri="/api/v1/invoice/2"/><amount>1</amount></move_credit>`,
	"POST /api/v1/invoice/{id}/waive_charges":        `<waive_charges/>`,
	"POST /api/v1/customer/{id}/repayments/":         `<repayment><amount>1</amount><account>86011117947</account></repayment>`,
	"POST /api/v1/repayment_file/{id}/paid":          `<paid/>`,
	"POST /api/v1/customer/{id}/statement":           `<statement><email>kari@example.no</email></statement>`,
	"POST /api/v1/customer/{id}/ehf":                 ``,
	"POST /api/v1/shipment/{id}/retry":               `<retry/>`,
	"PUT /api/v1/webhook/{id}":                       `<webhook><enabled>0</enabled></webhook>`,
	"POST /api/v1/unmatched_payment/{id}/match":      `<match><invoice uri="/api/v1/invoice/1"/></match>`,
	"POST /api/v1/unmatched_payment/{id}/unmatch":    `<unmatch/>`,
	"POST /api/v1/unmatched_payment/{id}/dismiss":    `<dismiss><comment>not ours</comment></dismiss>`,
	"POST /api/v1/unmatched_payment/{id}/reopen":     `<reopen/>`,
	"POST /api/v1/unmatched_payment/{id}/not_payer":  `<not_payer><customer uri="/api/v1/customer/1"/></not_payer>`,
	"POST /api/v1/dunning_run/{id}/approve":          `<approve/>`,
	"POST /api/v1/webhook/{id}/secret":               `<secret/>`,
	"POST /api/v1/webhook_delivery/{id}/redeliver":   `<redeliver/>`,
}

// foreignURIs are bodies with the URI of another creditor's resource, by path. A %s is a resource of the creditor's
// own, where one is needed.
var foreignURIs = map[string]func(own, other *world) (path, body string){
	"POST /api/v1/invoices/": func(_, other *world) (string, string) {
		return "/api/v1/invoices", invoiceBody(other.uri("customer"), "14")
	},
	"POST /api/v1/adopted_invoices/": func(_, other *world) (string, string) {
		return "/api/v1/adopted_invoices", `<adopted_invoice><invoice_number>2</invoice_number><issue_date>2026-01-05</issue_date><due_date>2026-01-19</due_date>
			<gross_amount>500</gross_amount><balance>500</balance><kid>1230</kid><recipient uri="` + other.uri("customer") + `"/></adopted_invoice>`
	},
	"POST /api/v1/audits/": func(_, other *world) (string, string) {
		return "/api/v1/audits", `<audit><customer_id>` + other.owned["customer"][0] + `</customer_id></audit>`
	},
	"POST /api/v1/unmatched_payment/{id}/not_payer": func(own, other *world) (string, string) {
		return own.uri("unmatched_payment") + "/not_payer", `<not_payer><customer uri="` + other.uri("customer") + `"/></not_payer>`
	},
	"POST /api/v1/unmatched_payment/{id}/match": func(own, other *world) (string, string) {
		return own.uri("unmatched_payment") + "/match", `<match><invoice uri="` + other.uri("invoice") + `"/></match>`
	},
	"POST /api/v1/invoice/{id}/move_credit": func(own, other *world) (string, string) {
		return own.uri("invoice") + "/move_credit", `<move_credit><invoice uri="` + other.uri("invoice") + `"/><amount>1</amount></move_credit>`
	},
}

// without are the other paths without an ID that change something: they change what belongs to the key's creditor.
var without = []string{"POST /api/v1/customers/", "POST /api/v1/collection_reports/", "POST /api/v1/payment_files/", "POST /api/v1/repayment_files/", "POST /api/v1/account_exports/", "POST /api/v1/webhooks/", "PUT /api/v1/creditor", "GET /api/v1/creditor/ways", "PUT /api/v1/creditor/ways", "GET /api/v1/creditor/logo", "PUT /api/v1/creditor/logo", "DELETE /api/v1/creditor/logo", "PUT /api/v1/dunning_rules", "POST /api/v1/test_clock", "GET /api/v1/openapi.json"}

// TestD2NoPathReachesAnotherCreditor tries every route on the resources of another creditor.
func TestD2NoPathReachesAnotherCreditor(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		in := install(t, databaseURL, func(c *api.Config) { c.TestClock = &stillClock{start} }).admin()
		owner, other := in.world("Kari Nordmann", "86011117947"), in.another("Fremmed AS").admin().world("Per Fremmed", "98765432103")
		all := openDump(t, databaseURL)
		for _, route := range in.server.Routes() {
			owner.may(t, route)
		}
		must(t, in.server.Close()) // all uses of keys are noted
		before := all.of(owner.creditor, other.creditor)
		for _, route := range in.server.Routes() {
			t.Run(route, func(t *testing.T) { other.mayNot(t, route, owner) })
		}
		t.Run("the same bank file", func(t *testing.T) {
			r := other.send("POST", "/api/v1/payment_files", owner.file, header("Content-Type", "text/plain"))
			r.is(t, http.StatusCreated)
			if r.xml(t).at("matched/@transactions") != "0" {
				t.Errorf("it is matched: %s", r.body)
			}
		})
		for _, difference := range differences(before, all.of(owner.creditor, other.creditor)) {
			t.Errorf("of the other creditor's: %s", difference)
		}
	})
}

// may reads a resource of w's own.
func (w *world) may(t *testing.T, route string) {
	t.Helper()
	path, isRead := strings.CutPrefix(route, "GET ")
	kind, _, hasID := strings.Cut(strings.TrimPrefix(path, "/api/v1/"), "/{id}")
	if isRead && hasID {
		status := http.StatusOK
		if strings.Contains(path, "/overdue_notice_preview/") { // the invoice is handed over
			status = http.StatusConflict
		}
		w.get(strings.Replace(path, "{id}", w.id(t, kind), 1)).is(t, status)
	}
}

// mayNot tries a route as w on a resource of the owner's.
func (w *world) mayNot(t *testing.T, route string, owner *world) {
	method, path, _ := strings.Cut(route, " ")
	kind, _, hasID := strings.Cut(strings.TrimPrefix(path, "/api/v1/"), "/{id}")
	if hasID {
		body, known := foreignBodies[route]
		if !known && (method == "POST" || method == "PUT") {
			t.Fatal("there is no body for it in foreignBodies")
		}
		path := strings.Replace(path, "{id}", owner.id(t, kind), 1)
		w.send(method, path, body).refused(t, http.StatusNotFound, "not_found")
	}
	refer, takesURI := foreignURIs[route]
	if takesURI {
		path, body := refer(w, owner)
		r := w.send(method, path, body)
		if r.status != http.StatusNotFound && r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `code="not_found"`) {
			t.Errorf("a uri of another creditor is answered %d: %s", r.status, r.body)
		}
	}
	switch {
	case hasID || takesURI || slices.Contains(without, route):
	case method == "GET":
		w.mayNotSee(t, path, owner)
	default:
		t.Error("it is neither in foreignURIs nor among those that need no case")
	}
}

// mayNotSee reads a list or a resource of the creditor's own.
func (w *world) mayNotSee(t *testing.T, path string, owner *world) {
	queries := []string{""}
	if path == "/api/v1/invoices/" || path == "/api/v1/credit_notes/" || path == "/api/v1/customers/" {
		queries = append(queries, "?search=Kari", "?search=Nordmann", "?search=1", "?search=2")
	}
	if path == "/api/v1/reports/month" {
		queries = []string{"?month=2026-03"}
	}
	if path == "/api/v1/search" {
		queries = []string{"?q=nordman", "?q=1", "?q=2", "?q=987654325"}
	}
	for _, query := range queries {
		r := w.get(path + query)
		r.is(t, http.StatusOK)
		for _, kind := range slices.Sorted(maps.Keys(owner.owned)) {
			for _, id := range owner.owned[kind] {
				if strings.Contains(r.body, "/api/v1/"+kind+"/"+id+`"`) {
					t.Errorf("%s shows another creditor's %s %s: %s", query, kind, id, r.body)
				}
			}
		}
		for _, mark := range []string{"Kari", "Nordmann", owner.creditor.Name, "86011117947"} {
			if strings.Contains(r.body, mark) {
				t.Errorf("%s shows another creditor's %s: %s", query, mark, r.body)
			}
		}
	}
}

// world is a creditor with at least one resource of each kind.
type world struct {
	*installation
	owned map[string][]string // IDs by the kind of resource that paths and uris name
	file  string              // from the bank
}

// world gives the creditor a resource of each kind, all of one customer.
func (in *installation) world(customer, account string) *world {
	in.t.Helper()
	w := &world{installation: in, owned: map[string][]string{}}
	in.send("PUT", "/api/v1/creditor", `<creditor><organisation_number>974760673</organisation_number><vat_registered>1</vat_registered><ehf_default_reference>x</ehf_default_reference></creditor>`).is(in.t, http.StatusOK)
	in.account(account)
	in.make("/api/v1/webhooks", `<webhook><url>https://example.no/hook</url></webhook>`)
	person := in.make("/api/v1/customers", `<customer><name1>`+customer+`</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><organisation_number>987654325</organisation_number></customer>`)
	in.send("PUT", "/api/v1/creditor", `<creditor><first_number>10</first_number></creditor>`).is(in.t, http.StatusOK)
	var invoices []string
	for range 3 {
		invoices = append(invoices, in.make("/api/v1/invoices", invoiceBody(person, "14")))
	}
	w.adopt(person, account)
	for _, i := range invoices { // the first one's ends with its hand-over
		in.send("PUT", i+"/payment_plan", `<payment_plan><instalment due_date="2026-12-01" amount="1250.00"/></payment_plan>`).is(in.t, http.StatusOK)
	}
	in.pass(20)
	in.make(invoices[0]+"/overdue_notices", `<overdue_notice/>`)
	rows.Send(in.t, in.db, in.creditor)
	in.send("POST", invoices[0]+"/debt_collection", "").is(in.t, http.StatusOK)
	in.make(invoices[1]+"/ar_transactions", `<ar_transaction><amount>-1</amount><transaction_date>2026-03-03</transaction_date></ar_transaction>`)
	in.make(invoices[1]+"/credit_notes", creditBody)
	w.file = in.bankFile(account, in.get(invoices[2]).xml(in.t).at("ocr_kid_number"))
	in.send("POST", "/api/v1/payment_files", w.file, header("Content-Type", "text/plain")).is(in.t, http.StatusCreated)
	in.make(person+"/repayments", `<repayment><amount>1</amount><account>12345678903</account></repayment>`)
	in.make("/api/v1/repayment_files", "")
	in.make("/api/v1/account_exports", `<account_export><from>2026-03-02</from><to>2026-03-02</to></account_export>`)
	in.send("POST", "/api/v1/audits", "").is(in.t, http.StatusAccepted)
	in.shareLetter(invoices[2])
	in.holdRun()
	in.send("PUT", "/api/v1/dunning_rules", `<dunning_rule><kind>compensation</kind><from>2027-01-01</from><value>440</value><source>`+account+`</source></dunning_rule>`).is(in.t, http.StatusOK)
	w.look()
	for _, found := range uriForm.FindAllStringSubmatch(in.get(invoices[0]+"/payment_plan").body, 1) {
		w.owned[found[1]] = append(w.owned[found[1]], found[2])
	}
	return w
}

// adopt has the creditor follow an invoice of another system, whose number is the last digit of its account.
func (w *world) adopt(person, account string) {
	number := account[10:]
	w.make("/api/v1/adopted_invoices", `<adopted_invoice><invoice_number>`+number+`</invoice_number><issue_date>2026-01-05</issue_date><due_date>2026-01-19</due_date>
		<gross_amount>500</gross_amount><balance>500</balance><kid>`+models.NewKID("77777"+number, models.Modulus10)+`</kid><recipient uri="`+person+`"/></adopted_invoice>`)
	w.owned["adopted_invoice"] = []string{number}
}

// shareLetter makes a letter of which an invoice has a notice.
func (in *installation) shareLetter(uri string) {
	in.t.Helper()
	id, err := strconv.ParseInt(uri[strings.LastIndexByte(uri, '/')+1:], 10, 64)
	must(in.t, err)
	rows.Write(in.t, in.db, func(tx *store.Tx) error {
		invoice, err := tx.Invoice(in.t.Context(), in.creditor.ID, id)
		if err != nil {
			return err
		}
		letters := []models.Letter{{CreditorID: in.creditor.ID, CustomerID: invoice.CustomerID, Number: 1, IssueDate: rows.Today, DueDate: rows.Today + 14, Gross: 1, Recipient: invoice.Recipient}}
		if err := tx.CreateLetters(in.t.Context(), letters); err != nil {
			return err
		}
		sent := []models.Shipment{models.NewShipment(in.creditor.ID, letters[0].Document(), models.Original, models.ByPaper, invoice.Recipient)}
		if err := tx.CreateShipments(in.t.Context(), sent); err != nil {
			return err
		}
		notice := models.Notice{
			CreditorID: in.creditor.ID, CustomerID: invoice.CustomerID, InvoiceID: id, LetterID: letters[0].ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today + 14,
			Gross: 1, KID: invoice.KID, Recipient: invoice.Recipient, Sheet: "{}",
		}
		return tx.CreateNotices(in.t.Context(), []models.Notice{notice}, [][]models.NoticeLine{{{Position: 1, Text: "x", Gross: 1, Type: models.EntryInvoice, TransactionDate: rows.Today}}})
	})
}

// uriForm is a uri in an answer.
var uriForm = regexp.MustCompile(`/api/v1/([a-z_]+)/([0-9]+)"`)

// look reads from all lists which resources the creditor has.
func (w *world) look() {
	w.t.Helper()
	lists := []string{}
	for _, route := range w.server.Routes() {
		if path, isList := strings.CutPrefix(route, "GET "); isList && strings.HasSuffix(path, "/") && !strings.Contains(path, "{id}") {
			lists = append(lists, path)
		}
	}
	for i := 0; i < len(lists); i++ {
		r := w.get(lists[i])
		r.is(w.t, http.StatusOK)
		for _, found := range uriForm.FindAllStringSubmatch(r.body, -1) {
			kind, id := found[1], found[2]
			if slices.Contains(w.owned[kind], id) {
				continue
			}
			w.owned[kind] = append(w.owned[kind], id)
			if kind == "webhook" {
				lists = append(lists, "/api/v1/webhook/"+id+"/deliveries")
			}
		}
	}
}

// id returns the ID of one of the creditor's resources of a kind.
func (w *world) id(t *testing.T, kind string) string {
	t.Helper()
	if len(w.owned[kind]) == 0 {
		t.Fatalf("the test's creditor has no %s: make one in world", kind)
	}
	return w.owned[kind][0]
}

// uri returns the uri of one of the creditor's resources of a kind.
func (w *world) uri(kind string) string { return "/api/v1/" + kind + "/" + w.owned[kind][0] }
