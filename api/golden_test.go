package api_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
)

var update = flag.Bool("update", false, "write the golden files anew")

// step is a request of a conversation. Between requests it may let days pass.
type step struct {
	method, path, body string
	days               int // that pass before it
}

// conversations are requests with every answer in testdata/NAME.golden, the same on each database.
var conversations = map[string][]step{
	"customer": {
		{method: "POST", path: "/api/v1/customers", body: `<customer><name1>Bjørn Æsås</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>`},
		{method: "PUT", path: "/api/v1/customer/1", body: `<customer><name2>ved Åse</name2><address1>Storgata 1 &amp; 3</address1><email>bjorn@example.no</email>` +
			`<customer_number>K-17</customer_number><organisation_number>974760673</organisation_number><language>nn</language></customer>`},
		{method: "GET", path: "/api/v1/customer/1"},
		{method: "PUT", path: "/api/v1/customer/1", body: `<customer><name2/><organisation_number/><language/><country_code>SE</country_code></customer>`},
		{method: "GET", path: "/api/v1/customers"},
		{method: "GET", path: "/api/v1/customer/1/invoices"},
		{method: "DELETE", path: "/api/v1/customer/1"},
		{method: "GET", path: "/api/v1/customer/1"},
	},
	"invoice": {
		{method: "POST", path: "/api/v1/invoices", body: `<?xml version="1.0" encoding="UTF-8"?>
<invoice>
  <num_due_days>14</num_due_days>
  <invoice_note>Takk for handelen!
Vi &lt;3 kaffe</invoice_note>
  <recipient>
    <name1>Kari Nordmann</name1>
    <address1>Storgata 1</address1>
    <postal_code>0155</postal_code>
    <postal_name>Oslo</postal_name>
    <email>kari@example.no</email>
  </recipient>
  <lines>
    <line><line_text>Kaffe, 250 g</line_text><unit_price>49.9</unit_price><num_items>2</num_items><discount_percent>12.5</discount_percent><vat_rate>MEDIUM</vat_rate></line>
    <line><line_text>Kurs</line_text><unit_price>1000.1234</unit_price><num_items>1.5</num_items><vat_rate>HIGH</vat_rate></line>
    <line><line_text>Fradrag</line_text><unit_price>-10</unit_price><num_items>1</num_items><vat_rate>NONE</vat_rate></line>
  </lines>
  <shipments>
    <shipment type="original"><shipment_method>EMAIL</shipment_method></shipment>
    <shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>arkiv@example.no</email></recipient></shipment>
  </shipments>
</invoice>`},
		{method: "PUT", path: "/api/v1/customer/1", body: `<customer><name1>Kari Hansen</name1></customer>`},
		{method: "GET", path: "/api/v1/invoice/1", days: 15},
		{method: "GET", path: "/api/v1/invoices"},
		{method: "GET", path: "/api/v1/ar_transaction/1"},
	},
	"ladder": {
		{method: "POST", path: "/api/v1/invoices", body: paperInvoice},
		{method: "POST", path: "/api/v1/invoice/1/ar_transactions", days: 20, body: `<ar_transaction><amount>-250.00</amount><transaction_date>2026-03-20</transaction_date><comment>Vipps</comment></ar_transaction>`},
		{method: "POST", path: "/api/v1/invoice/1/overdue_notices", days: 8, body: `<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>1</add_interest><is_incasso_notice>0</is_incasso_notice></overdue_notice>`},
		{method: "GET", path: "/api/v1/overdue_notice/1/calculation"},
		{method: "POST", path: "/api/v1/invoice/1/overdue_notices", days: 28, body: `<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>0</add_interest><is_incasso_notice>1</is_incasso_notice><comment>Siste varsel</comment></overdue_notice>`},
		{method: "GET", path: "/api/v1/overdue_notices"},
		{method: "GET", path: "/api/v1/invoice/1"},
		{method: "POST", path: "/api/v1/invoice/1/overdue_notices", days: 30, body: `<overdue_notice/>`},
		{method: "POST", path: "/api/v1/invoice/1/ar_transactions", body: `<ar_transaction><amount>-38</amount><transaction_date>2026-05-20</transaction_date><transaction_type>OVERDUE_CHARGE</transaction_type><comment>Kulanse</comment></ar_transaction>`},
		{method: "GET", path: "/api/v1/invoices?status=debt_collection_notice_overdue"},
		{method: "GET", path: "/api/v1/events?per_page=3"},
	},
	"credit": {
		{method: "POST", path: "/api/v1/invoices", body: paperInvoice},
		{method: "POST", path: "/api/v1/invoice/1/ar_transactions", body: `<ar_transaction><amount>-300</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`},
		{method: "POST", path: "/api/v1/invoice/1/credit_notes", body: `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments><comment>Feil vare</comment></credit_note>`},
		{method: "GET", path: "/api/v1/credit_notes"},
		{method: "GET", path: "/api/v1/invoice/1"},
		{method: "POST", path: "/api/v1/credit_note/1/ar_transactions", body: `<ar_transaction><amount>300</amount><transaction_date>2026-03-02</transaction_date><comment>Tilbakebetalt</comment></ar_transaction>`},
		{method: "GET", path: "/api/v1/credit_note/1"},
		{method: "GET", path: "/api/v1/ar_transactions"},
		{method: "DELETE", path: "/api/v1/ar_transaction/2"},
		{method: "GET", path: "/api/v1/invoice/1"},
	},
	"creditor": {
		{method: "GET", path: "/api/v1/creditor"},
		{method: "PUT", path: "/api/v1/creditor", body: `<creditor><organisation_number>974760673</organisation_number><vat_registered>1</vat_registered>
<address1>Torget 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>faktura@example.no</email><bank_account>86011117947</bank_account>
<kid_length>12</kid_length><kid_modulus>11</kid_modulus><first_number>1001</first_number>
<vat_rates><vat_rate name="LOW" percent="12" from="2018-01-01"/><vat_rate name="LOW" percent="10" from="2030-01-01"/></vat_rates>
<dunning_policy><enabled>1</enabled><fee>35</fee><interest_rate>9.5</interest_rate><hand_over_days>21</hand_over_days><minimum_balance>50</minimum_balance></dunning_policy></creditor>`},
		{method: "PUT", path: "/api/v1/creditor", body: `<creditor><dunning_policy><fee>max</fee><interest_rate/><hand_over_days/></dunning_policy></creditor>`},
		{method: "GET", path: "/api/v1/creditor"},
	},
	"payment_file": {
		{method: "PUT", path: "/api/v1/creditor", body: `<creditor><bank_account>86011117947</bank_account></creditor>`},
		{method: "POST", path: "/api/v1/invoices", body: paperInvoice},
		{method: "POST", path: "/api/v1/payment_files?filename=ocr.txt", body: "OCR"},
		{method: "GET", path: "/api/v1/payment_files"},
		{method: "GET", path: "/api/v1/unmatched_payments?status=open"},
		{method: "GET", path: "/api/v1/unmatched_payment/1"},
		{method: "GET", path: "/api/v1/ar_transaction/2"},
		{method: "POST", path: "/api/v1/payment_files", body: "OCR"},
		{method: "POST", path: "/api/v1/payment_files?filename=feil.txt", body: "NY0000"},
		{method: "GET", path: "/api/v1/payment_file/3"},
	},
}

const paperInvoice = `<invoice><num_due_days>10</num_due_days><recipient><name1>Ola Nordmann</name1><address1>Lia 2</address1><postal_code>5003</postal_code>` +
	`<postal_name>Bergen</postal_name></recipient><lines><line><line_text>Sykkel</line_text><unit_price>4000</unit_price><num_items>1</num_items>` +
	`<vat_rate>HIGH</vat_rate></line></lines><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`

func TestConversations(t *testing.T) {
	for name, steps := range conversations {
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(_ *testing.T, in *installation) { in.admin().converse(name, steps) })
		})
	}
}

// converse makes the requests and holds every answer against the golden file. The shipments of documents
// are made when they are sent, some seconds after the invoice.
func (in *installation) converse(name string, steps []step) {
	in.t.Helper()
	var said strings.Builder
	for _, s := range steps {
		in.sendShipments()
		in.pass(s.days)
		shown := s.body
		if s.body == "OCR" {
			s.body, shown = in.ocrFile(), "(an OCR giro file)"
		}
		r := in.send(s.method, s.path, s.body, func(r *http.Request) {
			r.Host = "purr.example"
			if strings.Contains(s.path, "payment_files") {
				r.Header.Set("Content-Type", "text/plain")
			}
		})
		fmt.Fprintf(&said, "> %s %s\n", s.method, s.path)
		if shown != "" {
			fmt.Fprintf(&said, "%s\n", shown)
		}
		fmt.Fprintf(&said, "\n< %d %s\n", r.status, http.StatusText(r.status))
		if at := r.header.Get("Location"); at != "" {
			fmt.Fprintf(&said, "Location: %s\n", at)
		}
		fmt.Fprintf(&said, "%s\n", oneElementALine(r.body))
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		must(in.t, os.WriteFile(path, []byte(said.String()), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	must(in.t, err)
	if got := said.String(); got != string(want) {
		in.t.Errorf("%s differs (go test ./api -update writes it anew): %s", path, firstDifference(got, string(want)))
	}
}

// emptyElement is an element without content that stands on two lines.
var emptyElement = regexp.MustCompile(`(<[a-z][^<>]*>)\n(</)`)

func oneElementALine(body string) string {
	return emptyElement.ReplaceAllString(strings.ReplaceAll(body, "><", ">\n<"), "$1$2")
}

func firstDifference(got, want string) string {
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			return fmt.Sprintf("line %d is\n  %s\nwant\n  %s", i+1, gotLines[i], wantLines[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(gotLines), len(wantLines))
}

// sendShipments does what the mailer would.
func (in *installation) sendShipments() {
	in.t.Helper()
	owed, err := in.db.OwedShipments(in.t.Context(), in.clock.Now(), 100)
	must(in.t, err)
	in.write(func(ctx context.Context, tx *store.Tx) error {
		for _, s := range owed {
			at := tx.Now
			s.State, s.SentAt = models.ShipmentSent, &at
			if err := tx.UpdateShipment(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// ocrFile is a file with a payment of 1000 on invoice 1, one with a KID that nobody has, and one without.
func (in *installation) ocrFile() string {
	in.t.Helper()
	invoice, err := in.db.Invoice(in.t.Context(), in.creditor.ID, 1)
	must(in.t, err)
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	must(in.t, w.StartTransmission(giro.TransmissionHeader{Number: "17", Recipient: "12345678"}))
	must(in.t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1", Number: "1", Account: "86011117947"}))
	day := models.NewDate(2026, 3, 2)
	for _, p := range []giro.Payment{
		{Type: 10, NetsDate: day, Amount: 1000_00, KID: invoice.KID, DebitAccount: "12345678903"},
		{Type: 10, NetsDate: day, Amount: 2_00, KID: models.NewKID("123456789", 10), DebitAccount: "12345678903"},
		{Type: 21, NetsDate: day, Amount: 3_50, Text: "Fra Ola for sykkelen", DebitAccount: "12345678903"},
	} {
		must(in.t, w.Write(p))
	}
	must(in.t, w.Close())
	return file.String()
}
