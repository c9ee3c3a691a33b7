//go:build whole

package stories_test

// autumn tells of the bank's files, and of creditors of their own. Late interest is 12.25 percent. Most remind seven days
// after the due date, which is too early for a fee.
var autumn = []story{
	{
		// Due on Monday 7 September; the reminder falls due on the 14th, for which the file of Friday the 11th is needed. It
		// comes on the 16th at noon, and the run of that day is made again.
		title: "While the bank's file is late nobody is reminded, and when it comes the day's run is made again", apart: true, policy: tag("first_notice_days", "7"),
		happens: []happening{
			on("2026-09-07", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 0), invoice("Anne Nordmann", "500.00", 30)),
			on("2026-09-09", bank(transferred(3, "100.00"))),
			on("2026-09-16", bankOf("2026-09-15", transferred(2, "1000.00"))),
		},
		charged: []charge{
			{"2026-09-16 Reminder 1 on invoice 1", "0.00", "9/365 of 1000.00 at 12.25", "2026-09-30"},
		},
	},
	{
		title: "A person's word that no file comes lets the run go on", apart: true, policy: tag("first_notice_days", "7"),
		happens: []happening{
			on("2026-09-07", invoice("Kari Nordmann", "1000.00", 0), invoice("Anne Nordmann", "500.00", 60)),
			on("2026-09-09", bank(transferred(2, "100.00"))),
			on("2026-09-15", confirmsNone()),
		},
		charged: []charge{
			{"2026-09-15 Reminder 1 on invoice 1", "0.00", "8/365 of 1000.00 at 12.25", "2026-09-29"},
		},
	},
	{
		// The money comes on 11 September with an unknown KID. Its amount is what one invoice owes, so that customer is its
		// likely payer, and is not dunned as long as it waits. After ten days a person is told (rule L3).
		title: "Money that nobody could place shields who may have paid it as long as it waits", apart: true,
		policy: tag("first_notice_days", "7") + tag("require_payment_file", "0"),
		happens: []happening{
			on("2026-09-07", invoice("Kari Nordmann", "1234.00", 0), invoice("Ola Nordmann", "1000.00", 0)),
			on("2026-09-11", bank(stray("9999999994", "1234.00"))),
		},
		charged: []charge{
			{"2026-09-14 Reminder 1 on invoice 2", "0.00", "7/365 of 1000.00 at 12.25", "2026-09-28"},
		},
	},
	{
		title: "Money that a person places in time ends the ladder, and what is sent back ends the shield", apart: true,
		policy: tag("first_notice_days", "7") + tag("require_payment_file", "0"),
		happens: []happening{
			on("2026-09-07", invoice("Kari Nordmann", "1234.00", 0), invoice("Ola Nordmann", "777.00", 0)),
			on("2026-09-11", bank(stray("9999999994", "1234.00"))),
			on("2026-09-11 13:00", matches(1)),
			on("2026-09-11 14:00", bank(stray("9999999994", "777.00"))),
			on("2026-09-16", dismisses()),
		},
		charged: []charge{
			{"2026-09-17 Reminder 1 on invoice 2", "0.00", "10/365 of 777.00 at 12.25", "2026-10-01"},
		},
	},
	{
		// The policy is switched on when one invoice is eleven days overdue, and another three.
		title: "A policy that is switched on later finds the old invoices, and hands over none at once", apart: true,
		policy: tag("enabled", "0") + tag("debt_collection_notice", "first") + tag("first_notice_days", "5") + tag("hand_over_days", "1"),
		happens: []happening{
			on("2026-09-07", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 8)),
			on("2026-09-18", policy(tag("enabled", "1"))),
		},
		charged: []charge{
			{"2026-09-21 Debt-collection warning 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12.25", "2026-10-05"},
			{"2026-09-21 Debt-collection warning 1 on invoice 2", "0.00", "6/365 of 1000.00 at 12.25", "2026-10-05"},
		},
	},
	{
		title: "A run above the ceiling waits for a person, and goes on when it is approved", apart: true, policy: tag("first_notice_days", "7"),
		happens: []happening{
			on("2026-09-07", creditor(tag("dunning_ceiling", "2")), invoices(3, "300.00", 0)),
			on("2026-09-15", approves()),
		},
		charged: []charge{
			{"2026-09-15 Reminder 1 on invoice 1", "0.00", "8/365 of 300.00 at 12.25", "2026-09-29"},
			{"2026-09-15 Reminder 1 on invoice 2", "0.00", "8/365 of 300.00 at 12.25", "2026-09-29"},
			{"2026-09-15 Reminder 1 on invoice 3", "0.00", "8/365 of 300.00 at 12.25", "2026-09-29"},
		},
	},
	{
		title: "Each creditor has an invoice 1, and follows its own policy", apart: true, policy: tag("debt_collection_notice", "first") + tag("fee", "30"),
		happens: []happening{on("2026-09-07", invoice("Kari Nordmann", "1234.00", 0))},
		charged: []charge{
			{"2026-09-21 Debt-collection warning 1 on invoice 1", "30.00", "14/365 of 1234.00 at 12.25", "2026-10-05"},
		},
	},
}
