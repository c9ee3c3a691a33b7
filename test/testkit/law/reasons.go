package law

import (
	"slices"
	"time"

	"purr/models"
)

// Day is what holds for all invoices of a creditor on a day.
type Day struct {
	Date     models.Date
	NotReady bool // the creditor lacks something that it must show (rule L8)
	FileLate bool // the bank's files are late (rule E6b)
}

// Step is what automatic dunning does with an overdue invoice on a day: a letter, a hand-over, or nothing, for a reason.
type Step struct {
	Letter   *Letter
	HandOver bool
	Close    bool   // for a small remainder (rule L25)
	Reason   string // the first that applies (rule L12); empty where there is a step
}

// closing stands among the reasons where an invoice is closed for a small remainder (rule L25).
const closing = "closing"

// Overdue reports whether the invoice is overdue on a day: dunning has something to say of it.
func (s Standing) Overdue(on models.Date) bool { return !s.Ended && s.Balance > 0 && s.Due < on }

// On returns the step of a day for an invoice that is overdue. It asks for each reason in the order of rule L12.
func (s Standing) On(d Day, p models.Policy) Step {
	letter, handOver := s.next(p)
	warning, _ := s.warning()
	day, small := s.deadline()+models.Date(s.wait(p)), s.small(p)
	for _, r := range []fault{
		{!p.Enabled, "policy_off"},
		{d.NotReady, "creditor_not_ready"},
		{s.Held, "hold"},
		{s.Shielded, "payment_in_queue"},
		{s.owesTheCustomer(), "credit_balance"},
		{small && s.Unsent, "not_sent"},
		{small && d.Date <= s.Due+models.Date(s.Late), "too_early"},
		{small && p.RequirePaymentFile && d.FileLate, "payment_file_late"},
		{small, closing},
		{s.belowMinimum(p), "below_minimum"},
		{s.onlyCharges(p), "only_charges_left"},
		{!letter && !handOver, "last_notice_sent"},
		{s.waits() || s.NoLetters, "not_sent"},
		{s.NoAddress, "no_address"},
		{len(s.Letters) > 0 && d.Date <= s.deadline(), "deadline_running"},
		{d.Date <= s.deadline() || d.Date < day, "too_early"},
		{handOver && d.Date > warning.Issued+MaximumAge, "warning_too_old"},
		{p.RequirePaymentFile && d.FileLate, "payment_file_late"},
		{p.WeekdaysOnly && !IsWeekday(d.Date), "not_a_sending_day"},
	} {
		switch {
		case r.is && r.what == closing:
			return Step{Close: true}
		case r.is:
			return Step{Reason: r.what}
		}
	}
	if handOver {
		return Step{HandOver: true}
	}
	l := s.letter(d.Date, p)
	return Step{Letter: &l}
}

// next reports which step is left on the ladder: a letter, a hand-over, or neither (rule E6a).
func (s Standing) next(p models.Policy) (letter, handOver bool) {
	if s.warned() {
		return false, p.HandOverDays != nil
	}
	most := 2
	if p.DebtCollectionNotice == models.WarningFirst {
		most = 1
	}
	return s.taken() < most, false
}

// wait returns how many days the next step comes after the last document's deadline.
func (s Standing) wait(p models.Policy) int {
	switch {
	case s.warned() && p.HandOverDays != nil:
		return *p.HandOverDays
	case s.warned():
		return 0
	case s.taken() == 0:
		return p.FirstNoticeDays
	}
	return p.SecondNoticeDays
}

// letter returns the letter that automatic dunning sends on a day.
func (s Standing) letter(on models.Date, p models.Policy) Letter {
	sequence := s.taken() + 1
	l := Letter{
		Sequence: sequence, Issued: on, Due: on + models.Date(p.DaysToPay+p.PostalDays+p.PrintDays),
		Warning: p.DebtCollectionNotice == models.WarningStep(map[int]string{1: "first", 2: "second"}[sequence]),
	}
	l.Warning = l.Warning && !s.underNewAct(on) // a reminder takes its place (rule E6h)
	l.Fee, l.Compensation = s.fee(on, p)
	if p.AddInterest {
		l.Interest = s.Interest(p, on)
	}
	return l
}

// fee returns the fee of the letter that automatic dunning sends on a day, or the standard compensation in its place: once,
// from businesses, without waiting, the lower of the figures of the day on which it arises and of the letter's, less the
// fees that were charged before. No fee is added to it (rule E6a, forsinkelsesrenteloven § 3a, inkassoforskriften § 1-5).
func (s Standing) fee(on models.Date, p models.Policy) (fee models.Amount, compensation bool) {
	switch {
	case s.compensated():
		return 0, false
	case p.Compensation && s.Business:
		return max(0, min(Compensation(s.due()+1), Compensation(on))-s.sum(models.EntryOverdueCharge)), true
	case on < s.deadline()+14 || s.Disputed:
		return 0, false
	}
	fee = s.maximumFee(on)
	if p.Fee != nil {
		fee = min(fee, *p.Fee)
	}
	return fee, false
}

// compensated reports whether one of the letters charges standard compensation.
func (s Standing) compensated() bool {
	return slices.ContainsFunc(s.Letters, func(l Letter) bool { return l.Compensation })
}

// Ends returns of which figures the plan of a day warns under a policy, by the beginning of what it says: four weeks before
// the last day for which they are known, and from then on (rules E6h, L11). newAct is the day on which the act of 2026 comes into
// force, zero where that is not set.
func Ends(on models.Date, p models.Policy, newAct models.Date) (warnings []string) {
	ending := on > models.NewDate(2026, time.December, 31)-28
	inForce := newAct != 0 && on >= newAct
	return found([]fault{
		{ending, "the rate of late interest"},
		{ending && !inForce, "the inkassosats"},
		{inForce, "the fee under the act of 2026"},
		{ending && p.Compensation, "standard compensation"},
		{ending, "the act on debt collection"}, // 2027-01-01 was signalled
	})
}
