package api_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/documents/ehf"
	"purr/models"
	"purr/test/testkit/rows"
)

// TestH1aWhatEHFNeeds asks for EHF without what it needs. Both faults come with the others.
func TestH1aWhatEHFNeeds(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil).admin()
	person := in.make("/api/v1/customers", `<customer><name1>Ola</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>`)
	business := in.make("/api/v1/customers", `<customer><name1>Brygge AS</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><organisation_number>987654325</organisation_number></customer>`)
	body := func(recipient, more string) string {
		return `<invoice><num_due_days>14</num_due_days>` + more + recipient + theLines + strings.Replace(theShipments, "PAPER", "EHF", 1) + `</invoice>`
	}
	known := func(uri string) string { return `<recipient uri="` + uri + `"/>` }
	for _, test := range []struct{ name, body, want string }{
		{"a person", body(known(person), `<your_reference>Ola</your_reference>`), "organisation_number_required@recipient"},
		{"a new person", body(`<recipient><name1>Ola</name1><address1>Gata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></recipient>`, `<order_number>7</order_number>`), "organisation_number_required@recipient/organisation_number"},
		{"a business without a reference", body(known(business), ""), "reference_required@your_reference"},
		{"neither, and due too late", strings.Replace(body(known(person), ""), ">14<", ">999<", 1), "out_of_range@num_due_days organisation_number_required@recipient reference_required@your_reference"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in.send("POST", "/api/v1/invoices", test.body).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
	invoice := in.make("/api/v1/invoices", invoiceBody(person, "14"))
	in.send("POST", invoice+"/credit_notes", strings.Replace(creditBody, "PAPER", "EHF", 1)).
		refused(t, http.StatusUnprocessableEntity, "organisation_number_required@recipient", "reference_required@your_reference")
	in.make("/api/v1/invoices", body(known(business), `<order_number>7</order_number>`))
	in.send("PUT", "/api/v1/creditor", `<creditor><ehf_default_reference>Innkjøp</ehf_default_reference></creditor>`).is(t, http.StatusOK)
	in.make("/api/v1/invoices", body(known(business), ""))
}

// payable is the amount that an EHF asks for.
var payable = regexp.MustCompile(`<cbc:PayableAmount currencyID="NOK">([^<]+)<`)

// randomInvoices is how many invoices TestH2RandomDocumentsOfTheAPI makes.
var randomInvoices = flag.Int("random-invoices", 24, "the number of invoices that become random documents")

// TestH2RandomDocumentsOfTheAPI makes invoices at random by the API, pays parts of some, reminds of them and credits others. Each
// document's EHF breaks no rule, and asks for what its XML says: 48 documents, ten thousand with -random-invoices 5000. With
// PURR_EHF_DIR it keeps them there.
func TestH2RandomDocumentsOfTheAPI(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil).admin()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same choices each time
	in.send("PUT", "/api/v1/creditor", `<creditor><organisation_number>974760673</organisation_number><vat_registered>1</vat_registered><bank_account>86011117947</bank_account>
		<ehf_default_reference>Innkjøp</ehf_default_reference><vat_rates><vat_rate name="LOW" percent="12" from="2020-01-01"/></vat_rates></creditor>`).is(t, http.StatusOK)
	business := in.make("/api/v1/customers", `<customer><name1>Brygge AS</name1><address1>Bryggen 3</address1><postal_code>5003</postal_code><postal_name>Bergen</postal_name><organisation_number>987654325</organisation_number></customer>`)
	var invoices, documents []string
	for range *randomInvoices {
		var lines strings.Builder
		for range 1 + random.IntN(8) {
			fmt.Fprintf(&lines, `<line><line_text>Vare &amp; &lt;mer&gt;</line_text><unit_price>%s</unit_price><num_items>%s</num_items><discount_percent>%s</discount_percent><vat_rate>%s</vat_rate></line>`,
				models.Price(random.Int64N(300_0000)-20_0000), models.Quantity(1+random.Int64N(9_999)), []string{"", "7.25", "100"}[random.IntN(3)], []string{"HIGH", "MEDIUM", "LOW", "NONE"}[random.IntN(4)])
		}
		lines.WriteString(`<line><line_text>Frakt</line_text><unit_price>20000</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line>`)
		text := lines.String()
		for strings.Count(text, "<line>") > 8 {
			text = text[strings.Index(text, "</line>")+len("</line>"):]
		}
		invoices = append(invoices, in.make("/api/v1/invoices", `<invoice><num_due_days>14</num_due_days><recipient uri="`+business+`"/><lines>`+text+`</lines>`+theShipments+`</invoice>`))
	}
	rows.Send(t, in.db, in.creditor)
	in.pass(40)
	for i, invoice := range invoices {
		documents = append(documents, invoice)
		if i%2 == 0 {
			in.make(invoice+"/ar_transactions", fmt.Sprintf(`<ar_transaction><amount>-%s</amount><transaction_date>2026-04-01</transaction_date></ar_transaction>`, models.Amount(1+random.Int64N(500_00))))
		}
		if i%3 == 0 {
			documents = append(documents, in.make(invoice+"/credit_notes", creditBody))
		} else {
			documents = append(documents, in.make(invoice+"/overdue_notices", `<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>1</add_interest></overdue_notice>`))
		}
	}
	for i, uri := range documents {
		r := in.get(uri + "/ehf")
		r.is(t, http.StatusOK)
		if got := r.header.Get("Content-Type"); got != "application/xml" {
			t.Errorf("%s is %s", uri, got)
		}
		d, err := ehf.Parse([]byte(r.body))
		must(t, err)
		for _, f := range d.Check() {
			t.Errorf("%s: %s: %s", uri, f.Rule, f.Said())
		}
		asked := payable.FindStringSubmatch(r.body)
		if want := in.get(uri).xml(t).at("gross_amount"); asked == nil || asked[1] != want {
			t.Errorf("%s asks for %s, want %s", uri, asked, want)
		}
		if again := in.get(uri + "/ehf"); again.body != r.body {
			t.Errorf("%s is another the second time", uri)
		}
		if dir := os.Getenv("PURR_EHF_DIR"); dir != "" {
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("api-%05d.xml", i)), []byte(r.body), 0o600))
		}
	}
}
