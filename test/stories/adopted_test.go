//go:build whole

package stories_test

import (
	"net/http"
	"testing"
)

// adopted tells of invoices that another system has issued (rules L17, L17a). Its numbers lie below the series, which begins at 1000.
var adopted = []story{
	{
		// Due on Monday 5 January, and adopted ten days later with what is left of it.
		title: "An adopted invoice bears interest on what is open from its due date, and what its own system tells later counts from that day",
		happens: []happening{
			on("2026-01-15", adopts("Kari Nordmann", "7", "2025-12-22", "2026-01-05", "600.00", ""), owes(1, "600.00"), isPlanned(1, "2026-01-19", `<notice `)),
			on("2026-01-28", tells("7", "400.00"), tells("7", "400.00"), owes(1, "440.76")),
			on("2026-03-01", tells("7", "0.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 600.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "9/365 of 600.00 at 12 + 19/365 of 400.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "An adopted invoice goes on where its system left the ladder, and no day bears interest twice",
		happens: []happening{
			on("2026-01-20", adopts("Kari Nordmann", "8", "2025-11-24", "2025-12-08", "1047.21",
				tag("notice", tag("issue_date", "2026-01-05"), tag("due_date", "2026-01-19"), tag("charge", "38.00"), tag("interest", "9.21"))), owes(1, "1047.21")),
		},
		charged: []charge{
			{"2026-02-02 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-02-16"},
		},
	},
}

// adopts has purr follow an invoice of 1000 kroner that another system has issued.
func adopts(to, number, issued, due, balance, notices string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		kid := map[string]string{"7": "70000000078", "8": "70000000086"}[number]
		c.change(t, "/creditor", tag("creditor", tag("first_number", "1000")))
		c.made(t, c.create(t, "/adopted_invoices", tag("adopted_invoice", tag("invoice_number", number), tag("issue_date", issued), tag("due_date", due),
			tag("gross_amount", "1000.00"), tag("balance", balance), tag("kid", kid), `<recipient uri="/api/v1`+c.customer(t, to)+`"/>`, tag("notices", notices)), http.StatusCreated))
	}
}

// tells has the other system tell what is owed of an adopted invoice.
func tells(number, balance string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, "/adopted_invoice/"+number, tag("adopted_invoice", tag("balance", balance)))
	}
}

// TestAdoptedInWinterL17 is told of invoices of another system.
func TestAdoptedInWinterL17(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-03-09", policy: tag("require_payment_file", "0"), stories: adopted}.tellInBothForms(t)
}
