//go:build whole

package stories_test

// payments tells of invoices of 1000 kroner, due on Monday 5 January, on which something is paid. Payments go to the
// principal first, then to interest, then to fees, and the principal is lower from the day after (rule D29).
var payments = []story{
	{
		title: "A part payment before the first reminder splits the interest",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", bank(transferred(1, "400.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "7/365 of 1000.00 at 12 + 7/365 of 600.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 600.00 at 12", "2026-03-02"},
		},
	},
	{
		// Of 1042.60 are paid 1000 of principal, 4.60 of interest and 15.40 of the fee: 22.60 of the fee are left.
		title:  "A part payment after the reminder leaves a rest of the fee, which bears no interest",
		policy: tag("remainder", "chase") + tag("minimum_balance", "0"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-05", bank(transferred(1, "1020.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "17/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "What is paid on the due date bears no interest, also where the bank tells of it a day later",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 0)),
			on("2026-01-06", bankOf("2026-01-05", transferred(1, "1000.00"), transferred(2, "500.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "14/365 of 500.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 2", "38.00", "28/365 of 500.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "What is paid too much is the customer's, until it is paid back",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", bank(transferred(1, "1200.00"))),
			on("2026-01-26", repays(1, "200.00")),
		},
	},
	{
		title: "All that a reminder asks for is paid in time, and the ladder ends",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-02", bank(transferred(1, "1042.60"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "Who pays without fee and interest is left alone where the rest is below the minimum", policy: tag("minimum_balance", "50"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "49.99", 0), invoice("Anne Nordmann", "50.00", 0)),
			on("2026-01-26", pays(1, "1000.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 3", "38.00", "14/365 of 50.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 3", "38.00", "28/365 of 50.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "A fee and interest that are waived are not asked for again",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", pays(1, "1000.00")),
			on("2026-01-27", waives(1, "OVERDUE_CHARGE", "38.00"), waives(1, "INTEREST", "4.60")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A payment that is deleted was never made",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", pays(1, "1000.00")),
			on("2026-01-26", deletesPayment(1)),
		},
		charged: []charge{
			{"2026-01-27 Reminder 1 on invoice 1", "38.00", "22/365 of 1000.00 at 12", "2026-02-10"},
			{"2026-02-24 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-10"},
		},
	},
}

// creditNotes tells of invoices that are credited (rule D21).
var creditNotes = []story{
	{
		title: "An invoice that is credited before any reminder gets none",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-16", credits(1)),
		},
	},
	{
		title: "A credit note after the reminder takes fee and interest back first",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", credits(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		// The 300 kroner are the customer's, and are paid out on the credit note, the story's second document.
		title: "What was paid before an invoice is credited goes back to the customer",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", bank(transferred(1, "300.00"))),
			on("2026-01-26", credits(1)),
			on("2026-02-02", repays(2, "300.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "7/365 of 1000.00 at 12 + 7/365 of 700.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A part is credited before the reminder, which asks for the rest and for its interest alone",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-12", creditsPart(1, "400.00")),
			on("2026-01-28", pays(1, "642.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "7/365 of 1000.00 at 12 + 7/365 of 600.00 at 12", "2026-02-02"},
		},
	},
	{
		// The 300 kroner are the customer's once the rest is credited too.
		title: "Parts are credited after the reminder, up to the whole of what was paid in part",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", creditsPart(1, "250.00")),
			on("2026-01-28", bank(transferred(1, "300.00"))),
			on("2026-02-03", creditsPart(1, "750.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
}
