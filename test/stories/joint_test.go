//go:build whole

package stories_test

import (
	"net/http"
	"strings"
	"testing"
)

// byLetter is the policy of customers who get one letter for several invoices.
var byLetter = tag("joint_letters", "1")

// joint tells of letters for several invoices (rule L23). Invoices of 1000 kroner are due on Monday 5 January.
var joint = []story{
	{
		title: "Two invoices share a letter with one fee, and its KID pays both", policy: byLetter,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 0)),
			on("2026-01-16", isPlanned(1, "2026-01-19", `overdue_charge="38.00"`, `letter=`), isPlanned(2, "2026-01-19", `overdue_charge="0.00"`, `letter=`), isPlanned(3, "2026-01-19", `overdue_charge="38.00"`)),
			on("2026-01-28", paysLetter(2, "2047.20"), owes(1, "0.00"), owes(2, "0.00")),
			on("2026-02-10", pays(3, "1042.60")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 2", "0.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 3", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A part of what a letter asks for covers principals first, and the warning is a letter again", policy: byLetter,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-20", paysLetter(1, "1500.00"), owes(1, "42.60"), owes(2, "504.60"), owes(3, "1004.60")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 2", "0.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 3", "0.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "1/365 of 1000.00 at 12 + 27/365 of 500.00 at 12", "2026-03-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 3", "0.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
}

// TestJointLettersInWinterL23 is told of letters for several invoices.
func TestJointLettersInWinterL23(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-02-24", policy: tag("require_payment_file", "0"), stories: joint}.tellInBothForms(t)
}

// paysLetter has the bank bring a payment with the KID of the letter that the last notice on an invoice shares.
func paysLetter(invoice int, amount string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		notices := read[struct {
			Letters []struct {
				URI string `xml:"uri,attr"`
			} `xml:"overdue_notices>overdue_notice>letter"`
		}](t, c.get(t, c.at(t, invoice))).Letters
		letter := read[struct {
			KID string `xml:"ocr_kid_number"`
		}](t, c.get(t, below(notices[len(notices)-1].URI)))
		if !strings.HasPrefix(letter.KID, "9") {
			t.Fatalf("the letter of invoice %d has the KID %q", invoice, letter.KID)
		}
		c.On(t).Get(below(notices[len(notices)-1].URI) + "/pdf").Is(http.StatusOK)
		bank(stray(letter.KID, amount))(t, c)
	}
}
