//go:build whole

package stories_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
)

// bookedLate tells of money that came earlier than it was booked: what the reminder charged is reckoned again, with the
// money in its place (rule L4). The first sheet stays as it was.
var bookedLate = []story{
	{
		title: "Money that came on the due date and is booked after the reminder takes fee and interest back",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-21", bankOf("2026-01-05", transferred(1, "1000.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		// Right is interest of 3 days on 1000 kroner and of 11 on 100: 0.99 and 0.36, not 4.60.
		title: "A part that came before the reminder and is booked after it leaves the interest that is right",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-22", bankOf("2026-01-08", transferred(1, "900.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 100.00 at 12", "2026-03-02"},
		},
	},
	{
		// Right is interest of 7 days on 1000 kroner and of 7 on 600 in the reminder, 3.68, not 4.60; in the warning of 28 days
		// on 600, 5.52, not 9.21.
		title: "Money that came before two letters and is booked after them lowers the interest of both",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-23", bankOf("2026-01-12", transferred(1, "400.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		// What was taken back is not charged again. The warning charges from the day after the reminder.
		title: "A payment that is booked late and deleted again charges nothing back",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-21", enters(1, "-1000.00", dated("2026-01-05"))),
			on("2026-01-28", deletesPayment(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
}

// owed tells of what is dunned and what is not: whose money the creditor holds, and what is left of fees alone (rules L5, L7).
var owed = []story{
	{
		title: "Whose money the creditor holds is left alone, and the money is moved when a person says so",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "500.00", 0)),
			on("2026-01-12", bank(transferred(1, "1500.00"))),
			on("2026-02-09", settles("Kari Nordmann")),
		},
	},
	{
		// 200 kroner are not enough for an invoice of 500. What is overpaid goes there first, so that 300 are dunned.
		title: "Credit that does not suffice is moved before the run where the policy wants it", apart: true,
		policy: tag("require_payment_file", "0") + tag("settle_credit", "1"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "500.00", 0)),
			on("2026-01-12", pays(1, "1200.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "8/365 of 500.00 at 12 + 6/365 of 300.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "28/365 of 300.00 at 12", "2026-03-02"},
		},
	},
	{
		// Invoice 1 is credited on 14 January, when 300 kroner of it are paid. The run of the 15th moves them, so they lower
		// the principal of invoice 2 from the 16th.
		title: "What a credit note leaves to the customer is moved before the run where the customer's policy wants it", policy: tag("settle_credit", "1"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "500.00", 0)),
			on("2026-01-12", bank(transferred(1, "300.00"))),
			on("2026-01-14", credits(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "10/365 of 500.00 at 12 + 4/365 of 200.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "28/365 of 200.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "What is left of fee and interest stays owed, and nobody is warned for it",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", pays(1, "1000.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "What is left of fee and interest is waived by the next run where the policy says so", policy: tag("remainder", "waive"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", pays(1, "1000.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
}

// moving tells of customers who move, or whom nobody finds (rule L6).
var moving = []story{
	{
		title: "A reminder goes to where the customer lives on its day, and the warning to where she lives then",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", moves("Kari Nordmann", "Fjellveien 2")),
			on("2026-02-10", moves("Kari Nordmann", "Havnegata 3")),
			on("2026-02-17", isAddressedTo(1, "Fjellveien 2", "Havnegata 3")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "A customer without an address is left alone until there is one",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", moves("Kari Nordmann", "")),
			on("2026-01-26", moves("Kari Nordmann", "Fjellveien 2")),
		},
		charged: []charge{
			{"2026-01-27 Reminder 1 on invoice 1", "38.00", "22/365 of 1000.00 at 12", "2026-02-10"},
			{"2026-02-24 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-10"},
		},
	},
}

// hurried tells of hand-overs by hand before their time (rule L10).
var hurried = []story{{
	title: "Nobody is handed over by hand while the warning's deadline runs, unless a person insists",
	happens: []happening{
		on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
		on("2026-03-02", isNotHandedOver(1, "deadline_running"), insistsOnHandOver(1)),
	},
	charged: []charge{
		{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
	},
}}

// waiting tells of letters that cannot leave: from 05:00 on 19 January until the night after, and from 05:00 on 2 February
// until noon of the 5th, which is longer than they are tried for (rules L1, L2, R5c).
var waiting = []story{
	{
		title: "A reminder that leaves a day late is issued anew on that day",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-19 05:00", printerGone()),
			on("2026-01-20 00:30", printerBack()),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-20 Reminder 1 on invoice 1", "38.00", "15/365 of 1000.00 at 12", "2026-02-03"},
			{"2026-02-17 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-03"},
		},
	},
	{
		title: "A reminder whose letter fails is withdrawn, and the step is taken anew when letters leave again",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14)),
			on("2026-02-02 05:00", printerGone()),
			on("2026-02-05", printerBack()),
		},
		charged: []charge{
			{"2026-02-02 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-16"},
			{"2026-02-03 Reminder 1 on invoice 1, withdrawn", "38.00", "15/365 of 1000.00 at 12", "2026-02-17"},
			{"2026-02-06 Reminder 1 on invoice 1", "38.00", "18/365 of 1000.00 at 12", "2026-02-20"},
		},
	},
	{
		// The letter is tried again on the 6th, and is withdrawn then.
		title: "Who pays while the reminder's letter fails hears nothing when letters leave again",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14)),
			on("2026-02-04", pays(1, "1000.00")),
		},
		charged: []charge{
			{"2026-02-02 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-16"},
			{"2026-02-03 Reminder 1 on invoice 1, withdrawn", "38.00", "15/365 of 1000.00 at 12", "2026-02-17"},
		},
	},
	{
		// Due on Monday 2 February, and sent again on Thursday the 5th: it counts as due on that day.
		title: "An invoice that leaves three days late counts as due three days later",
		happens: []happening{
			on("2026-02-02", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-05 13:00", sendsAgain(1)),
		},
		charged: []charge{
			{"2026-02-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-03-05"},
		},
	},
	{
		// The warning follows 14 days after the reminder's deadline, which is Saturday 21 February: on the Monday after.
		title: "Three postal days are added to the deadline", policy: tag("postal_days", "3"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 2))},
		charged: []charge{
			{"2026-01-21 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-07"},
			{"2026-02-23 Debt-collection warning 2 on invoice 1", "38.00", "33/365 of 1000.00 at 12", "2026-03-12"},
		},
	},
}

// dated is the day on which money came.
func dated(day string) string { return tag("transaction_date", day) }

// settles moves a customer's free credit to the customer's open invoices.
func settles(name string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.create(t, c.customer(t, name)+"/settle", "", http.StatusOK)
	}
}

// moves gives a customer another address, or none.
func moves(name, address string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.customer(t, name), tag("customer", tag("address1", address)))
	}
}

// sendsAgain has the shipments of a document sent again.
func sendsAgain(document int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		failed := read[struct {
			Shipments []struct {
				URI string `xml:"uri,attr"`
			} `xml:"shipment"`
		}](t, c.get(t, "/shipments?state=failed&document=/api/v1"+c.at(t, document)))
		for _, s := range failed.Shipments {
			c.create(t, below(s.URI)+"/retry", "", http.StatusOK)
		}
	}
}

// isAddressedTo fails the test unless the notices on an invoice went to the addresses.
func isAddressedTo(invoice int, want ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		shown := read[struct {
			Notices []struct {
				URI string `xml:"uri,attr"`
			} `xml:"overdue_notices>overdue_notice"`
		}](t, c.get(t, c.at(t, invoice)))
		var got []string
		for _, n := range shown.Notices {
			got = append(got, read[struct {
				XMLName xml.Name `xml:"overdue_notice"`
				Address string   `xml:"recipient>address1"`
			}](t, c.get(t, below(n.URI))).Address)
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("the notices went to %q, want %q", got, want)
		}
	}
}

// isNotHandedOver asks for a hand-over in vain.
func isNotHandedOver(invoice int, code string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		answer := c.create(t, c.at(t, invoice)+"/debt_collection", "", http.StatusConflict)
		if !strings.Contains(string(answer), `code="`+code+`"`) {
			t.Errorf("refused with %s, want %s", answer, code)
		}
	}
}

// insistsOnHandOver hands an invoice over though the warning's deadline runs.
func insistsOnHandOver(invoice int) act {
	return does(invoice, "debt_collection", tag("debt_collection", tag("force", "1")))
}
