package api_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/api"
	"purr/api/schema"
	"purr/test/testkit/validate"
)

// The parts of a valid invoice.
const (
	theDays      = `<num_due_days>14</num_due_days>`
	theRecipient = `<recipient uri="/api/v1/customer/1"/>`
	aLine        = `<line><line_text>Kaffe</line_text><unit_price>1</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line>`
	theLines     = `<lines>` + aLine + `</lines>`
	theShipments = `<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments>`
)

func lineWith(element string) string {
	return `<invoice>` + theDays + theRecipient + theShipments + `<lines><line><line_text>Kaffe</line_text><unit_price>1</unit_price>` +
		`<num_items>1</num_items><vat_rate>HIGH</vat_rate>` + element + `</line></lines></invoice>`
}

func entryOf(amount, date string) string {
	return `<ar_transaction><amount>` + amount + `</amount><transaction_date>` + date + `</transaction_date></ar_transaction>`
}

// judged are bodies of requests, by method and path, that are valid or invalid in themselves.
var judged = map[string][]struct {
	name  string
	right bool
	body  string
}{
	"POST /api/v1/invoices": {
		{"as in the description", true, `<invoice>` + theDays + theRecipient + theLines + theShipments + `</invoice>`},
		{"in another order", true, `<invoice>` + theShipments + theLines + theRecipient + theDays + `</invoice>`},
		{"blanks around a value", true, "<invoice><num_due_days>\n14 </num_due_days>" + theRecipient + theLines + theShipments + `</invoice>`},
		{"eight lines", true, `<invoice>` + theDays + theRecipient + `<lines>` + strings.Repeat(aLine, 8) + `</lines>` + theShipments + `</invoice>`},
		{"501 lines", false, `<invoice>` + theDays + theRecipient + `<lines>` + strings.Repeat(aLine, 501) + `</lines>` + theShipments + `</invoice>`},
		{"no line", false, `<invoice>` + theDays + theRecipient + `<lines/>` + theShipments + `</invoice>`},
		{"no recipient", false, `<invoice>` + theDays + theLines + theShipments + `</invoice>`},
		{"an element twice", false, `<invoice>` + theDays + theDays + theRecipient + theLines + theShipments + `</invoice>`},
		{"an element of answers", false, `<invoice>` + theDays + theRecipient + theLines + theShipments + `<invoice_number>1</invoice_number></invoice>`},
		{"366 days", false, `<invoice><num_due_days>366</num_due_days>` + theRecipient + theLines + theShipments + `</invoice>`},
		{"days with a plus", false, `<invoice><num_due_days>+14</num_due_days>` + theRecipient + theLines + theShipments + `</invoice>`},
		{"the uri of an invoice", false, `<invoice>` + theDays + `<recipient uri="/api/v1/invoice/1"/>` + theLines + theShipments + `</invoice>`},
		{"a new customer with a blank address", false, `<invoice>` + theDays + `<recipient><name1>Ola</name1><address1> </address1><postal_code>1</postal_code>` +
			`<postal_name>Oslo</postal_name></recipient>` + theLines + theShipments + `</invoice>`},
		{"a discount of 12.5 percent", true, lineWith(`<discount_percent>12.5</discount_percent>`)},
		{"a blank discount", true, lineWith(`<discount_percent> </discount_percent>`)},
		{"a discount of 100.01 percent", false, lineWith(`<discount_percent>100.01</discount_percent>`)},
		{"a discount with three decimals", false, lineWith(`<discount_percent>12.125</discount_percent>`)},
		{"another root", false, `<order>` + theDays + theRecipient + theLines + theShipments + `</order>`},
	},
	"POST /api/v1/invoice/1/credit_notes": {
		{"a copy", false, `<credit_note><shipments><shipment type="copy"><shipment_method>EMAIL</shipment_method></shipment></shipments></credit_note>`},
		{"two originals", false, `<credit_note><shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment>` +
			`<shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></credit_note>`},
	},
	"POST /api/v1/invoice/1/overdue_notices": {
		{"all at its default", true, `<overdue_notice/>`},
		{"a flag that is true", false, `<overdue_notice><add_interest>true</add_interest></overdue_notice>`},
		{"a comment of two lines", true, "<overdue_notice><comment>a\nb\tc</comment></overdue_notice>"},
		{"a comment of 500 characters", true, `<overdue_notice><comment>` + strings.Repeat("å", 500) + `</comment></overdue_notice>`},
		{"a comment of 501 characters", false, `<overdue_notice><comment>` + strings.Repeat("å", 501) + `</comment></overdue_notice>`},
	},
	"POST /api/v1/invoice/1/ar_transactions": {
		{"a payment", true, entryOf("-10.5", "2026-03-02")},
		{"a payment of nothing", false, entryOf("-0.00", "2026-03-02")},
		{"a third decimal", false, entryOf("-1.005", "2026-03-02")},
		{"an exponent", false, entryOf("-1e3", "2026-03-02")},
		{"the largest amount", true, entryOf("-9999999999.99", "2026-03-02")},
		{"more than the largest amount", false, entryOf("-10000000000", "2026-03-02")},
		{"a day that does not exist", false, entryOf("-1", "2026-02-29")},
		{"a day with a zone", false, entryOf("-1", "2026-03-02Z")},
		{"a type that is not for users", false, `<ar_transaction><amount>-1</amount><transaction_date>2026-03-02</transaction_date>` +
			`<transaction_type>OCR</transaction_type></ar_transaction>`},
	},
	"PUT /api/v1/customer/1": {
		{"the name alone", true, `<customer><name1>Bjørn Æsås</name1></customer>`},
		{"the e-mail address cleared", true, `<customer><email/></customer>`},
		{"a name of 100 characters", true, `<customer><name1>` + strings.Repeat("ø", 100) + `</name1></customer>`},
		{"a name of 101 characters", false, `<customer><name1>` + strings.Repeat("ø", 101) + `</name1></customer>`},
		{"a blank name", false, `<customer><name1> </name1></customer>`},
		{"a name of two lines", false, "<customer><name1>a\nb</name1></customer>"},
		{"a name with a control character", false, "<customer><name1>a&#x85;b</name1></customer>"},
		{"an e-mail address without a host", false, `<customer><email>kari@</email></customer>`},
		{"an e-mail address without a top domain", false, `<customer><email>kari@localhost</email></customer>`},
		{"a country that is none", false, `<customer><country_code>XX</country_code></customer>`},
		{"a country in small letters", false, `<customer><country_code>no</country_code></customer>`},
		{"no country", true, `<customer><country_code/></customer>`},
		{"an organisation number of 8 digits", false, `<customer><organisation_number>97476067</organisation_number></customer>`},
		{"a language that nobody chose", false, `<customer><language>de</language></customer>`},
		{"a policy of its own", true, `<customer><dunning_policy><fee>0</fee><interest_rate>legal</interest_rate><hand_over_days/></dunning_policy></customer>`},
		{"interest of 101 percent", false, `<customer><dunning_policy><interest_rate>101</interest_rate></dunning_policy></customer>`},
	},
	"PUT /api/v1/creditor": {
		{"the legal maximum", true, `<creditor><dunning_policy><fee>max</fee></dunning_policy></creditor>`},
		{"a fee below zero", false, `<creditor><dunning_policy><fee>-1</fee></dunning_policy></creditor>`},
		{"dunning of what is due after a day", true, `<creditor><dunning_policy><due_after>2026-03-01</due_after></dunning_policy></creditor>`},
		{"dunning of all", true, `<creditor><dunning_policy><due_after/></dunning_policy></creditor>`},
		{"dunning of what is due after no day", false, `<creditor><dunning_policy><due_after>2026-02-30</due_after></dunning_policy></creditor>`},
		{"13 days to pay", false, `<creditor><dunning_policy><days_to_pay>13</days_to_pay></dunning_policy></creditor>`},
		{"a blank warning step", false, `<creditor><dunning_policy><debt_collection_notice/></dunning_policy></creditor>`},
		{"a KID of 26 characters", false, `<creditor><kid_length>26</kid_length></creditor>`},
		{"no VAT rates of its own", true, `<creditor><vat_rates/></creditor>`},
		{"a VAT rate without a beginning", false, `<creditor><vat_rates><vat_rate name="LOW" percent="12"/></vat_rates></creditor>`},
	},
	"PUT /api/v1/customer/1/dunning_hold": {
		{"no end", true, `<dunning_hold><until/></dunning_hold>`},
		{"an end that is no day", false, `<dunning_hold><until>soon</until></dunning_hold>`},
	},
	"POST /api/v1/invoice/1/close": {
		{"a reason that is none", false, `<close><reason>paid</reason></close>`},
		{"no reason", false, `<close/>`},
	},
	"POST /api/v1/invoice/1/reopen": {
		{"blanks", true, "<reopen>\n</reopen>"},
		{"a comment", false, `<reopen><comment/></reopen>`},
	},
	"POST /api/v1/unmatched_payment/1/match": {
		{"the uri of a customer", false, `<match><invoice uri="/api/v1/customer/1"/></match>`},
		{"no uri", false, `<match><invoice/></match>`},
		{"no invoice", false, `<match/>`},
	},
	"POST /api/v1/unmatched_payment/1/unmatch": {
		{"blanks", true, "<unmatch>\n</unmatch>"},
		{"a comment", false, `<unmatch><comment>no</comment></unmatch>`},
	},
	"POST /api/v1/unmatched_payment/1/reopen": {
		{"blanks", true, "<reopen>\n</reopen>"},
		{"a comment", false, `<reopen><comment/></reopen>`},
	},
	"POST /api/v1/unmatched_payment/1/dismiss": {
		{"a comment of two lines", true, "<dismiss><comment>sent\nback</comment></dismiss>"},
		{"a blank comment", false, "<dismiss><comment> \n</comment></dismiss>"},
		{"no comment", false, `<dismiss/>`},
		{"a comment of 501 characters", false, `<dismiss><comment>` + strings.Repeat("å", 501) + `</comment></dismiss>`},
	},
	"PUT /api/v1/webhook/1": {
		{"a URL with a port, a path and a query", true, `<webhook><url> HTTPS://example.no:8443/hook?a=b@c </url></webhook>`},
		{"a URL with a user", false, `<webhook><url>https://kari@example.no/</url></webhook>`},
		{"a URL without a host", false, `<webhook><url>https:///hook</url></webhook>`},
		{"a URL of another scheme", false, `<webhook><url>ftp://example.no/</url></webhook>`},
		{"a URL of 501 characters", false, `<webhook><url>https://example.no/` + strings.Repeat("x", 482) + `</url></webhook>`},
		{"a description of two lines", false, "<webhook><description>a\nb</description></webhook>"},
		{"two types of events", true, `<webhook><event_types><event_type>invoice.created</event_type><event_type>dunning.run</event_type></event_types></webhook>`},
		{"all types of events", true, `<webhook><event_types/></webhook>`},
		{"a type of event that is not posted", false, `<webhook><event_types><event_type>webhook.created</event_type></event_types></webhook>`},
	},
	"POST /api/v1/test_clock": {
		{"a time with its offset", true, `<test_clock><now>2026-03-02T12:00:00.5+01:00</now></test_clock>`},
		{"a time without its offset", false, `<test_clock><now>2026-03-02T12:00:00</now></test_clock>`},
	},
}

// TestE9SchemaJudgesAsTheProgramDoes has each body judged by the schema and by the program: what the one
// refuses the other refuses too. (409 is about the state of a document, not about the body.)
func TestE9SchemaJudgesAsTheProgramDoes(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &stillClock{} }).admin()
	in.invoice("14")
	in.make("/api/v1/webhooks", `<webhook><url>https://example.no/hook</url></webhook>`)
	in.make("/api/v1/payment_files", in.ocrFile(), header("Content-Type", "text/plain")) // and so there are unmatched payments
	for to, bodies := range judged {
		method, path, _ := strings.Cut(to, " ")
		var documents []string
		for _, b := range bodies {
			documents = append(documents, b.body)
		}
		faults := validate.Faults(t, schema.Requests(), documents)
		for i, b := range bodies {
			r := in.send(method, path, b.body)
			if taken := r.status < http.StatusBadRequest || r.status == http.StatusConflict; taken != b.right {
				t.Errorf("%s, %s: right is %t, but the program answers %d: %s", to, b.name, b.right, r.status, r.body)
			}
			if (faults[i] == "") != b.right {
				t.Errorf("%s, %s: right is %t, but the schema says: %s", to, b.name, b.right, faults[i])
			}
		}
	}
}
