package conformance_test

import (
	"fmt"
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
				shown := made.All("lines/line")[i]
				shown.Shows("@index "+fmt.Sprint(i+1), "net_amount "+l.net, "gross_amount "+l.gross, "discount_percent "+l.discount)
				net += shown.Ore("net_amount")
				gross += shown.Ore("gross_amount")
			}
			made.Shows("net_amount "+kroner(net), "gross_amount "+kroner(gross), "ar_transactions/@balance "+kroner(gross))
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
			c.Post("/invoices", order{lines: test.lines}.xml()).Refused(422, test.fault)
		}
		invoice := c.invoices(order{}).Shows("invoice_number 1")
		for _, wrong := range []string{"-1.001", "-1,00", "-1e1", "+1", "", "- 1", "-99999999999.99"} {
			fault := "invalid_amount amount"
			if wrong == "" {
				fault = "required amount"
			}
			c.Post(invoice.URI()+"/ar_transactions", entry(wrong, in.Today())).Refused(422, fault)
		}
		c.Post(invoice.URI()+"/ar_transactions", entry("-1.5", in.Today())).Created().Shows("amount -1.50")
	})
}

// TestD14VATRates uses the default set, and a creditor's own rates from their dates on. What was made before
// keeps its percents.
func TestD14VATRates(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		lines := []string{line("x", "100", "1", "HIGH"), line("x", "100", "1", "MEDIUM"), line("x", "100", "1", "LOW"), line("x", "100", "1", "NONE")}
		percents := func(n node) []string { return texts(n.All("lines/line/vat_rate"), "@percent") }
		first := c.invoices(order{lines: lines}).Shows("gross_amount 448.00")
		same(t, "percents of the default set", percents(first), []string{"25", "15", "8", "0"})
		same(t, "rates", texts(first.All("lines/line"), "vat_rate"), []string{"HIGH", "MEDIUM", "LOW", "NONE"})

		rate := func(percent string, from models.Date) string {
			return fmt.Sprintf(`<vat_rate name="LOW" percent="%s" from="%s"/>`, percent, from)
		}
		c.Put("/creditor", tag("creditor", tag("vat_rates", rate("12", in.Today()), rate("10", in.Today()-30), rate("50", in.Today()+1)))).Is(200)
		second := c.invoices(order{lines: lines}).Shows("gross_amount 452.00")
		same(t, "percents from today on", percents(second), []string{"25", "15", "12", "0"})
		c.Put("/creditor", tag("creditor", tag("vat_rates", rate("11.11", in.Today()-1)))).Is(200)
		same(t, "percents after another change", percents(c.invoices(order{lines: lines})), []string{"25", "15", "11.11", "0"})
		c.again(first).Equals(first)
		same(t, "percents of the second invoice's credit note", percents(c.credits(second)), []string{"25", "15", "12", "0"})
	})
}

// TestD15DatesOfAnInvoice: it is issued today, in the creditor's time zone, and due so many days later. From which
// day on it is overdue, TestD26StatusOfEveryDay shows.
func TestD15DatesOfAnInvoice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		today := in.Today()
		c := in.creditor(t)
		for _, test := range []struct {
			days string
			due  models.Date
		}{{"0", today}, {"1", today + 1}, {"14", today + 14}, {"365", today + 365}} {
			c.invoices(order{days: test.days}).Shows("issue_date "+today.String(), "due_date "+test.due.String(), "num_due_days "+test.days, "@status invoice_sent")
		}
		for days, fault := range map[string]string{"-1": "out_of_range", "366": "out_of_range", "1.5": "invalid_number", "x": "invalid_number", " ": "required"} {
			c.Post("/invoices", order{days: days}.xml()).Refused(422, fault+" num_due_days")
		}

		// It is just after midnight in Oslo: in New York it is still yesterday.
		yesterday := in.creditor(t, tag("time_zone", "America/New_York"))
		invoice := yesterday.invoices(order{days: "0"}).Shows("issue_date "+(today-1).String(), "due_date "+(today-1).String(), "@status invoice_sent")
		yesterday.Post(invoice.URI()+"/ar_transactions", entry("-1", today)).Refused(422, "date_in_future transaction_date")
		c.Put("/creditor", tag("creditor", tag("time_zone", "Europe/Nowhere"))).Refused(422, "invalid_time_zone time_zone")
	})
}
