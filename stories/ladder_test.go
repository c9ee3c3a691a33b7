package stories_test

import "testing"

// TestE6aLadders tells of invoices that nobody pays, under the policies that a creditor can choose.
func TestE6aLadders(t *testing.T) {
	tell(
		t,
		story{
			// Due on Monday 19 January; 14 days later the reminder; due on 16 February, and 14 days later the warning; due
			// on 16 March, and 14 days later the debt collector.
			title:  "An invoice that nobody pays climbs the standard ladder to its end",
			begins: "2026-01-05", policy: tag("hand_over_days", "14"), anywhere: true,
			happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14))},
			ends:    "2026-04-30",
			charged: []charge{
				{"2026-02-02 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12.00", "2026-02-16"},
				{"2026-03-02 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12.00", "2026-03-16"},
			},
		},
		story{
			title:  "Who has no hand-over in the policy decides it by hand, and nothing comes after the warning",
			begins: "2026-01-05",
			happens: []happening{
				on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14)),
				on("2026-06-15", handsOver(1)),
			},
			ends: "2026-06-30",
			charged: []charge{
				{"2026-02-02 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12.00", "2026-02-16"},
				{"2026-03-02 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12.00", "2026-03-16"},
			},
		},
	)
}
