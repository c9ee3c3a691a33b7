package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// invoiceOf is what an invoice is made from: one line, with 25 % VAT.
type invoiceOf struct {
	customer string   // a uri
	days     int      // until due
	net      string   // kroner
	method   string   // PAPER where it is empty
	copies   []string // e-mail addresses
}

func (i invoiceOf) xml() string {
	if i.method == "" {
		i.method = "PAPER"
	}
	var copies strings.Builder
	for _, to := range i.copies {
		copies.WriteString(`<shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>` + to + `</email></recipient></shipment>`)
	}
	return fmt.Sprintf(`<invoice><num_due_days>%d</num_due_days><recipient uri="%s"/>`+
		`<lines><line><line_text>Rørleggerarbeid</line_text><unit_price>%s</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>`+
		`<shipments><shipment type="original"><shipment_method>%s</shipment_method></shipment>%s</shipments></invoice>`,
		i.days, i.customer, i.net, i.method, copies.String())
}

// invoice sends an invoice and returns its detail.
func (c *client) invoice(t *testing.T, i invoiceOf) node {
	t.Helper()
	return c.Post("/api/v1/invoices", i.xml()).Created()
}

// customer makes a customer with an e-mail address, and returns its uri.
func (c *client) customer(t *testing.T, name string) string {
	t.Helper()
	return c.Post("/api/v1/customers", customerBody(name)).Created().At("@uri")
}

func customerBody(name string) string {
	return `<customer><name1>` + name + `</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name>` +
		`<email>` + strings.ToLower(strings.Fields(name)[0]) + `@example.no</email></customer>`
}

func creditBody(method string) string {
	return `<credit_note><shipments><shipment type="original"><shipment_method>` + method + `</shipment_method></shipment></shipments></credit_note>`
}

// pay registers a payment (negative), repayment or payout (positive) in kroner on a document.
func (c *client) pay(t *testing.T, uri, amount, date string) node {
	t.Helper()
	return c.Post(uri+"/ar_transactions", paymentBody(amount, date)).Created()
}

func paymentBody(amount, date string) string {
	return "<ar_transaction><amount>" + amount + "</amount><transaction_date>" + date + "</transaction_date></ar_transaction>"
}

func policyBody(elements string) string {
	return "<creditor><dunning_policy><enabled>1</enabled>" + elements + "</dunning_policy></creditor>"
}
