//go:build whole

package stories_test

// christmas tells of due dates, deadlines and sending days around Christmas 2023 and New Year.
var christmas = []story{
	{
		// Due on Monday 11 December, and 14 days later it is Christmas Day; the first weekday after is the 27th.
		title:   "A reminder that falls due on Christmas Day goes out on the 27th, with interest to that day",
		happens: []happening{on("2023-12-11", invoice("Kari Nordmann", "10000.00", 0))},
		charged: []charge{
			{"2023-12-27 Reminder 1 on invoice 1", "35.00", "16/365 of 10000.00 at 11.75", "2024-01-10"},
		},
	},
	{
		title: "Who sends on all days sends on Christmas Day", policy: tag("weekdays_only", "0"),
		happens: []happening{on("2023-12-11", invoice("Kari Nordmann", "10000.00", 0))},
		charged: []charge{
			{"2023-12-25 Reminder 1 on invoice 1", "35.00", "14/365 of 10000.00 at 11.75", "2024-01-08"},
		},
	},
	{
		// Saturday 23 December moves past Sunday and both days of Christmas to Wednesday 27 December; the reminder comes on
		// 10 January. The part that is paid on 2 January lowers the principal from the 3rd.
		title: "An invoice that is due on the eve of Christmas Eve bears interest from the 28th, over a leap year's first days",
		happens: []happening{
			on("2023-12-11", invoice("Kari Nordmann", "10000.00", 12)),
			on("2024-01-02", pays(1, "4000.00")),
		},
		charged: []charge{
			{"2024-01-10 Reminder 1 on invoice 1", "35.00", "4/365 of 10000.00 at 11.75 + 2/366 of 10000.00 at 12.5 + 8/366 of 6000.00 at 12.5", "2024-01-24"},
		},
	},
	{
		// Both letters are without a fee: the first goes out a day after the due date, and the second, which is five days
		// after the first one's deadline of 26 December, moved to the 27th, and over New Year, on 2 January.
		title: "The second letter charges the days since the first one, each at its year's rate", policy: tag("first_notice_days", "1") + tag("second_notice_days", "5"),
		happens: []happening{on("2023-12-11", invoice("Kari Nordmann", "10000.00", 0))},
		charged: []charge{
			{"2023-12-12 Reminder 1 on invoice 1", "0.00", "1/365 of 10000.00 at 11.75", "2023-12-26"},
			{"2024-01-02 Debt-collection warning 2 on invoice 1", "0.00", "19/365 of 10000.00 at 11.75 + 2/366 of 10000.00 at 12.5", "2024-01-16"},
		},
	},
}

// summer tells of interest and compensation over the change of their figures on 1 July 2026.
var summer = []story{
	{
		title:   "A new half-year changes the rate for old claims too",
		happens: []happening{on("2026-06-15", invoice("Kari Nordmann", "10000.00", 0), invoice("Kari Nordmann", "10000.00", 7))},
		charged: []charge{
			{"2026-06-29 Reminder 1 on invoice 1", "38.00", "14/365 of 10000.00 at 12", "2026-07-13"},
			{"2026-07-06 Reminder 1 on invoice 2", "38.00", "8/365 of 10000.00 at 12 + 6/365 of 10000.00 at 12.25", "2026-07-20"},
		},
	},
	{
		// 460 kroner for what falls due and is reminded of in the first half-year, 430 in the second.
		title: "Standard compensation is that of the half-year", policy: tag("compensation", "1"),
		happens: []happening{
			on("2026-06-15", invoice("Rør og Varme AS", "1000.00", 0)),
			on("2026-06-24", invoice("Rør og Varme AS", "1000.00", 7)),
		},
		charged: []charge{
			{"2026-06-29 Reminder 1 on invoice 1", "460.00", "14/365 of 1000.00 at 12", "2026-07-13"},
			{"2026-07-15 Reminder 1 on invoice 2", "430.00", "14/365 of 1000.00 at 12.25", "2026-07-29"},
		},
	},
}
