//go:build whole

package stories_test

// remainders tells of invoices of which little is left, and which runs close for it (rule L25). Each is reminded first.
var remainders = []story{
	{
		title: "Little is left, a run closes the invoice, and what comes late pays the next one", policy: tag("close_below", "50"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", bank(transferred(1, "980.00"))),
			on("2026-01-30", invoice("Kari Nordmann", "500.00", 30)),
			on("2026-02-09", bank(transferred(1, "20.00"))),
			on("2026-02-16", settles("Kari Nordmann")),
			on("2026-02-20", bank(transferred(2, "480.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A person opens what a run has closed for a small remainder, and no run closes it again", policy: tag("close_below", "50"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", bank(transferred(1, "980.00"))),
			on("2026-01-28", reopens(1)),
			on("2026-02-09", bank(transferred(1, "20.00"))),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "What had left so little is taken back, and the ladder goes on", policy: tag("close_below", "50"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-26", pays(1, "980.00")),
			on("2026-02-09", deletesPayment(1)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
}
