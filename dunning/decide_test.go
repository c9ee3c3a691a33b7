package dunning_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/models/calendar"
)

// policy returns the default policy, switched on.
func policy(changes ...func(*models.Policy)) models.Policy {
	p := models.DefaultPolicy()
	p.Enabled = true
	for _, change := range changes {
		change(&p)
	}
	return p
}

func handOverAfter(days int) func(*models.Policy) {
	return func(p *models.Policy) { p.HandOverDays = &days }
}

func warning(step models.WarningStep) func(*models.Policy) {
	return func(p *models.Policy) { p.DebtCollectionNotice = step }
}

func firstAfter(days int) func(*models.Policy) {
	return func(p *models.Policy) { p.FirstNoticeDays = days }
}

func secondAfter(days int) func(*models.Policy) {
	return func(p *models.Policy) { p.SecondNoticeDays = days }
}

// The invoices of the tables: 1000 kroner owed, the last document due on the given day.
func unreminded(due string) models.Invoice {
	return models.Invoice{DueDate: day(due), Deadline: day(due), Balance: 1000_00}
}

func reminded(times int, due string) models.Invoice {
	return models.Invoice{DueDate: day("2026-06-03"), Deadline: day(due), Balance: 1000_00, Notices: times}
}

func warned(due string) models.Invoice {
	return models.Invoice{DueDate: day("2026-06-03"), Deadline: day(due), Balance: 1000_00, Notices: 2, Warned: true}
}

func TestDecideLadderE6a(t *testing.T) {
	t.Parallel()
	const none = dunning.Nothing
	tests := []struct {
		invoice models.Invoice
		policy  models.Policy
		on      string
		action  dunning.Action
		reason  dunning.Reason
		fee     string
		why     string
	}{
		{unreminded("2026-11-02"), policy(), "2026-11-02", none, dunning.NotOverdue, "", "on the due date it is not overdue"},
		{unreminded("2026-11-02"), policy(), "2026-11-03", none, dunning.TooEarly, "", "the day after, the first step's day is not reached"},
		{unreminded("2026-11-02"), policy(), "2026-11-13", none, dunning.TooEarly, "", "nor on the 11th day"},
		{unreminded("2026-11-02"), policy(), "2026-11-16", dunning.Remind, "", "38.00", "on the 14th day it is reminded with a fee"},
		{unreminded("2026-11-02"), policy(), "2026-12-16", dunning.Remind, "", "38.00", "later too, when the day was missed"},
		{unreminded("2026-11-02"), policy(firstAfter(3)), "2026-11-05", dunning.Remind, "", "0.00", "a policy of 3 days reminds without a fee"},
		{unreminded("2026-11-07"), policy(), "2026-11-21", none, dunning.TooEarly, "", "due on a Saturday it counts from Monday (E6d)"},
		{unreminded("2026-11-07"), policy(), "2026-11-23", dunning.Remind, "", "38.00", "and is reminded 14 days after the Monday"},
		{unreminded("2026-11-07"), policy(firstAfter(1)), "2026-11-09", none, dunning.TooEarly, "", "the Monday itself is not a day overdue"},

		{reminded(1, "2026-11-02"), policy(), "2026-11-02", none, dunning.DeadlineRunning, "", "on the reminder's due date the deadline runs"},
		{reminded(1, "2026-11-07"), policy(), "2026-11-09", none, dunning.DeadlineRunning, "", "due on a Saturday it runs through Monday"},
		{reminded(1, "2026-11-07"), policy(), "2026-11-10", none, dunning.TooEarly, "", "from Tuesday it is only too early"},
		{reminded(1, "2026-11-02"), policy(), "2026-11-13", none, dunning.TooEarly, "", "nor is it warned on the 11th day"},
		{reminded(1, "2026-11-02"), policy(), "2026-11-16", dunning.Warn, "", "38.00", "on the 14th day it is warned with a fee"},
		{reminded(1, "2026-11-02"), policy(secondAfter(1)), "2026-11-03", dunning.Warn, "", "0.00", "a policy of 1 day warns without a fee"},
		{reminded(1, "2026-11-02"), policy(warning(models.WarningNever)), "2026-11-16", dunning.Remind, "", "38.00", "a policy without warnings reminds again"},
		{reminded(1, "2026-11-02"), policy(warning(models.WarningFirst)), "2026-11-16", none, dunning.LastNoticeSent, "", "a policy of one notice ends here"},
		{reminded(2, "2026-11-02"), policy(warning(models.WarningNever)), "2026-12-24", none, dunning.LastNoticeSent, "", "there is no third notice"},
		{unreminded("2026-11-02"), policy(warning(models.WarningFirst)), "2026-11-16", dunning.Warn, "", "38.00", "a policy of one notice warns at once"},

		{warned("2026-11-02"), policy(), "2026-12-24", none, dunning.LastNoticeSent, "", "a warned one is handed over by hand only"},
		{warned("2026-11-02"), policy(handOverAfter(7)), "2026-11-02", none, dunning.DeadlineRunning, "", "unless the policy says when: not while the deadline runs"},
		{warned("2026-11-02"), policy(handOverAfter(7)), "2026-11-06", none, dunning.TooEarly, "", "not before its days have passed"},
		{warned("2026-11-02"), policy(handOverAfter(7)), "2026-11-09", dunning.HandOver, "", "", "then it is handed over"},
		{warned("2026-11-07"), policy(handOverAfter(1)), "2026-11-10", dunning.HandOver, "", "", "due on a Saturday, earliest on Tuesday"},
		{reminded(2, "2026-11-02"), policy(handOverAfter(7), warning(models.WarningNever)), "2026-12-24", none, dunning.LastNoticeSent, "", "one that was never warned is not"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := dunning.Decide(dunning.State{Invoice: tt.invoice}, tt.policy, law.Default(), day(tt.on))
			if got.Action != tt.action || got.Reason != tt.reason || got.Fee.Amount != kroner(tt.fee) {
				t.Errorf("it is %q for %q with a fee of %s, want %q for %q with %s",
					got.Action, got.Reason, got.Fee.Amount, tt.action, tt.reason, kroner(tt.fee))
			}
			notice := tt.action == dunning.Remind || tt.action == dunning.Warn
			if got.AddInterest != notice {
				t.Errorf("interest is %t", got.AddInterest)
			}
		})
	}
}

func TestDecideAddsNoInterestWhereThePolicySaysSo(t *testing.T) {
	t.Parallel()
	p := policy(func(p *models.Policy) { p.AddInterest = false })
	got := dunning.Decide(dunning.State{Invoice: unreminded("2026-11-02")}, p, law.Default(), day("2026-11-16"))
	if got.Action != dunning.Remind || got.AddInterest {
		t.Errorf("the decision is %+v, want a reminder without interest", got)
	}
}

func TestDecideInvoicesThatAreNoMatter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		change func(*models.Invoice)
		reason dunning.Reason
	}{
		{func(i *models.Invoice) { i.Closed = models.ClosedLost }, dunning.Closed},
		{func(i *models.Invoice) { i.Closed = models.ClosedOther }, dunning.Closed},
		{func(i *models.Invoice) { i.HandedOver = day("2026-11-12") }, dunning.HandedOver},
		{func(i *models.Invoice) { i.Balance = 0 }, dunning.Paid},
		{func(i *models.Invoice) { i.Balance = -1 }, dunning.Paid},
		{func(i *models.Invoice) { i.Deadline = day("2026-11-16") }, dunning.NotOverdue},
	}
	for _, tt := range tests {
		t.Run(string(tt.reason), func(t *testing.T) {
			invoice := unreminded("2026-11-02")
			tt.change(&invoice)
			// A policy that is off hides none of these: such an invoice is never in the plan.
			for _, p := range []models.Policy{policy(), models.DefaultPolicy()} {
				got := dunning.Decide(dunning.State{Invoice: invoice}, p, law.Default(), day("2026-11-16"))
				if got != (dunning.Decision{Action: dunning.Nothing, Reason: tt.reason}) || got.Reason.Listed() {
					t.Errorf("the decision is %+v", got)
				}
			}
		})
	}
}

// TestE6gWhyAnInvoiceIsLeftAlone has rows that read as sentences of the law, of the policy or of common sense. Unless a row
// says more, its invoice fell due on Monday, 2 November, and its next step is due on Monday, the 16th.
func TestE6gWhyAnInvoiceIsLeftAlone(t *testing.T) {
	t.Parallel()
	hold := func(until string) models.Hold { return models.Hold{Held: true, Until: day(until)} }
	dispute := models.Hold{Held: true, Reason: models.HoldDispute}
	minimum := func(least models.Amount) func(*models.Policy) {
		return func(p *models.Policy) { p.MinimumBalance = least }
	}
	off := func(p *models.Policy) { p.Enabled = false }
	everyDay := func(p *models.Policy) { p.WeekdaysOnly = false }
	noMatterTheBank := func(p *models.Policy) { p.RequirePaymentFile = false }
	noFee := func(p *models.Policy) { p.Fee = new(models.Amount(0)) }
	with := func(i models.Invoice, change func(*models.Invoice)) dunning.State {
		change(&i)
		return dunning.State{Invoice: i}
	}
	plain := func(i models.Invoice) dunning.State { return dunning.State{Invoice: i} }
	overdue, second, handable := unreminded("2026-11-02"), reminded(1, "2026-11-02"), warned("2026-11-02")

	tests := []struct {
		sentence string
		state    dunning.State
		policy   models.Policy
		on       string
		want     string // the step with its fee, or why there is none
	}{
		{"an invoice is not overdue on its due date", plain(overdue), policy(), "2026-11-02", "not_overdue"},
		{"an invoice due on a Sunday is overdue on no day before the Tuesday", plain(unreminded("2026-11-01")), policy(firstAfter(1)), "2026-11-02", "too_early"},
		{"and on that Tuesday it is", plain(unreminded("2026-11-01")), policy(firstAfter(1)), "2026-11-03", "reminder 0.00"},
		{"one due on Christmas Day counts from the first weekday after", plain(unreminded("2026-12-25")), policy(firstAfter(1)), "2026-12-28", "too_early"},
		{"a fee may be charged 14 days after the due date (inkassoforskriften § 1-2)", plain(overdue), policy(), "2026-11-16", "reminder 38.00"},
		{"a notice before that has none", plain(overdue), policy(firstAfter(10)), "2026-11-13", "reminder 0.00"},
		{"nor has one whose policy takes none", plain(overdue), policy(noFee), "2026-11-16", "reminder 0.00"},
		{"a second fee waits 14 days after the first notice's deadline", plain(second), policy(secondAfter(1)), "2026-11-03", "warning 0.00"},
		{"and is allowed then (inkassoforskriften § 1-3)", plain(second), policy(), "2026-11-16", "warning 38.00"},
		{"there are at most two notices with fees", plain(reminded(2, "2026-11-02")), policy(warning(models.WarningNever)), "2026-12-16", "last_notice_sent"},
		{"after a debt-collection warning there is no other notice", plain(handable), policy(), "2026-12-16", "last_notice_sent"},
		{"also where the warning was the first notice", with(second, func(i *models.Invoice) { i.Warned = true }), policy(), "2026-12-16", "last_notice_sent"},
		{"while a notice's deadline runs there is no next step (inkassoloven § 9)", plain(reminded(1, "2026-11-16")), policy(secondAfter(1)), "2026-11-16", "deadline_running"},
		{"a deadline on a Saturday runs until the Monday", plain(reminded(1, "2026-11-14")), policy(secondAfter(1)), "2026-11-16", "deadline_running"},
		{"and so does a warning's before the hand-over", plain(warned("2026-11-14")), policy(handOverAfter(1)), "2026-11-16", "deadline_running"},
		{"a hand-over waits the days that the policy says", plain(handable), policy(handOverAfter(15)), "2026-11-16", "too_early"},
		{"and is made then", plain(handable), policy(handOverAfter(14)), "2026-11-16", "hand_over"},
		{"an invoice on hold is left alone", with(overdue, func(i *models.Invoice) { i.Hold = hold("") }), policy(), "2026-11-16", "hold"},
		{"through the hold's last day", with(overdue, func(i *models.Invoice) { i.Hold = hold("2026-11-16") }), policy(), "2026-11-16", "hold"},
		{"and not after it", with(overdue, func(i *models.Invoice) { i.Hold = hold("2026-11-15") }), policy(), "2026-11-16", "reminder 38.00"},
		{"a customer's hold holds all of its invoices", dunning.State{Invoice: overdue, CustomerHold: hold("2026-11-16")}, policy(), "2026-11-16", "hold"},
		{"until it has run out", dunning.State{Invoice: overdue, CustomerHold: hold("2026-11-15")}, policy(), "2026-11-16", "reminder 38.00"},
		{"a disputed claim is examined before it is dunned (inkassoloven § 17)", with(overdue, func(i *models.Invoice) { i.Hold = dispute }), policy(), "2026-11-16", "hold"},
		{"whoever disputes one claim may dispute all", dunning.State{Invoice: handable, CustomerHold: dispute}, policy(handOverAfter(1)), "2026-11-16", "hold"},
		{"what is owed is below the policy's minimum", plain(overdue), policy(minimum(1000_01)), "2026-11-16", "below_minimum"},
		{"the minimum itself is enough", plain(overdue), policy(minimum(1000_00)), "2026-11-16", "reminder 38.00"},
		{"money in the queue may be the customer's", dunning.State{Invoice: overdue, LikelyPayer: true}, policy(), "2026-11-16", "payment_in_queue"},
		{"a payment may be in the bank's file that is late", dunning.State{Invoice: overdue, FilesLate: true}, policy(), "2026-11-16", "payment_file_late"},
		{"which a policy may not mind", dunning.State{Invoice: overdue, FilesLate: true}, policy(noMatterTheBank), "2026-11-16", "reminder 38.00"},
		{"nothing is sent on a Sunday", plain(overdue), policy(firstAfter(13)), "2026-11-15", "not_a_sending_day"},
		{"nor on a holiday", plain(overdue), policy(), "2026-12-25", "not_a_sending_day"},
		{"unless the policy sends on every day", plain(overdue), policy(firstAfter(13), everyDay), "2026-11-15", "reminder 0.00"},
		{"the policy is off", plain(overdue), policy(off), "2026-11-16", "policy_off"},
		{"a closed invoice is no matter for dunning", with(overdue, func(i *models.Invoice) { i.Closed = models.ClosedLost }), policy(), "2026-11-16", "closed"},
		{"nor is one that an agency has", with(handable, func(i *models.Invoice) { i.HandedOver = day("2026-11-10") }), policy(handOverAfter(1)), "2026-11-16", "handed_over"},
		{"nor one that is paid", with(overdue, func(i *models.Invoice) { i.Balance = 0 }), policy(), "2026-11-16", "paid"},
		{"nor one that is overpaid", with(second, func(i *models.Invoice) { i.Balance = -1 }), policy(), "2026-11-16", "paid"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			d := dunning.Decide(tt.state, tt.policy, law.Default(), day(tt.on))
			got := string(d.Action)
			switch d.Action {
			case dunning.Nothing:
				got = string(d.Reason)
			case dunning.Remind, dunning.Warn:
				got += " " + d.Fee.Amount.String()
			case dunning.HandOver, dunning.Waive, dunning.Close, dunning.Befriend:
			}
			if got != tt.want {
				t.Errorf("it is %s, want %s", got, tt.want)
			}
		})
	}
}

// TestDecideReasonsInOrderE6g removes one hindrance after the other: each time the next reason is given.
func TestDecideReasonsInOrderE6g(t *testing.T) {
	t.Parallel()
	on := day("2026-11-15") // a Sunday
	state := dunning.State{
		Invoice:     reminded(2, "2026-11-14"),
		LikelyPayer: true,
		FilesLate:   true,
	}
	state.Invoice.Hold = models.Hold{Held: true}
	p := policy(func(p *models.Policy) {
		p.Enabled, p.MinimumBalance, p.DueAfter = false, 1000_01, state.Invoice.DueDate
	})

	steps := []struct {
		want     dunning.Reason
		takeAway func()
	}{
		{dunning.PolicyOff, func() { p.Enabled = true }},
		{dunning.DueBeforeStart, func() { p.DueAfter-- }},
		{dunning.OnHold, func() { state.Invoice.Hold.Until = on - 1; state.CustomerHold = models.Hold{Held: true, Until: on} }},
		{dunning.OnHold, func() { state.CustomerHold = models.Hold{} }},
		{dunning.PaymentInQueue, func() { state.LikelyPayer = false }},
		{dunning.BelowMinimum, func() { p.MinimumBalance = 1000_00 }},
		{dunning.LastNoticeSent, func() { state.Invoice.Notices = 1 }},
		{dunning.DeadlineRunning, func() { state.Invoice.Deadline = day("2026-11-06") }},
		{dunning.TooEarly, func() { p.SecondNoticeDays = 9 }},
		{dunning.PaymentFileLate, func() { state.FilesLate = false }},
		{dunning.NotASendingDay, func() { on++ }},
	}
	for _, step := range steps {
		got := dunning.Decide(state, p, law.Default(), on)
		if got != (dunning.Decision{Action: dunning.Nothing, Reason: step.want}) || !got.Reason.Listed() {
			t.Fatalf("the decision is %+v, want nothing for %q", got, step.want)
		}
		step.takeAway()
	}
	if got := dunning.Decide(state, p, law.Default(), on); got.Action != dunning.Warn {
		t.Fatalf("with nothing in the way the decision is %+v", got)
	}
}

func TestDecideWhereThePolicyAsksForNoneOfIt(t *testing.T) {
	t.Parallel()
	p := policy(func(p *models.Policy) { p.WeekdaysOnly, p.RequirePaymentFile = false, false })
	state := dunning.State{Invoice: unreminded("2026-11-02"), FilesLate: true}
	if got := dunning.Decide(state, p, law.Default(), day("2026-11-22")); got.Action != dunning.Remind {
		t.Errorf("on a Sunday with the files late the decision is %+v", got)
	}
}

func TestDecideHandOverWaitsForTheSameReasonsE6g(t *testing.T) {
	t.Parallel()
	p := policy(handOverAfter(7))
	state := dunning.State{Invoice: warned("2026-11-02"), FilesLate: true}
	if got := dunning.Decide(state, p, law.Default(), day("2026-11-16")); got.Reason != dunning.PaymentFileLate {
		t.Errorf("with the files late the decision is %+v", got)
	}
	state.FilesLate = false
	if got := dunning.Decide(state, p, law.Default(), day("2026-11-15")); got.Reason != dunning.NotASendingDay {
		t.Errorf("on a Sunday the decision is %+v", got)
	}
}

func TestDecideUnderTheActOf2026(t *testing.T) {
	t.Parallel()
	rules := rules2026()
	tests := []struct {
		invoice models.Invoice
		policy  models.Policy
		on      string
		action  dunning.Action
		fee     string
		why     string
	}{
		{reminded(1, "2026-12-07"), policy(), "2026-12-31", dunning.Warn, "38.00", "the day before, it is warned"},
		{reminded(1, "2026-12-07"), policy(), "2027-01-04", dunning.Remind, "0.00", "then the warning becomes a free reminder"},
		{unreminded("2026-12-07"), policy(warning(models.WarningFirst)), "2027-01-04", dunning.Remind, "0.00", "the first notice too"},
		{unreminded("2026-12-07"), policy(), "2027-01-04", dunning.Remind, "0.00", "a reminder is free"},
		{warned("2026-12-07"), policy(handOverAfter(7)), "2027-01-04", dunning.HandOver, "0.00", "what was warned before is handed over"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := dunning.Decide(dunning.State{Invoice: tt.invoice}, tt.policy, rules, day(tt.on))
			if got.Action != tt.action || got.Fee.Amount != kroner(tt.fee) {
				t.Errorf("the decision is %+v, want %q with a fee of %s", got, tt.action, tt.fee)
			}
		})
	}
}

func TestNoticeDueDateD28(t *testing.T) {
	t.Parallel()
	tests := []struct {
		daysToPay int
		want      string
	}{{14, "2026-12-04"}, {21, "2026-12-11"}, {0, "2026-12-04"}}
	for _, tt := range tests {
		if got := dunning.NoticeDueDate(models.Policy{DaysToPay: tt.daysToPay}, day("2026-11-20")); got != day(tt.want) {
			t.Errorf("with %d days to pay it is %s, want %s", tt.daysToPay, got, tt.want)
		}
	}
}

func anyPolicy(t *rapid.T) models.Policy {
	p := policy(firstAfter(rapid.IntRange(1, 40).Draw(t, "first_notice_days")),
		secondAfter(rapid.IntRange(1, 40).Draw(t, "second_notice_days")),
		warning(rapid.SampledFrom([]models.WarningStep{models.WarningFirst, models.WarningSecond, models.WarningNever}).Draw(t, "warning")))
	p.Enabled = rapid.IntRange(0, 9).Draw(t, "enabled") > 0
	p.DaysToPay = rapid.IntRange(14, 40).Draw(t, "days_to_pay")
	p.WeekdaysOnly = rapid.Bool().Draw(t, "weekdays_only")
	p.MinimumBalance = models.Amount(rapid.Int64Range(0, 200_00).Draw(t, "minimum_balance"))
	if rapid.Bool().Draw(t, "close") {
		p.CloseBelow = models.Amount(rapid.Int64Range(0, models.MaxCloseBelow).Draw(t, "close_below"))
	}
	if rapid.Bool().Draw(t, "due after") {
		p.DueAfter = dateIn(t, "due_after", day("2025-10-01"), day("2026-12-31"))
	}
	if rapid.Bool().Draw(t, "hand over") {
		handOverAfter(rapid.IntRange(1, 40).Draw(t, "hand_over_days"))(&p)
	}
	return p
}

// TestLadderOfAnUnpaidInvoice lets automatic dunning run for a year on an unpaid invoice, with days on which nothing
// runs, and checks every step by the law, by Windows and by Conditions.
func TestLadderOfAnUnpaidInvoice(t *testing.T) {
	t.Parallel()
	rules := law.Default()
	rapid.Check(t, func(t *rapid.T) {
		p := anyPolicy(t)
		due := dateIn(t, "due", day("2024-01-01"), day("2026-12-31"))
		invoice := models.Invoice{DueDate: due, Deadline: due, Balance: models.Amount(rapid.Int64Range(1, 400_00).Draw(t, "balance"))}
		runsEvery := dateIn(t, "runs every", 1, 9)
		for on := due - 3; on < due+365 && invoice.HandedOver == 0; on += runsEvery {
			last := invoice.Deadline
			moved := calendar.NextWeekday(last)
			d := dunning.Decide(dunning.State{Invoice: invoice}, p, rules, on)
			if d.Action == dunning.Nothing {
				if d.Reason == "" || d.Fee != (law.Charge{}) || d.AddInterest {
					t.Fatalf("nothing is done, but %+v", d)
				}
				continue
			}
			if d.Action == dunning.Close {
				if !p.Enabled || on <= due || d.Left != invoice.Balance || d.Left >= p.CloseBelow {
					t.Fatalf("%+v on %s of an invoice that was due on %s, with %s owed", d, on, due, invoice.Balance)
				}
				break
			}
			switch {
			case d.Reason != "" || !p.Enabled || invoice.Balance < p.MinimumBalance:
				t.Fatalf("%+v, against the policy", d)
			case on <= moved:
				t.Fatalf("%s on %s, with a deadline of %s", d.Action, on, last)
			case p.WeekdaysOnly && !calendar.IsWeekday(on):
				t.Fatalf("%s on %s, not a weekday", d.Action, on)
			case !inWindows(dunning.Windows(on, p), invoice):
				t.Fatalf("%s on %s is in no window", d.Action, on)
			}
			if d.Action == dunning.HandOver {
				if !invoice.Warned || p.HandOverDays == nil || d.Fee.Amount != 0 {
					t.Fatalf("%+v of an invoice that is warned: %t", d, invoice.Warned)
				}
				invoice.HandedOver = on
				continue
			}
			if d.Fee.Amount > 0 && on < moved+14 {
				t.Fatalf("a fee on %s, with a deadline of %s", on, last)
			}
			if err := dunning.Conditions(invoice, d.Fee.Amount > 0, on); err != nil {
				t.Fatalf("a request for the same notice is refused: %v", err)
			}
			invoice.Notices++
			invoice.Warned = d.Action == dunning.Warn
			invoice.Deadline = dunning.NoticeDueDate(p, on)
			invoice.Balance += d.Fee.Amount
			if invoice.Deadline < on+14 || invoice.Notices > 2 {
				t.Fatalf("notice %d on %s due on %s", invoice.Notices, on, invoice.Deadline)
			}
		}
	})
}
