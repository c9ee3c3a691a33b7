//go:build whole

package stories_test

// ladders tells of invoices that nobody pays, under the policies that can be chosen (rule E6a). They are due on Monday
// 5 January, the day on which they are sent, or later.
var ladders = []story{
	{
		title: "An invoice that nobody pays climbs the standard ladder to its end", policy: tag("hand_over_days", "7"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "Without a hand-over in the policy a person decides it, and nothing comes after the warning before",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-03-06", handsOver(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		// Both deadlines and the days between are longer.
		title: "The slow ladder waits 20 days, and gives 21 to pay", policy: tag("first_notice_days", "20") + tag("second_notice_days", "20") + tag("days_to_pay", "21"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-26 Reminder 1 on invoice 1", "38.00", "21/365 of 1000.00 at 12", "2026-02-16"},                // the 25th is a Sunday
			{"2026-03-09 Debt-collection warning 2 on invoice 1", "38.00", "42/365 of 1000.00 at 12", "2026-03-30"}, // the 8th too
		},
	},
	{
		title: "Where the warning comes first it is the only letter", policy: tag("debt_collection_notice", "first") + tag("hand_over_days", "1"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-19 Debt-collection warning 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "Where the warning never comes two reminders do, and nobody is handed over", policy: tag("debt_collection_notice", "never") + tag("hand_over_days", "1"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Reminder 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "Without fee and interest the letters ask for the invoice alone", policy: tag("fee", "0") + tag("add_interest", "0"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "0.00", "", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "0.00", "", "2026-03-02"},
		},
	},
	{
		// The first reminder goes out four days after the due date, ten days before a fee is allowed (inkassoforskriften
		// § 1-2). Its deadline is 23 January, a Friday, and the warning comes 14 days after that.
		title: "A friendly reminder is without a fee, and the own fee below the maximum comes with the warning", policy: tag("first_notice_days", "4") + tag("fee", "25.50"),
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0))},
		charged: []charge{
			{"2026-01-09 Reminder 1 on invoice 1", "0.00", "4/365 of 1000.00 at 12", "2026-01-23"},
			{"2026-02-06 Debt-collection warning 2 on invoice 1", "25.50", "28/365 of 1000.00 at 12", "2026-02-20"},
		},
	},
	{
		// Forsinkelsesrenteloven § 3a: 460 kroner from January 2026; inkassoforskriften § 1-5: no fee besides.
		title: "A business is charged standard compensation once, in the place of all fees",
		happens: []happening{on(
			"2026-01-05", own("Rør og Varme AS", tag("compensation", "1")),
			invoice("Rør og Varme AS", "1000.00", 0), invoice("Kari Nordmann", "1000.00", 0),
		)},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "460.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "0.00", "28/365 of 1000.00 at 12", "2026-03-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		// 20 percent may be agreed on with a business, not with a consumer.
		title: "A higher rate is for businesses only, and a lower one for all", policy: tag("interest_rate", "20"),
		happens: []happening{
			on("2026-01-05", invoice("Rør og Varme AS", "1000.00", 0), invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", own("Rør og Varme AS", tag("interest_rate", "6")), own("Kari Nordmann", tag("interest_rate", "6"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 20", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 6", "2026-03-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "28/365 of 1000.00 at 6", "2026-03-02"},
		},
	},
}
