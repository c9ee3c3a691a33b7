//go:build whole

package stories_test

// easter tells of Easter, and of three troubles that meet all its stories. On 23 March no letter can be printed from 05:00
// to 20:00. On 25 March the program is stopped twice in the middle of its run. From 7 to 15 April it is down.
var easter = []story{
	{
		// Good Friday moves to Tuesday 7 April, 14 days after which the reminder comes.
		title:   "An invoice that is due on Good Friday counts as due after Easter",
		happens: []happening{on("2026-03-09", invoice("Kari Nordmann", "1000.00", 25))},
		charged: []charge{
			{"2026-04-21 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-05-05"},
		},
	},
	{
		// Due on Monday 9 March, reminded of on the 23rd, when the printer is away. What is paid on the 23rd makes the letter
		// needless before it has left.
		title: "A reminder whose letter waits while the money comes is withdrawn with its fee and interest",
		happens: []happening{
			on("2026-03-09", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-03-23 05:00", printerGone()),
			on("2026-03-23 09:00", pays(1, "1000.00")),
			on("2026-03-23 20:00", printerBack()),
		},
		charged: []charge{
			{"2026-03-23 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-04-06"},
		},
	},
	{
		// What was withdrawn counts for nothing: the reminder is the first one again, and its fee the first.
		title: "A reminder that was withdrawn is made again when the payment was a mistake",
		happens: []happening{
			on("2026-03-09", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-03-23 09:00", pays(1, "1000.00")),
			on("2026-03-26", deletesPayment(1)),
		},
		charged: []charge{
			{"2026-03-23 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-04-06"},
			{"2026-03-27 Reminder 1 on invoice 1", "38.00", "18/365 of 1000.00 at 12", "2026-04-10"},
		},
	},
	{
		title: "A letter that waits for the printer is printed once, though a part was paid meanwhile",
		happens: []happening{
			on("2026-03-09", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-03-23 09:00", pays(1, "400.00")),
		},
		charged: []charge{
			{"2026-03-23 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-04-06"},
			{"2026-04-21 Debt-collection warning 2 on invoice 1", "38.00", "29/365 of 600.00 at 12", "2026-05-05"},
		},
	},
	{
		// Due on Wednesday 11 March. On the 25th the program is ended as soon as the run has made its first notices, with
		// the letters under way, and started again at once; an hour later once more.
		title: "Nothing is done twice when the program is started again in the middle of the day",
		happens: []happening{
			on("2026-03-09", invoices(6, "1000.00", 2)),
			on("2026-03-25 05:59", endsInTheMiddle("2026-03-25 06:00")),
			on("2026-03-25 07:00", isDown("2026-03-25 07:00")),
			on("2026-03-30", pays(1, "1042.60"), pays(2, "1042.60"), pays(3, "1042.60"), pays(4, "1042.60"), pays(5, "1042.60"), pays(6, "1042.60")),
		},
		charged: []charge{
			{"2026-03-25 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
			{"2026-03-25 Reminder 1 on invoice 2", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
			{"2026-03-25 Reminder 1 on invoice 3", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
			{"2026-03-25 Reminder 1 on invoice 4", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
			{"2026-03-25 Reminder 1 on invoice 5", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
			{"2026-03-25 Reminder 1 on invoice 6", "38.00", "14/365 of 1000.00 at 12", "2026-04-08"},
		},
	},
	{
		// Due on Wednesday 25 March: the reminder is missed on 8 April, and goes out on Wednesday the 15th, when the program
		// is started again at 09:30, with interest to that day.
		title: "What was due while the program was down is done on the day on which it is back",
		happens: []happening{
			on("2026-03-09", invoice("Kari Nordmann", "1000.00", 16)),
			on("2026-04-07 10:00", isDown("2026-04-15 09:30")),
		},
		charged: []charge{
			{"2026-04-15 Reminder 1 on invoice 1", "38.00", "21/365 of 1000.00 at 12", "2026-04-29"},
		},
	},
}
