package audit

import (
	"slices"

	"purr/audit/reckoning"
	"purr/models"
)

// interest asks whether the notice charges the interest that has accrued, and no more (forsinkelsesrenteloven §§ 2, 3, rule D29).
func (j *judge) interest() {
	n := j.notice
	j.ask(interestAsSheet, !n.plain || n.Interest == n.sheet.Interest.Amount, n.Interest, n.sheet.Interest.Amount)
	j.ask(interestBooked, j.booked(n).Interest == n.Interest, j.booked(n).Interest, n.Interest)
	if n.Interest == 0 && j.net(n).Interest <= 0 {
		return
	}
	j.backInterest(j.ask(interestNotAsked, n.automatic() || n.AskedInterest, n.Interest, models.Amount(0)), 0)
	policy, sure := j.policyAt(n.CreatedAt)
	if sure && n.automatic() {
		j.backInterest(j.ask(interestOff, policy.AddInterest, n.Interest, models.Amount(0)), 0)
	}
	if !n.plain {
		j.unknown(interestTooHigh)
		return
	}
	j.segments()
	agreed := j.rates(policy, sure)
	j.daysOfInterest()
	booked, sureOfBooks := j.bookedBefore(n)
	if !sureOfBooks {
		j.unknown(interestTooHigh)
	} else {
		right := j.accrued(reckoning.Principal(booked), reckoning.FirstInterestDay(j.Invoice.DueDate, j.Invoice.IssueDate,
			j.Invoice.IssueDate+lateThen(j.Originals, j.Invoice.IssueDate, n.CreatedAt), j.chargedTo(n)), agreed)
		f := j.ask(interestTooHigh, n.Interest <= right, n.Interest, right)
		j.backInterest(f, right)
		if agreed == nil && f == nil && len(j.Invoice.InterestFree) == 0 && j.lateIsSure() {
			j.ask(interestTooLow, n.Interest >= right, n.Interest, right)
		}
	}
	if !n.inForce() {
		return
	}
	first := reckoning.FirstInterestDay(j.Invoice.DueDate, j.Invoice.IssueDate, j.Invoice.IssueDate+j.lateFor(n), 0)
	if s := n.sheet.Interest.Segments; len(s) > 0 {
		first = max(first, s[0].From)
	}
	right := j.accrued(reckoning.Principal(j.Entries), first, agreed)
	net := j.net(n)
	j.backInterest(j.ask(interestTooHighNow, net.Interest <= right, net.Interest, right).stands(), right)
}

// lateIsSure reports whether the rows tell from which day on the notice charges: on which day the invoice was known to have left when it was
// issued, and what had been charged before.
func (j *judge) lateIsSure() bool {
	if slices.ContainsFunc(j.Notices, func(o Notice) bool { return o.ID < j.notice.ID && o.Withdrawn == j.notice.IssueDate }) {
		return false // whether it was withdrawn before or after, and had charged for days, the rows do not say
	}
	at := j.notice.CreatedAt
	return !slices.ContainsFunc(j.Originals, func(s sending) bool {
		return s.vague || s.RetriedAt != nil || !surelyBefore(s.leftKnown, at) || s.SentAt != nil && near(*s.SentAt, at)
	})
}

// segments asks whether each segment of the sheet adds up: its days, its year and its sum, and all of them together.
func (j *judge) segments() {
	n := j.notice
	sum, right, holds := models.Amount(0), models.Amount(0), true
	for _, s := range n.sheet.Interest.Segments {
		sum += s.Amount
		of := models.Amount(0)
		if s.From <= s.To && s.Principal > 0 && s.Rate >= 0 {
			of = reckoning.Simple(s.Principal, s.Rate, s.From, s.To)
		}
		right += of
		holds = holds && s.Amount == of && s.Days == int64(s.To-s.From)+1 && s.YearDays == int64(s.From.DaysInYear())
	}
	f := j.ask(segmentWrong, holds, sum, right)
	j.backInterest(f, max(0, n.Interest-max(0, sum-right)))
	j.ask(segmentsSum, sum == n.sheet.Interest.Amount, n.sheet.Interest.Amount, sum)
}

// rates asks for the rate of each segment: the legal one, or another that may be used. It returns that other rate, nil for the legal one.
func (j *judge) rates(p models.Policy, sure bool) (agreed *models.Percent) {
	n := j.notice
	high, other, outdated := false, false, false
	var found, legal models.Percent
	for _, s := range n.sheet.Interest.Segments {
		is := j.Of.Law.Rate(s.From).Percent
		if s.Rate == is {
			continue
		}
		if s.Outdated {
			outdated = true
		}
		found, legal, other = s.Rate, is, true
		agreed = &found
		high = high || s.Rate > is
	}
	mayDiffer := sure && p.InterestRate != nil && *p.InterestRate == found
	switch {
	case !other:
		j.ask(rateNotLegal, true, "", "")
		return nil
	case outdated:
		j.ask(rateNotKnownThen, false, found, legal)
		return agreed
	case high && !n.business():
		j.backInterest(j.ask(rateAboveLegal, false, found, legal), j.atLegalRate())
		return nil
	case high && !sure:
		j.unknown(rateAboveAgreed)
		return agreed
	case high:
		f := j.ask(rateAboveAgreed, mayDiffer, found, legal)
		j.backInterest(f, j.atLegalRate())
		if f != nil {
			return nil
		}
		return agreed
	case sure:
		j.ask(rateNotLegal, mayDiffer, found, legal)
	default:
		j.unknown(rateNotLegal)
	}
	return agreed
}

// atLegalRate returns what the sheet's days and sums come to at the legal rates.
func (j *judge) atLegalRate() (sum models.Amount) {
	for _, s := range j.notice.sheet.Interest.Segments {
		if s.From <= s.To && s.Principal > 0 {
			sum += reckoning.Simple(s.Principal, min(s.Rate, j.Of.Law.Rate(s.From).Percent), s.From, s.To)
		}
	}
	return sum
}

// daysOfInterest asks for the days of the segments: none before the claim was due, none after the letter, none twice, none that a person had waived.
func (j *judge) daysOfInterest() {
	n := j.notice
	first := reckoning.FirstInterestDay(j.Invoice.DueDate, j.Invoice.IssueDate, j.Invoice.IssueDate+lateThen(j.Originals, j.Invoice.IssueDate, n.CreatedAt), 0)
	charged := j.chargedTo(n)
	var early, late, twice, unordered, waived models.Amount
	var until models.Date
	for _, s := range n.sheet.Interest.Segments {
		if s.To < s.From || s.Principal <= 0 {
			continue
		}
		part := func(from, to models.Date) models.Amount {
			if from > to {
				return 0
			}
			return reckoning.Simple(s.Principal, s.Rate, from, to)
		}
		early += part(s.From, min(s.To, first-1))
		late += part(max(s.From, n.IssueDate+1), s.To)
		twice += part(s.From, min(s.To, charged))
		unordered += part(s.From, min(s.To, until))
		for _, free := range j.free() {
			waived += part(max(s.From, free.From), min(s.To, free.To))
		}
		until = max(until, s.To)
	}
	for _, q := range []struct {
		code Code
		sum  models.Amount
	}{{interestBeforeDue, early}, {interestAfterIssue, late}, {interestTwice, twice + unordered}, {interestWaived, waived}} {
		j.backInterest(j.ask(q.code, q.sum == 0, q.sum, models.Amount(0)), n.Interest-q.sum)
	}
}

// chargedTo returns the last day for which a notice before another had charged interest when that was issued; a reversal does not move it.
func (j *judge) chargedTo(n *Notice) (last models.Date) {
	for _, o := range j.before(n) {
		if o.Interest > 0 {
			last = max(last, o.IssueDate)
		}
	}
	return last
}

// accrued returns the interest on a principal from a day through the notice's, without the days of which none is charged (rule N11).
func (j *judge) accrued(principal []reckoning.Step, first models.Date, agreed *models.Percent) models.Amount {
	n := j.notice
	d := reckoning.Debt{First: first, Principal: without(principal, j.free()), Agreed: agreed, Business: n.business()}
	return j.Of.Law.Interest(d, n.IssueDate).Amount
}

// free returns the days that surely bore no interest when the notice was issued: what a person waived on its day, or later, did not concern
// it (rule N11).
func (j *judge) free() (free models.Periods) {
	for _, p := range j.Invoice.InterestFree {
		if p.From < j.notice.IssueDate {
			free = append(free, p)
		}
	}
	return free
}

// without returns the steps of a principal with nothing on the days of some periods.
func without(principal []reckoning.Step, free models.Periods) []reckoning.Step {
	if len(free) == 0 {
		return principal
	}
	var days []models.Date
	for _, s := range principal {
		days = append(days, s.From)
	}
	for _, p := range free {
		days = append(days, p.From, p.To+1)
	}
	slices.Sort(days)
	var steps []reckoning.Step
	for _, day := range slices.Compact(days) {
		sum := reckoning.UnpaidOn(principal, day)
		if free.Has(day) {
			sum = 0
		}
		steps = append(steps, reckoning.Step{From: day, Sum: sum})
	}
	return steps
}
