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
		customer := c.customer(full...).Shows(shown...)
		c.Post("/customers", tag("customer", over...)).Refused(422, faults...)
		c.Put(customer.URI(), tag("customer", over...)).Refused(422, faults...)

		longest := strings.Repeat("a", 64) + "@" + strings.Repeat("b", 61) + "." + strings.Repeat("c", 62) + "." + strings.Repeat("d", 61) + ".no" // 254 characters
		c.Put(customer.URI(), tag("customer", tag("email", longest))).Shown().Shows("email " + longest)
		for _, wrong := range []string{"kari", "kari@", "@example.no", "kari@example", "kari nordmann@example.no", "Kari &lt;kari@example.no&gt;", "a@b.no, c@d.no"} {
			c.Put(customer.URI(), tag("customer", tag("email", wrong))).Refused(422, "invalid_email email")
		}
		c.Put(customer.URI(), tag("customer", tag("email", "a"+longest))).Refused(422, "too_long email")

		invoice := c.invoices(order{to: customer.URI(), note: strings.Repeat("ø", 2000), lines: []string{line(strings.Repeat("ø", 250), "1", "1", "NONE")}})
		c.Post("/invoices", order{to: customer.URI(), note: strings.Repeat("ø", 2001), lines: []string{line(strings.Repeat("ø", 251), "1", "1", "NONE")}}.xml()).
			Refused(422, "too_long invoice_note", "too_long lines/line[1]/line_text")
		comment := func(length int) string { return tag("comment", strings.Repeat("ø", length)) }
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today(), comment(500))).Created()
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today(), comment(501))).Refused(422, "too_long comment")
		c.Post(invoice.URI()+"/overdue_notices", notice(false, false, false, comment(501))).Refused(422, "too_long comment")
		c.Post(invoice.URI()+"/credit_notes", creditNote(comment(501))).Refused(422, "too_long comment")
		c.Post(invoice.URI()+"/credit_notes", creditNote(comment(500))).Created()
	})
}

// TestD16CustomerNumbersAreUnique for a creditor, unless they are empty.
func TestD16CustomerNumbersAreUnique(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		number := func(n string) string { return tag("customer_number", n) }
		c.customer(kari, number("K-1")).Shows("customer_number K-1")
		other := c.customer(kari, number("")).Shows("customer_number")
		c.customer(kari).Shows("customer_number")
		c.Post("/customers", tag("customer", kari, number("K-1"))).Refused(409, "customer_number_in_use customer_number")
		c.Put(other.URI(), tag("customer", number("K-1"))).Refused(409, "customer_number_in_use customer_number")
		c.Post("/invoices", order{inline: kari + number("K-1")}.xml()).Refused(409, "customer_number_in_use recipient/customer_number")
		c.Put(other.URI(), tag("customer", number("K-2"))).Shown().Shows("customer_number K-2")
		c.Put(other.URI(), tag("customer", number("K-2"), tag("name2", "x"))).Is(200)
		c.invoices(order{inline: kari + number("K-3")}).Shows("recipient/customer_number K-3")
		in.creditor(t).customer(kari, number("K-1"))
	})
}

// TestD16CountriesAndControlCharacters tries codes of countries, and what is no text.
func TestD16CountriesAndControlCharacters(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer().Shows("country_code NO")
		c.customer(kari, tag("country_code", "SE")).Shows("country_code SE")
		for _, wrong := range []string{"XX", "no", "NOR", "N", "47"} {
			c.Put(customer.URI(), tag("customer", tag("country_code", wrong))).Refused(422, "invalid_country country_code")
		}
		for _, control := range []string{"&#9;", "&#10;", "\u007f", "\u0085"} {
			var fields, faults []string
			for _, l := range limits {
				fields = append(fields, tag(l.field, "a"+control+"b"))
				faults = append(faults, "control_character "+l.field)
			}
			c.Put(customer.URI(), tag("customer", fields...)).Refused(422, faults...)
		}
		c.Put(customer.URI(), tag("customer", tag("name1", "a\u0000b"))).Refused(400, "malformed_xml") // no XML has it

		const prose, bad = "En\n\tto", "En&#13;to\u0085"
		invoice := c.invoices(order{note: prose, lines: []string{line(prose, "1", "1", "NONE")}})
		invoice.Shows("invoice_note "+prose, "lines/line/line_text "+prose)
		wrong := tag("invoice", tag("num_due_days", "1"), tag("invoice_note", bad), tag("recipient", kari),
			tag("lines", tag("line", tag("line_text", bad), tag("unit_price", "1"), tag("num_items", "1"), tag("vat_rate", "NONE"))), shipments(""))
		c.Post("/invoices", wrong).Refused(422, "control_character invoice_note", "control_character lines/line[1]/line_text")
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today(), tag("comment", prose))).Created().Shows("comment " + prose)
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today(), tag("comment", bad))).Refused(422, "control_character comment")
		c.Post(invoice.URI()+"/credit_notes", creditNote(tag("comment", bad))).Refused(422, "control_character comment")
	})
}

// TestD17ChangingACustomer changes what is sent and nothing else; an empty element clears what may be empty. An
// invoice keeps the recipient that it was sent to.
func TestD17ChangingACustomer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer(kari, tag("name2", "v/ Ola"), tag("address2", "H0101"), tag("customer_number", "7"), tag("country_code", "SE"))
		sent := c.invoices(order{to: customer.URI()})
		whole := []string{
			"name1 Kari Nordmann", "name2 v/ Ola", "address1 Storgata 1", "address2 H0101", "postal_code 0155", "postal_name Oslo",
			"email kari@example.no", "customer_number 7", "country_code SE",
		}
		for i, change := range []string{"name1 Kari Hansen", "name2", "address1", "address2", "postal_code 5003", "postal_name Bergen", "email", "customer_number", "country_code DK"} {
			field, value, _ := strings.Cut(change, " ")
			whole[i] = change
			c.Put(customer.URI(), tag("customer", tag(field, value))).Shown().Shows(whole...)
		}
		c.Put(customer.URI(), tag("customer")).Shown().Shows(whole...)
		c.Put(customer.URI(), tag("customer", tag("country_code"))).Shown().Shows("country_code NO")
		for _, field := range []string{"name1", "postal_code", "postal_name"} {
			c.Put(customer.URI(), tag("customer", tag(field))).Refused(422, "required "+field)
		}
		kept := c.again(sent)
		kept.Equals(sent)
		kept.Shows("recipient/name1 Kari Nordmann", "recipient/country_code SE", "recipient/parent_recipient/@uri "+customer.URI(), "shipments/shipment/recipient/name1 Kari Nordmann")
		c.invoices(order{to: customer.URI()}).Shows("recipient/name1 Kari Hansen", "recipient/email")
	})
}
