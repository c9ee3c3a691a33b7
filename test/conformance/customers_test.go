package conformance_test

import (
	"strings"
	"testing"
)

// limits are the most characters that the fields of a customer may have (rule D16).
var limits = []struct {
	field string
	most  int
}{
	{"name1", 100}, {"name2", 100}, {"address1", 100}, {"address2", 100}, {"postal_code", 16}, {"postal_name", 60}, {"customer_number", 40},
}

// TestD16Lengths fills every field up, and then one character more. They are characters, not bytes.
func TestD16Lengths(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		var full, over, faults, shown []string
		for _, l := range limits {
			full = append(full, tag(l.field, strings.Repeat("å", l.most)))
			over = append(over, tag(l.field, strings.Repeat("å", l.most+1)))
			shown = append(shown, l.field+" "+strings.Repeat("å", l.most))
			faults = append(faults, "too_long "+l.field)
		}
		customer := c.customer(full...).shows(shown...)
		c.post("/customers", tag("customer", over...)).refused(422, faults...)
		c.put(customer.uri(), tag("customer", over...)).refused(422, faults...)

		longest := strings.Repeat("a", 64) + "@" + strings.Repeat("b", 186) + ".no" // 254 characters
		c.put(customer.uri(), tag("customer", tag("email", longest))).shown().shows("email " + longest)
		for _, wrong := range []string{"kari", "kari@", "@example.no", "kari@example", "kari nordmann@example.no", "Kari &lt;kari@example.no&gt;", "a@b.no, c@d.no"} {
			c.put(customer.uri(), tag("customer", tag("email", wrong))).refused(422, "invalid_email email")
		}
		c.put(customer.uri(), tag("customer", tag("email", "a"+longest))).refused(422, "too_long email")

		invoice := c.invoices(order{to: customer.uri(), note: strings.Repeat("ø", 2000), lines: []string{line(strings.Repeat("ø", 250), "1", "1", "NONE")}})
		c.post("/invoices", order{to: customer.uri(), note: strings.Repeat("ø", 2001), lines: []string{line(strings.Repeat("ø", 251), "1", "1", "NONE")}}.xml()).
			refused(422, "too_long invoice_note", "too_long lines/line[1]/line_text")
		comment := func(length int) string { return tag("comment", strings.Repeat("ø", length)) }
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today(), comment(500))).created()
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today(), comment(501))).refused(422, "too_long comment")
		c.post(invoice.uri()+"/overdue_notices", notice(false, false, false, comment(501))).refused(422, "too_long comment")
		c.post(invoice.uri()+"/credit_notes", creditNote(comment(501))).refused(422, "too_long comment")
		c.post(invoice.uri()+"/credit_notes", creditNote(comment(500))).created()
	})
}

// TestD16CustomerNumbersAreUnique for a creditor, unless they are empty.
func TestD16CustomerNumbersAreUnique(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		number := func(n string) string { return tag("customer_number", n) }
		c.customer(kari, number("K-1")).shows("customer_number K-1")
		other := c.customer(kari, number("")).shows("customer_number")
		c.customer(kari).shows("customer_number")
		c.post("/customers", tag("customer", kari, number("K-1"))).refused(409, "customer_number_in_use customer_number")
		c.put(other.uri(), tag("customer", number("K-1"))).refused(409, "customer_number_in_use customer_number")
		c.post("/invoices", order{inline: kari + number("K-1")}.xml()).refused(409, "customer_number_in_use recipient/customer_number")
		c.put(other.uri(), tag("customer", number("K-2"))).shown().shows("customer_number K-2")
		c.put(other.uri(), tag("customer", number("K-2"), tag("name2", "x"))).is(200)
		c.invoices(order{inline: kari + number("K-3")}).shows("recipient/customer_number K-3")
		in.creditor(t).customer(kari, number("K-1"))
	})
}

// TestD16CountriesAndControlCharacters tries codes of countries, and what is no text.
func TestD16CountriesAndControlCharacters(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer().shows("country_code NO")
		c.customer(kari, tag("country_code", "SE")).shows("country_code SE")
		for _, wrong := range []string{"XX", "no", "NOR", "N", "47"} {
			c.put(customer.uri(), tag("customer", tag("country_code", wrong))).refused(422, "invalid_country country_code")
		}
		for _, control := range []string{"&#9;", "&#10;", "\u007f", "\u0085"} {
			var fields, faults []string
			for _, l := range limits {
				fields = append(fields, tag(l.field, "a"+control+"b"))
				faults = append(faults, "control_character "+l.field)
			}
			c.put(customer.uri(), tag("customer", fields...)).refused(422, faults...)
		}
		c.put(customer.uri(), tag("customer", tag("name1", "a\u0000b"))).refused(400, "malformed_xml") // no XML has it

		const prose, bad = "En\n\tto", "En&#13;to\u0085"
		invoice := c.invoices(order{note: prose, lines: []string{line(prose, "1", "1", "NONE")}})
		invoice.shows("invoice_note "+prose, "lines/line/line_text "+prose)
		wrong := tag("invoice", tag("num_due_days", "1"), tag("invoice_note", bad), tag("recipient", kari),
			tag("lines", tag("line", tag("line_text", bad), tag("unit_price", "1"), tag("num_items", "1"), tag("vat_rate", "NONE"))), shipments(""))
		c.post("/invoices", wrong).refused(422, "control_character invoice_note", "control_character lines/line[1]/line_text")
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today(), tag("comment", prose))).created().shows("comment " + prose)
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today(), tag("comment", bad))).refused(422, "control_character comment")
		c.post(invoice.uri()+"/credit_notes", creditNote(tag("comment", bad))).refused(422, "control_character comment")
	})
}

// TestD17ChangingACustomer changes what is sent and nothing else; an empty element clears what may be empty. An
// invoice keeps the recipient that it was sent to.
func TestD17ChangingACustomer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer(kari, tag("name2", "v/ Ola"), tag("address2", "H0101"), tag("customer_number", "7"), tag("country_code", "SE"))
		sent := c.invoices(order{to: customer.uri()})
		whole := []string{
			"name1 Kari Nordmann", "name2 v/ Ola", "address1 Storgata 1", "address2 H0101", "postal_code 0155", "postal_name Oslo",
			"email kari@example.no", "customer_number 7", "country_code SE",
		}
		for i, change := range []string{"name1 Kari Hansen", "name2", "address1", "address2", "postal_code 5003", "postal_name Bergen", "email", "customer_number", "country_code DK"} {
			field, value, _ := strings.Cut(change, " ")
			whole[i] = change
			c.put(customer.uri(), tag("customer", tag(field, value))).shown().shows(whole...)
		}
		c.put(customer.uri(), tag("customer")).shown().shows(whole...)
		c.put(customer.uri(), tag("customer", tag("country_code"))).shown().shows("country_code NO")
		for _, field := range []string{"name1", "postal_code", "postal_name"} {
			c.put(customer.uri(), tag("customer", tag(field))).refused(422, "required "+field)
		}
		kept := c.again(sent)
		kept.equals(sent)
		kept.shows("recipient/name1 Kari Nordmann", "recipient/country_code SE", "recipient/parent_recipient/@uri "+customer.uri(), "shipments/shipment/recipient/name1 Kari Nordmann")
		c.invoices(order{to: customer.uri()}).shows("recipient/name1 Kari Hansen", "recipient/email")
	})
}
