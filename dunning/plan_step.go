package dunning

import (
	"purr/calendar"
	"purr/models"
)

// Step is what a run of a day does to an invoice, or why it leaves it alone.
type Step struct {
	Decision
	On      models.Date
	Invoice models.Invoice // as the run finds it
	Notice  models.Notice  // of a reminder or warning: not written, without its lines
	Sheet   Sheet          // behind the notice's amounts
}

// notices returns how many notices the step sends: one or none.
func (s Step) notices() int {
	if s.Action == Remind || s.Action == Warn {
		return 1
	}
	return 0
}

// course is an invoice on its way through the runs of some days. Without entries all is as with them, but for interest
// and what is owed with it.
type course struct {
	*Outlook
	account
	customer models.Customer
}

// run makes the run of a day: the invoice is then as that leaves it.
func (c *course) run(on models.Date) Step {
	s := Step{Decision: c.decide(c.invoice, c.customer, on), On: on, Invoice: c.invoice}
	switch s.Action {
	case Remind, Warn:
		s.Notice, s.Sheet = draft(c.rules, c.account, c.order(c.customer, s.Decision, on))
		charges := chargesOf(s.Notice)
		s.Notice.Gross = c.invoice.Balance
		for _, e := range charges {
			s.Notice.Gross += e.Amount
		}
		c.entries = append(c.entries, charges...)
		c.note(s.Notice)
		c.invoice = followed(c.invoice, s.Notice)
		c.invoice.Balance = s.Notice.Gross
	case HandOver:
		c.invoice.HandedOver = on
	case Nothing:
	}
	return s
}

// follow makes the runs of the days from first to last, both inclusive, and calls did with each step that is taken.
func (c *course) follow(first, last models.Date, did func(Step)) {
	for on := first; on <= last; on++ {
		s := c.run(on)
		switch {
		case s.Action != Nothing:
			did(s)
		case s.Reason.lasting():
			return
		case s.Reason.waiting():
			on = c.due() - 1 // on the days between there is the same reason
		}
	}
}

// due returns the day from which on the invoice's next step may be taken.
func (c *course) due() models.Date {
	_, days := nextStep(c.invoice, c.policyFor(c.customer))
	return calendar.NextWeekday(c.invoice.Deadline) + models.Date(days)
}

// lasting reports whether no day to come takes the reason away.
func (r Reason) lasting() bool {
	switch r {
	case Closed, HandedOver, Paid, PolicyOff, BelowMinimum, LastNoticeSent:
		return true
	case NotOverdue, OnHold, PaymentInQueue, DeadlineRunning, TooEarly, PaymentFileLate, NotASendingDay:
	}
	return false
}

// waiting reports whether the next step's day is still to come.
func (r Reason) waiting() bool { return r == NotOverdue || r == DeadlineRunning || r == TooEarly }
