package law

import (
	"slices"

	"purr/models"
)

// Letter is an overdue notice as it was issued.
type Letter struct {
	Sequence     int // among those of its invoice
	Warning      bool
	Issued, Due  models.Date
	Fee          models.Amount
	Compensation bool // the fee is standard compensation (forsinkelsesrenteloven § 3a)
	Interest     models.Amount
}

// Standing is an invoice as it is before a letter.
type Standing struct {
	Due      models.Date // of the invoice, as printed
	Balance  models.Amount
	Ended    bool           // it is closed, or handed over to debt collection
	Held     bool           // it, or its customer, is on hold
	Disputed bool           // the hold is because of an objection to the claim
	Business bool           // the customer has an organisation number
	Entries  []models.Entry // the invoice's
	Letters  []Letter       // the earlier ones that were not withdrawn, in order
}

// last returns the due date of the last document.
func (s Standing) last() models.Date {
	if len(s.Letters) > 0 {
		return s.Letters[len(s.Letters)-1].Due
	}
	return s.Due
}

// warned reports whether a debt-collection warning was sent.
func (s Standing) warned() bool {
	return slices.ContainsFunc(s.Letters, func(l Letter) bool { return l.Warning })
}

// fault is something that may be wrong, and whether it is.
type fault struct {
	is   bool
	what string
}

// found returns the faults that are there.
func found(all []fault) (wrong []string) {
	for _, f := range all {
		if f.is {
			wrong = append(wrong, f.what)
		}
	}
	return wrong
}

// Unlawful returns what is wrong with a letter by law, whoever asked for it (rules D27 to D29, inkassoforskriften §§ 1-2 and 1-3,
// inkassoloven §§ 9 and 17).
func (s Standing) Unlawful(l Letter) []string {
	return found([]fault{
		{s.Balance <= 0, "nothing is owed"},
		{s.Ended, "the invoice is closed or handed over"},
		{len(s.Letters) >= 2, "it is one notice too many"},
		{l.Sequence != len(s.Letters)+1, "its number is wrong"},
		{s.warned(), "a warning was sent"},
		{l.Issued <= s.Due, "the invoice is not overdue"},
		{l.Due < l.Issued+14, "it leaves less than 14 days to pay"},
		{l.Fee > 0 && !l.Compensation && l.Issued < s.last()+14, "it has a fee before its day"},
		{l.Fee > MaximumFee(l.Issued) && !l.Compensation, "its fee is above the maximum"},
		{l.Compensation && !s.Business, "a consumer is to compensate"},
		{l.Fee > 0 && s.Disputed, "it has a fee while the claim is disputed"},
	})
}

// AgainstPolicy returns what is wrong with a letter that automatic dunning sent under a policy, besides what is unlawful
// (rules D29, E2, E6a, E6d).
func (s Standing) AgainstPolicy(l Letter, p models.Policy) []string {
	last := Moved(s.last())
	wait := map[int]int{1: p.FirstNoticeDays, 2: p.SecondNoticeDays}[l.Sequence]
	interest := models.Amount(0)
	if p.AddInterest {
		interest = s.Interest(p, l.Issued)
	}
	return found([]fault{
		{!p.Enabled, "dunning is off"},
		{s.Held, "it is on hold"},
		{s.Balance < p.MinimumBalance, "less than the minimum is owed"},
		{l.Issued <= last, "the last deadline runs"},
		{l.Issued < last+models.Date(wait), "its day is not reached"},
		{p.WeekdaysOnly && !IsWeekday(l.Issued), "it is no sending day"},
		{l.Sequence > 1 && p.DebtCollectionNotice == models.WarningFirst, "a reminder was in the place of the only notice"},
		{l.Warning != (p.DebtCollectionNotice == models.WarningStep(map[int]string{1: "first", 2: "second"}[l.Sequence])), "it is no warning, or one"},
		{l.Fee > 0 && !l.Compensation && l.Issued < last+14, "it has a fee before its day"},
		{p.Fee != nil && l.Fee > *p.Fee && !l.Compensation, "its fee is above the policy's"},
		{l.Compensation && !p.Compensation, "it is compensation, which the policy does not charge"},
		{l.Interest != interest, "its interest is not " + interest.String()},
	})
}

// Interest returns the interest that a letter of a day charges under a policy. The policy's own rate is used where it is
// lower than the legal rate, and always towards a business (rule E6a, forsinkelsesrenteloven § 4).
func (s Standing) Interest(p models.Policy, on models.Date) models.Amount {
	c := Claim{Due: s.Due}
	for _, l := range s.Letters {
		if l.Interest > 0 {
			c.ChargedTo = l.Issued
		}
	}
	c.Rate = func(on models.Date) models.Percent {
		if p.InterestRate != nil && (*p.InterestRate < Rate(on) || s.Business) {
			return *p.InterestRate
		}
		return Rate(on)
	}
	c.Unpaid = func(morning models.Date) (sum models.Amount) {
		for _, e := range s.Entries {
			if e.Type != models.EntryInterest && e.Type != models.EntryOverdueCharge && e.TransactionDate < morning {
				sum += e.Amount
			}
		}
		return sum
	}
	return c.Interest(on)
}

// NotToHandOver returns what is wrong with a hand-over of the invoice to debt collection, made by automatic dunning on a
// day under a policy (rule E6a).
func (s Standing) NotToHandOver(on models.Date, p models.Policy) []string {
	wait := 0
	if p.HandOverDays != nil {
		wait = *p.HandOverDays
	}
	return found([]fault{
		{!p.Enabled, "dunning is off"},
		{p.HandOverDays == nil, "the policy hands nothing over"},
		{!s.warned(), "it was not warned of"},
		{s.Ended, "the invoice is closed or handed over"},
		{s.Balance <= 0 || s.Balance < p.MinimumBalance, "nothing is owed, or less than the minimum"},
		{s.Held, "it is on hold"},
		{p.WeekdaysOnly && !IsWeekday(on), "it is no sending day"},
		{on < Moved(s.last())+models.Date(wait), "its day is not reached"},
	})
}
