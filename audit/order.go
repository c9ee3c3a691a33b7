package audit

import (
	"purr/audit/reckoning"
	"purr/models"
)

// order asks whether the notice came in its order and on its day.
func (j *judge) order() {
	n := j.notice
	before := j.before(n)
	last := newest(before)
	j.place(before)
	due := j.dueThen(n)
	j.backAll(j.ask(notOverdue, n.IssueDate > due, n.IssueDate, due+1))
	if n.automatic() && n.inForce() {
		moved := reckoning.Shift(j.Invoice.DueDate + j.lateFor(n))
		j.backAll(j.ask(notOverdueNow, n.IssueDate > moved, n.IssueDate, moved+1).stands())
	}
	if n.automatic() && last != nil {
		runs := reckoning.Shift(j.runsThen(last, n))
		j.ask(deadlineRuns, n.IssueDate > runs, n.IssueDate, runs+1, row("overdue_notices", n.ID), row("overdue_notices", last.ID))
	}
	j.byPolicy(last)
	if len(j.Originals) > 0 {
		j.ask(invoiceNotLeft, seemedLeft(j.Originals, n.CreatedAt, n.IssueDate), "", "", row("overdue_notices", n.ID), row("invoices", j.Invoice.ID))
		if n.inForce() {
			j.backAll(j.ask(invoiceNotLeftNow, hadLeft(j.Originals, n.CreatedAt, n.IssueDate), "", "", row("overdue_notices", n.ID), row("invoices", j.Invoice.ID)).stands())
		}
	}
	if last != nil && len(last.Sent) > 0 {
		j.ask(lastNotLeft, seemedLeft(last.Sent, n.CreatedAt, n.IssueDate), last.Sent[len(last.Sent)-1].State, models.ShipmentSent, row("overdue_notices", n.ID), row("overdue_notices", last.ID))
	}
	j.days()
	lapses := reckoning.Lapses(j.Invoice.DueDate, j.acknowledged(n.IssueDate))
	j.backAll(j.ask(lapsed, n.IssueDate < lapses, n.IssueDate, lapses))
	if n.Warning {
		j.backFee(j.ask(ownWarning, j.Of.Law.OwnWarning(n.IssueDate), n.IssueDate, ""), 0)
	}
}

// newest returns the last of notices that are in order, or nil.
func newest(all []*Notice) *Notice {
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// place asks for the notice's number, and what may stand before it.
func (j *judge) place(before []*Notice) {
	n := j.notice
	most, sameDay := 0, 0
	warned := (*Notice)(nil)
	for _, o := range before {
		most = max(most, o.Sequence)
		if o.Warning {
			warned = o
		}
	}
	for _, o := range j.Notices {
		if o.ID < n.ID && o.Withdrawn == n.IssueDate {
			sameDay = max(sameDay, o.Sequence)
		}
	}
	j.ask(sequence, n.Sequence == most+1 || n.Sequence == sameDay+1, n.Sequence, most+1)
	j.ask(tooMany, n.Sequence <= 2, n.Sequence, 2)
	j.ask(afterWarning, warned == nil, "", "")
}

// dueThen returns the last day on which the invoice was not overdue, as was known when a notice was issued: automatic dunning counts from the
// day on which the invoice left, and off weekends and holidays (rules L1, E6d).
func (j *judge) dueThen(n *Notice) models.Date {
	if !n.automatic() {
		return j.Invoice.DueDate
	}
	return reckoning.Shift(j.Invoice.DueDate + lateThen(j.Originals, j.Invoice.IssueDate, n.CreatedAt))
}

// runsThen returns until when a notice ran, as was known when a later one was issued (rule D94).
func (j *judge) runsThen(last, n *Notice) models.Date {
	return last.DueDate + lateThen(last.Sent, last.IssueDate, n.CreatedAt)
}

// runsNow returns until when a notice runs, as is known now.
func runsNow(n *Notice) models.Date { return n.DueDate + lateNow(n.Sent, n.IssueDate) }

// byPolicy asks for what the policy of the day says of days (rules E6a, D28).
func (j *judge) byPolicy(last *Notice) {
	n := j.notice
	p, sure := j.policyAt(n.CreatedAt)
	if !sure {
		j.unknown(tooEarly)
		return
	}
	gives := reckoning.Deadline(n.IssueDate, max(p.DaysToPay, reckoning.LeastDays), p.PostalDays, p.PrintDays)
	j.ask(fewerDays, n.DueDate >= gives, n.DueDate, gives)
	if !n.automatic() {
		return
	}
	base, wait := j.dueThen(n), p.FirstNoticeDays
	if last != nil {
		base, wait = max(base, reckoning.Shift(j.runsThen(last, n))), p.SecondNoticeDays
	}
	day := base + models.Date(wait)
	j.ask(tooEarly, n.IssueDate >= day, n.IssueDate, day)
	j.ask(notASendingDay, !p.WeekdaysOnly || reckoning.SendingDay(n.IssueDate), n.IssueDate, reckoning.Shift(n.IssueDate))
	j.fresh()
}

// days asks for the days that the letter leaves to pay: from its own day, and from the one on which it really left (rule D94, inkassoloven
// § 9).
func (j *judge) days() {
	n := j.notice
	few, fewNow := fewDays, fewDaysNow
	if n.Warning {
		few, fewNow = warningDays, warningDaysNow
	}
	given := reckoning.DaysToPay(n.IssueDate, n.DueDate)
	f := j.ask(few, given >= reckoning.LeastDays, given, reckoning.LeastDays)
	if n.Warning { // such a letter is no warning, and bears no fee of one (inkassoforskriften § 1-2)
		j.backFee(f, 0)
	}
	s, left := firstSent(n.Sent)
	if !left || s.vague || !n.inForce() {
		return
	}
	rows := []named{row("overdue_notices", n.ID), row("shipments", s.ID)}
	j.ask(leftBefore, s.left >= n.IssueDate, s.left, n.IssueDate, rows...)
	if s.left <= n.IssueDate {
		return
	}
	given = reckoning.DaysToPay(s.left, n.DueDate)
	if given < reckoning.LeastDays && !j.settledAt(s) {
		f := j.ask(fewNow, false, given, reckoning.LeastDays, rows...)
		if n.Warning {
			j.backFee(f, 0)
		}
		return
	}
	j.ask(countsUntil, max(n.DueDate, n.CountsUntil) >= runsNow(n), max(n.DueDate, n.CountsUntil), runsNow(n), rows...)
}

// settledAt reports whether nothing was claimed on the invoice when it was told that a letter had left late: then nothing is done about it.
func (j *judge) settledAt(s *sending) bool {
	var before, about []models.Entry
	for _, e := range j.everBooked(s.leftKnown) {
		if !e.CreatedAt.After(s.leftKnown) {
			before = append(before, e)
		}
		if !surelyBefore(s.leftKnown, e.CreatedAt) {
			about = append(about, e)
		}
	}
	return !s.leftKnown.IsZero() && (claimed(reckoning.Allocate(before, 0)) <= 0 || claimed(reckoning.Allocate(about, 0)) <= 0)
}

// acknowledged returns the last day up to another on which the debtor acknowledged the claim, by a payment or a plan, or as a person has
// set (foreldelsesloven § 14, rule L26); zero if on none.
func (j *judge) acknowledged(by models.Date) (last models.Date) {
	if j.Invoice.Acknowledged <= by {
		last = j.Invoice.Acknowledged
	}
	for _, e := range j.Entries {
		paid := (e.Type == models.EntryPayment || e.Type == models.EntryOCR) && e.Amount < 0 && e.CreditNoteID == 0 && e.MovedFrom == 0 && e.Adopted != models.Opening
		if paid && e.TransactionDate <= by {
			last = max(last, e.TransactionDate)
		}
	}
	for _, p := range j.Plans {
		if p.Since <= by {
			last = max(last, p.Since)
		}
	}
	return last
}
