package reckoning

import (
	"math/bits"

	"purr/law"
	"purr/models"
)

// Step is a sum that holds from the morning of a day on, until the next step.
type Step struct {
	From models.Date
	Sum  models.Amount
}

// Debt is what late-payment interest runs on.
type Debt struct {
	First     models.Date // the first day that may bear interest; see FirstInterestDay
	Principal []Step      // what of the principal is unpaid, by day; ascending, zero before the first
	Agreed    *models.Percent
	Free      models.Periods // days that bear none, because a person waived them (rule N11)
	Business  bool           // the debtor is a trader: a higher rate than the legal one may have been agreed
}

// FirstInterestDay returns the first day that bears interest: the day after the due date (forsinkelsesrenteloven § 2), which counts as
// the next day that is neither a Saturday, a Sunday nor a holiday (gjeldsbrevloven § 5). left is the day on which the invoice really
// left, and issued its own: what left late is due as many days later (rule L1). chargedTo is the last day that was charged for before,
// zero for none: no day is charged twice (rule D29).
func FirstInterestDay(due, issued, left, chargedTo models.Date) models.Date {
	late := max(0, left-issued)
	if left == 0 {
		late = 0
	}
	return max(Shift(due+late), chargedTo) + 1
}

// Segment is interest of days that are alike: one principal, one rate, one half-year.
type Segment struct {
	From, To  models.Date // both are counted
	Days      int64
	YearDays  int64 // 365, or 366 in a leap year
	Principal models.Amount
	Rate      models.Percent // per year
	Figure    law.Figure     // the legal rate's; also where an agreed rate is used
	Agreed    bool           // Rate is the agreed one
	Known     bool           // the legal rate of these days is known (rule E6h)

	Whole models.Amount // whole øre
	Rest  uint64        // and Rest/Of of an øre
	Of    uint64

	Amount models.Amount // Whole and Rest rounded to øre, half up
}

// Interest is what late payment costs through a day: the segments, and their rounded amounts together.
type Interest struct {
	Segments []Segment
	Amount   models.Amount
	Known    bool // each segment's legal rate is known
}

// Interest returns the late-payment interest of a debt through a day, that day included (rule D29). It is simple interest: actual days
// over the days of the calendar year (Lovavdelingen 26 June 2006), at the legal rate of each day (forsinkelsesrenteloven § 3), or at the
// agreed one. Segments are cut at 1 January and 1 July, and from the day on which another principal is unpaid, and at days that bear
// none; each is rounded to øre, half up.
func (l *Law) Interest(d Debt, through models.Date) Interest {
	total := Interest{Known: true}
	for day := d.First; day <= through; {
		principal, until := d.principalAt(day)
		for _, free := range d.Free {
			switch {
			case free.From > day:
				until = min(until, free.From)
			case free.To >= day:
				principal, until = 0, min(until, free.To+1)
			}
		}
		rate := l.Rate(day)
		s := Segment{From: day, Principal: principal, Rate: rate.Percent, Figure: rate.Figure, Known: rate.Known}
		s.Rate, s.Agreed = Applied(rate.Percent, d.Agreed, d.Business)
		s.To = min(through, until-1, HalfYearAfter(day)-1, l.rateUntil(rate.Figure, day)-1)
		if s.Days = int64(s.To - day + 1); principal > 0 {
			s.reckon()
			total.Segments = append(total.Segments, s)
			total.Amount += s.Amount
			total.Known = total.Known && s.Known
		}
		day = s.To + 1
	}
	return total
}

// Applied returns the rate that may be charged: the legal one, or an agreed one that is lower. An agreed rate that is higher binds a trader
// alone (forsinkelsesrenteloven § 4, rule E6a).
func Applied(legal models.Percent, agreed *models.Percent, business bool) (rate models.Percent, isAgreed bool) {
	if agreed != nil && (*agreed < legal || business) {
		return *agreed, true
	}
	return legal, false
}

// noEnd is a day after all others.
const noEnd = models.Date(1<<31 - 1)

// principalAt returns what is unpaid in the morning of a day, and from which day on that is another sum.
func (d Debt) principalAt(day models.Date) (sum models.Amount, until models.Date) {
	until = noEnd
	for _, step := range d.Principal {
		if step.From <= day {
			sum = step.Sum
		} else if step.Sum != sum {
			return sum, step.From
		}
	}
	return sum, until
}

// rateUntil returns the day from which on another legal rate than the figure's has been set.
func (l *Law) rateUntil(f law.Figure, day models.Date) models.Date {
	for _, row := range l.kinds[models.RuleLateInterest] {
		if row.From > day && row.Value != f.Value {
			return row.From
		}
	}
	return noEnd
}

// reckon fills in what follows from the segment's days, principal and rate: principal × rate × days ÷ days of the year.
func (s *Segment) reckon() {
	s.YearDays = int64(s.From.DaysInYear())
	high, low := bits.Mul64(uint64(s.Principal), uint64(s.Rate)*uint64(s.Days))
	s.Of = 100 * 100 * uint64(s.YearDays)
	whole, rest := bits.Div64(high, low, s.Of)
	s.Whole, s.Rest, s.Amount = models.Amount(whole), rest, models.Amount(whole)
	if 2*rest >= s.Of {
		s.Amount++
	}
}
