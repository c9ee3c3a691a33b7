package conformance_test

import (
	"encoding/xml"
	"strings"

	"purr/models"
)

// text writes text into XML.
func text(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err)
	}
	return b.String()
}

// order is an invoice to be created. What is left out is the ordinary: one line of 1000 kroner and 250 VAT, due
// after 14 days, on paper, to a new customer.
type order struct {
	days   string   // until due
	to     string   // the uri of a customer
	inline string   // a new customer's elements
	lines  []string // as line writes them
	note   string
	by     string
	copies []string // e-mail addresses
}

func (o order) xml() string {
	var parts []string
	if o.days == "" {
		o.days = "14"
	}
	parts = append(parts, tag("num_due_days", o.days))
	if o.note != "" {
		parts = append(parts, tag("invoice_note", text(o.note)))
	}
	switch {
	case o.to != "":
		parts = append(parts, `<recipient uri="`+o.to+`"/>`)
	case o.inline != "":
		parts = append(parts, tag("recipient", o.inline))
	default:
		parts = append(parts, tag("recipient", kari))
	}
	if o.lines == nil {
		o.lines = []string{line("Rørleggerarbeid", "1000", "1", "HIGH")}
	}
	parts = append(parts, tag("lines", o.lines...), shipments(o.by, o.copies...))
	return tag("invoice", parts...)
}

// kari is a customer with all that an invoice by e-mail needs.
var kari = tag("name1", "Kari Nordmann") + tag("address1", "Storgata 1") + tag("postal_code", "0155") + tag("postal_name", "Oslo") +
	tag("email", "kari@example.no")

// line writes a line of an invoice.
func line(words, price, items, vat string, more ...string) string {
	return tag("line", append([]string{tag("line_text", text(words)), tag("unit_price", price), tag("num_items", items), tag("vat_rate", vat)}, more...)...)
}

// of writes lines that come to a gross amount in whole kroner.
func of(gross string) []string { return []string{line("Arbeid", gross, "1", "NONE")} }

// shipments writes an original, on paper where nothing is said, and copies.
func shipments(by string, copies ...string) string {
	if by == "" {
		by = "PAPER"
	}
	parts := []string{tag(`shipment type="original"`, tag("shipment_method", by))}
	for _, email := range copies {
		parts = append(parts, tag(`shipment type="copy"`, tag("shipment_method", "EMAIL"), tag("recipient", tag("email", email))))
	}
	return tag("shipments", parts...)
}

// creditNote writes a credit note on paper.
func creditNote(more ...string) string { return tag("credit_note", append(more, shipments(""))...) }

// notice writes a notice: with a fee, with interest, a debt-collection warning.
func notice(fee, interest, warning bool, more ...string) string {
	flag := map[bool]string{true: "1", false: "0"}
	return tag("overdue_notice", append([]string{
		tag("add_overdue_charge", flag[fee]), tag("add_interest", flag[interest]), tag("is_incasso_notice", flag[warning]),
	}, more...)...)
}

// entry writes a ledger transaction.
func entry(amount string, on models.Date, more ...string) string {
	return tag("ar_transaction", append([]string{tag("amount", amount), tag("transaction_date", on.String())}, more...)...)
}

// customer creates a customer from its elements, kari's where none are given.
func (c *client) customer(elements ...string) node {
	c.T.Helper()
	if len(elements) == 0 {
		elements = []string{kari}
	}
	return c.Post("/customers", tag("customer", elements...)).Created()
}

// named are the elements of a customer of a name, to whom mails can be sent.
func named(name string) string { return strings.Replace(kari, "Kari Nordmann", name, 1) }

// invoices sends an invoice.
func (c *client) invoices(o order) node {
	c.T.Helper()
	return c.Post("/invoices", o.xml()).Created()
}

// credits credits an invoice.
func (c *client) credits(invoice node) node {
	c.T.Helper()
	return c.Post(invoice.URI()+"/credit_notes", creditNote()).Created()
}

// registers registers a transaction of today on an invoice or credit note.
func (c *client) registers(amount string, document node) node {
	c.T.Helper()
	return c.Post(document.URI()+"/ar_transactions", entry(amount, c.in.Today())).Created()
}

// again reads what a node shows anew.
func (c *client) again(n node) node {
	c.T.Helper()
	return c.Get(n.URI()).Shown()
}
