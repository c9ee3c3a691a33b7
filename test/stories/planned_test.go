//go:build whole

package stories_test

import (
	"testing"
)

// planned tells of invoices that are paid by instalments (rule L15). Invoices of 1000 kroner are due on Monday 5 January.
var planned = []story{
	{
		title: "Who pays each instalment in time hears nothing, and is waited for three bank days each time",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", plans(1, "2026-01-15", "400.00", "2026-02-16", "300.00", "2026-03-16", "300.00"), isPlanned(1, "2026-01-20", `reason="payment_plan"`)),
			on("2026-01-19", pays(1, "400.00"), planIs(1, "running", "400.00")),
			on("2026-02-16", isPlanned(1, "2026-02-17", `reason="payment_plan"`), pays(1, "300.00")),
			on("2026-03-03", pays(1, "300.00"), planIs(1, "running", "1000.00")),
			on("2026-03-04", planIs(1, "kept", "1000.00")),
		},
	},
	{
		// The second instalment is due on Saturday 14 February, and so on Monday; it is waited for until Thursday the 19th.
		title: "Who misses an instalment is reminded where the ladder was, with interest all the time",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", plans(1, "2026-01-14", "400.00", "2026-02-14", "600.00")),
			on("2026-01-15", pays(1, "400.00")),
			on("2026-02-19", planIs(1, "running", "400.00"), isPlanned(1, "2026-02-20", `<notice `)),
			on("2026-02-20", planIs(1, "broken", "400.00")),
			on("2026-02-23", plans(1, "2026-03-02", "648.39")),
			on("2026-03-02", pays(1, "648.39")),
			on("2026-03-03", planIs(1, "kept", "648.39")),
		},
		charged: []charge{{"2026-02-20 Reminder 1 on invoice 1", "38.00", "10/365 of 1000.00 at 12 + 36/365 of 600.00 at 12", "2026-03-06"}},
	},
	{
		title: "A plan that a person ends lets the ladder go on, and one on hold is not broken",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 0)),
			on("2026-01-12", plans(1, "2026-02-16", "1000.00"), plans(2, "2026-01-20", "1000.00"), holds(2, "2026-02-08")),
			on("2026-02-02", endsPlan(1), planIs(1, "ended", "0.00"), planIs(2, "running", "0.00")),
			on("2026-02-05", pays(2, "1000.00")),
		},
		charged: []charge{
			{"2026-02-03 Reminder 1 on invoice 1", "38.00", "29/365 of 1000.00 at 12", "2026-02-17"},
			{"2026-03-03 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-17"},
		},
	},
}

// TestPaidByInstalmentsL15 is told of payment plans over a winter.
func TestPaidByInstalmentsL15(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-03-09", policy: tag("require_payment_file", "0"), stories: planned}.tellInBothForms(t)
}

// plans makes a payment plan for an invoice: days, each with an amount.
func plans(invoice int, parts ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		body := ""
		for n := 0; n < len(parts); n += 2 {
			body += `<instalment due_date="` + parts[n] + `" amount="` + parts[n+1] + `"/>`
		}
		c.change(t, c.at(t, invoice)+"/payment_plan", tag("payment_plan", body))
	}
}

// endsPlan ends the plan that runs for an invoice.
func endsPlan(invoice int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.remove(t, c.at(t, invoice)+"/payment_plan")
	}
}

// planIs fails the test unless the last plan of an invoice is in a state, with so much covered.
func planIs(invoice int, state, covered string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		got := read[struct {
			State   string `xml:"state,attr"`
			Covered string `xml:"covered,attr"`
		}](t, c.get(t, c.at(t, invoice)+"/payment_plan"))
		if got.State != state || got.Covered != covered {
			t.Errorf("on %s the plan of invoice %d is %s with %s covered, want %s with %s", c.today(), invoice, got.State, got.Covered, state, covered)
		}
	}
}
