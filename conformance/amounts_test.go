package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
)

// TestD13AmountsOfALine prices lines: every product and every VAT is rounded to øre, half away from zero, and the
// totals are the sums of what was rounded.
func TestD13AmountsOfALine(t *testing.T) {
	type priced struct{ price, items, discount, vat, net, gross string }
	invoices := [][]priced{
		{
			{"1000", "1", "", "HIGH", "1000.00", "1250.00"},
			{"0.005", "1", "", "NONE", "0.01", "0.01"},
			{"0.0049", "1", "", "NONE", "0.00", "0.00"},
			{"0.015", "1", "", "NONE", "0.02", "0.02"}, // to even it would be 0.02 too,
			{"0.025", "1", "", "NONE", "0.03", "0.03"}, // and here 0.02
			{"-0.005", "1", "", "NONE", "-0.01", "-0.01"},
			{"-0.0049", "1", "", "NONE", "0.00", "0.00"},
			{"0.0001", "0.001", "", "HIGH", "0.00", "0.00"},
		},
		{
			{"0.02", "1", "", "HIGH", "0.02", "0.03"}, // the VAT of half an øre
			{"-0.02", "1", "", "HIGH", "-0.02", "-0.03"},
			{"0.10", "1", "", "MEDIUM", "0.10", "0.12"},
			{"1.03", "1", "", "MEDIUM", "1.03", "1.18"},
			{"99.99", "3", "12.5", "HIGH", "262.47", "328.09"},
			{"33.3333", "0.333", "0", "LOW", "11.10", "11.99"},
			{"19.9999", "1.001", "0.01", "MEDIUM", "20.02", "23.02"},
			{"0.33", "1", "50", "NONE", "0.17", "0.17"},
		},
		{
			{"123456.7891", "12.345", "33.33", "HIGH", "1016100.18", "1270125.23"},
			{"100", "1", "100", "HIGH", "0.00", "0.00"},
			{"100", "-0.5", "", "HIGH", "-50.00", "-62.50"},
			{"-100", "1", "50", "MEDIUM", "-50.00", "-57.50"},
			{"-100", "-1", "", "NONE", "100.00", "100.00"},
			{"8", "1.005", "", "LOW", "8.04", "8.68"},
		},
		{{"9999999999.99", "1", "", "NONE", "9999999999.99", "9999999999.99"}},
		{{"7999999999.99", "1", "", "HIGH", "7999999999.99", "9999999999.99"}},
	}
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for _, invoice := range invoices {
			var lines []string
			for _, l := range invoice {
				var discount string
				if l.discount != "" {
					discount = tag("discount_percent", l.discount)
				}
				lines = append(lines, line("x", l.price, l.items, l.vat, discount))
			}
			made := c.invoices(order{lines: lines})
			net, gross := 0, 0
			for i, l := range invoice {
				shown := made.all("lines/line")[i]
				shown.shows("@index "+fmt.Sprint(i+1), "net_amount "+l.net, "gross_amount "+l.gross, "discount_percent "+l.discount)
				net += shown.ore("net_amount")
				gross += shown.ore("gross_amount")
			}
			made.shows("net_amount "+kroner(net), "gross_amount "+kroner(gross), "ar_transactions/@balance "+kroner(gross))
		}
	})
}

// TestD13AmountsThatAreRefused sends too many decimals, too much and too little.
func TestD13AmountsThatAreRefused(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		discount := func(percent string) string { return line("x", "1", "1", "HIGH", tag("discount_percent", percent)) }
		for _, test := range []struct {
			lines []string
			fault string
		}{
			{[]string{line("x", "1.00001", "1", "HIGH")}, "invalid_number lines/line[1]/unit_price"},
			{[]string{line("x", "1e3", "1", "HIGH")}, "invalid_number lines/line[1]/unit_price"},
			{[]string{line("x", "1,50", "1", "HIGH")}, "invalid_number lines/line[1]/unit_price"},
			{[]string{line("x", "1", "1.0001", "HIGH")}, "invalid_number lines/line[1]/num_items"},
			{[]string{discount("1.001")}, "invalid_number lines/line[1]/discount_percent"},
			{[]string{discount("100.01")}, "out_of_range lines/line[1]/discount_percent"},
			{[]string{discount("-0.01")}, "out_of_range lines/line[1]/discount_percent"},
			{[]string{line("x", "0", "1", "HIGH")}, "amount_not_positive lines"},
			{[]string{line("x", "10", "1", "HIGH"), line("y", "-10", "1", "HIGH")}, "amount_not_positive lines"},
			{[]string{line("x", "0.004", "1", "HIGH")}, "amount_not_positive lines"},
			{[]string{line("x", "-1", "1", "HIGH")}, "amount_not_positive lines"},
			{[]string{line("x", "10000000000", "1", "NONE")}, "amount_too_large lines/line[1]"},
			{[]string{line("x", "8000000000", "1", "HIGH")}, "amount_too_large lines/line[1]"},
			{[]string{line("x", "-10000000000", "1", "NONE"), line("y", "9999999999", "1", "NONE")}, "amount_too_large lines/line[1]"},
			{[]string{line("x", "9999999999.99", "1", "NONE"), line("y", "0.01", "1", "NONE")}, "amount_too_large lines"},
		} {
			c.post("/invoices", order{lines: test.lines}.xml()).refused(422, test.fault)
		}
		invoice := c.invoices(order{}).shows("invoice_number 1")
		for _, wrong := range []string{"-1.001", "-1,00", "-1e1", "+1", "", "- 1", "-99999999999.99"} {
			fault := "invalid_amount amount"
			if wrong == "" {
				fault = "required amount"
			}
			c.post(invoice.uri()+"/ar_transactions", entry(wrong, in.today())).refused(422, fault)
		}
		c.post(invoice.uri()+"/ar_transactions", entry("-1.5", in.today())).created().shows("amount -1.50")
	})
}

// TestD14VATRates uses the default set, and a creditor's own rates from their dates on. What was made before
// keeps its percents.
func TestD14VATRates(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		lines := []string{line("x", "100", "1", "HIGH"), line("x", "100", "1", "MEDIUM"), line("x", "100", "1", "LOW"), line("x", "100", "1", "NONE")}
		percents := func(n node) []string { return texts(n.all("lines/line/vat_rate"), "@percent") }
		first := c.invoices(order{lines: lines}).shows("gross_amount 448.00")
		same(t, "percents of the default set", percents(first), []string{"25", "15", "8", "0"})
		same(t, "rates", texts(first.all("lines/line"), "vat_rate"), []string{"HIGH", "MEDIUM", "LOW", "NONE"})

		rate := func(percent string, from models.Date) string {
			return fmt.Sprintf(`<vat_rate name="LOW" percent="%s" from="%s"/>`, percent, from)
		}
		c.put("/creditor", tag("creditor", tag("vat_rates", rate("12", in.today()), rate("10", in.today()-30), rate("50", in.today()+1)))).is(200)
		second := c.invoices(order{lines: lines}).shows("gross_amount 452.00")
		same(t, "percents from today on", percents(second), []string{"25", "15", "12", "0"})
		c.put("/creditor", tag("creditor", tag("vat_rates", rate("11.11", in.today()-1)))).is(200)
		same(t, "percents after another change", percents(c.invoices(order{lines: lines})), []string{"25", "15", "11.11", "0"})
		c.again(first).equals(first)
		same(t, "percents of the second invoice's credit note", percents(c.credits(second)), []string{"25", "15", "12", "0"})
	})
}

// TestD15DatesOfAnInvoice: it is issued today, in the creditor's time zone, and due so many days later. From which
// day on it is overdue, TestD26StatusOfEveryDay shows.
func TestD15DatesOfAnInvoice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		today := in.today()
		c := in.creditor(t)
		for _, test := range []struct {
			days string
			due  models.Date
		}{{"0", today}, {"1", today + 1}, {"14", today + 14}, {"365", today + 365}} {
			c.invoices(order{days: test.days}).shows("issue_date "+today.String(), "due_date "+test.due.String(), "num_due_days "+test.days, "@status invoice_sent")
		}
		for days, fault := range map[string]string{"-1": "out_of_range", "366": "out_of_range", "1.5": "invalid_number", "x": "invalid_number", " ": "required"} {
			c.post("/invoices", order{days: days}.xml()).refused(422, fault+" num_due_days")
		}

		// It is just after midnight in Oslo: in New York it is still yesterday.
		yesterday := in.creditor(t, tag("time_zone", "America/New_York"))
		invoice := yesterday.invoices(order{days: "0"}).shows("issue_date "+(today-1).String(), "due_date "+(today-1).String(), "@status invoice_sent")
		yesterday.post(invoice.uri()+"/ar_transactions", entry("-1", today)).refused(422, "date_in_future transaction_date")
		c.put("/creditor", tag("creditor", tag("time_zone", "Europe/Nowhere"))).refused(422, "invalid_time_zone time_zone")
	})
}

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
		for _, field := range []string{"name1", "name2", "address1", "address2", "postal_code", "postal_name", "customer_number"} {
			for _, control := range []string{"&#9;", "&#10;", "\u007f", "\u0085"} {
				c.put(customer.uri(), tag("customer", tag(field, "a"+control+"b"))).refused(422, "control_character "+field)
			}
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
