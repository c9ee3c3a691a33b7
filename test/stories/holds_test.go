//go:build whole

package stories_test

// holdings tells of invoices of 1000 kroner, due on Monday 5 January, that are on hold for a while (rule E2).
var holdings = []story{
	{
		title: "An invoice on hold until Saturday 31 January is reminded of on the Monday after",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", holds(1, "2026-01-31")),
		},
		charged: []charge{
			{"2026-02-02 Reminder 1 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-02-16"},
			{"2026-03-02 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-16"},
		},
	},
	{
		title: "A customer on hold is left alone with all invoices, until the hold is over",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Kari Nordmann", "500.00", 28), invoice("Ola Nordmann", "200.00", 0)),
			on("2026-01-12", holdsCustomer("Kari Nordmann", "2026-03-03")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 3", "38.00", "14/365 of 200.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 3", "38.00", "28/365 of 200.00 at 12", "2026-03-02"},
			{"2026-03-04 Reminder 1 on invoice 1", "38.00", "58/365 of 1000.00 at 12", "2026-03-18"},
			{"2026-03-04 Reminder 1 on invoice 2", "38.00", "30/365 of 500.00 at 12", "2026-03-18"},
		},
	},
	{
		// Inkassoloven § 17: an objection that was worth examining costs nothing. Interest is no cost, and goes on.
		title: "Who disputes a claim is charged no fee as long, and interest all the time",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", disputes(1, "")),
			on("2026-01-26", isRefused(1, true, true, false, "disputed")),
			on("2026-02-02", releases(1)),
		},
		charged: []charge{
			{"2026-02-03 Reminder 1 on invoice 1", "38.00", "29/365 of 1000.00 at 12", "2026-02-17"},
			{"2026-03-03 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-17"},
		},
	},
	{
		title: "A customer who is exempted hears nothing, until the customer's own policy says otherwise",
		happens: []happening{
			on("2026-01-05", own("Kari Nordmann", tag("enabled", "0")), invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-02", own("Kari Nordmann", tag("enabled", "1"), tag("fee", "20"))),
		},
		charged: []charge{
			{"2026-02-03 Reminder 1 on invoice 1", "20.00", "29/365 of 1000.00 at 12", "2026-02-17"},
			{"2026-03-03 Debt-collection warning 2 on invoice 1", "20.00", "28/365 of 1000.00 at 12", "2026-03-17"},
		},
	},
}

// endings tells of invoices of 1000 kroner, due on Monday 5 January, whose ladder a person ends (rule E2).
var endings = []story{
	{
		title: "A claim that is closed as lost stays so when a part is paid after all",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-20", closes(1, "lost")),
			on("2026-03-06", bank(transferred(1, "500.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "An invoice that was closed and is reopened goes on where it was",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", closes(1, "other")),
			on("2026-02-23", reopens(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-24 Debt-collection warning 2 on invoice 1", "38.00", "36/365 of 1000.00 at 12", "2026-03-10"},
		},
	},
	{
		title: "After the hand-over nothing is charged, and payments are told of", policy: tag("debt_collection_notice", "first") + tag("hand_over_days", "7"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-16", bank(transferred(1, "600.00"))),
			on("2026-03-02", pays(1, "442.60")),
		},
		charged: []charge{
			{"2026-01-19 Debt-collection warning 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A hand-over that is taken back lets the ladder go on with the warning",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-04", handsOver(1)),
			on("2026-02-25", reopens(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-26 Debt-collection warning 2 on invoice 1", "38.00", "38/365 of 1000.00 at 12", "2026-03-12"},
		},
	},
}

// requests tells of notices that are asked for through the API. They count from the plain due date (rule E6d), and
// interest from that moved off the weekend (rule D29).
var requests = []story{
	{
		// Due on Saturday 10 January: a fee may be asked for on the 24th, and interest counts from Monday 12 January. The
		// notice is due on Saturday 7 February, which counts as the 9th for the automatic warning, 14 days later.
		title: "A reminder that is asked for on the first day that bears a fee is followed by the automatic warning", policy: tag("first_notice_days", "30"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 5)),
			on("2026-01-10", isRefused(1, false, false, false, "not_overdue")),
			on("2026-01-23", isRefused(1, true, true, false, "too_early_for_charge")),
			on("2026-01-24", asks(1, true, true, false)),
			on("2026-02-20", isRefused(1, true, false, true, "too_early_for_charge")),
		},
		charged: []charge{
			{"2026-01-24 Reminder 1 on invoice 1", "38.00", "12/365 of 1000.00 at 12", "2026-02-07"},
			{"2026-02-23 Debt-collection warning 2 on invoice 1", "38.00", "30/365 of 1000.00 at 12", "2026-03-09"},
		},
	},
	{
		title:   "An invoice that is due on a Sunday counts as due on Monday",
		happens: []happening{on("2026-01-05", invoice("Kari Nordmann", "1000.00", 6))},
		charged: []charge{
			{"2026-01-26 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-09"},
			{"2026-02-23 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-09"},
		},
	},
}
