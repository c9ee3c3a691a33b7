package foreign

import (
	"fmt"
	"math/big"

	"purr/audit/reckoning"
	"purr/models"
)

// fee asks whether the letter's fee was lawful, and returns what of it was.
func (v *verdict) fee() (lawful models.Amount) {
	l := v.letter
	if l.fee == 0 {
		return 0
	}
	if v.nothing {
		return 0 // said already
	}
	isComp := v.isComp || v.trader && l.compensation > 0
	limit := v.law.Fee(reckoning.FeeClaim{Due: v.due, Compensation: isComp, Disputed: v.isDisputed()}, v.before, l.kind, l.sent)
	if !limit.Known {
		v.unknown++
		return l.fee
	}
	v.ask(feeCodes...)
	lawful = min(l.fee, limit.Most)
	if lawful < l.fee {
		found, expected := l.fee.String(), limit.Most.String()
		switch limit.Rule {
		case reckoning.FeeTooEarly:
			found, expected = l.sent.String(), reckoning.FirstFeeDay(v.due).String()
		case reckoning.FeeDeadlineRuns:
			found, expected = l.sent.String(), v.lastFee().Deadline.String()
		default:
		}
		v.find(codeOfRule[limit.Rule], found, expected, l.fee-lawful, workingOf(limit)...)
	}
	if first := reckoning.FirstFeeDay(reckoning.Shift(v.due)); lawful > 0 && l.sent < first {
		v.find(FeeWeekend, l.sent.String(), first.String(), 0)
	}
	if lawful > 0 && l.secondFee {
		v.find(FeeJoint, l.fee.String(), models.Amount(0).String(), 0)
	}
	return lawful
}

func (v *verdict) isDisputed() bool { return v.disputed != 0 && v.disputed <= v.letter.sent }

// lastFee returns the last letter that bore a fee.
func (v *verdict) lastFee() (last reckoning.Letter) {
	for _, b := range v.before {
		if b.Fee > 0 {
			last = b
		}
	}
	return last
}

// workingOf says where a cap comes from, if it is the cap that matters.
func workingOf(limit reckoning.Cap) (steps []string) {
	if limit.Rule != reckoning.FeeCap && limit.Rule != reckoning.FeeNotSet && limit.Rule != reckoning.FeeOwnWarning {
		return nil
	}
	if words := limit.Words(); words != "" {
		steps = append(steps, words)
	}
	for _, f := range limit.Figures {
		steps = append(steps, fmt.Sprintf("%s %s from %s: %s", f.Kind, f.Value, f.From, f.Source))
	}
	return steps
}

// compensation asks whether the letter's standard compensation was lawful, and returns what of it was.
func (v *verdict) compensation() (lawful models.Amount) {
	l := v.letter
	if l.compensation == 0 || v.nothing {
		return 0
	}
	v.ask(CompPrivate, CompTwice, CompEarly)
	switch found := l.compensation.String(); {
	case !v.trader:
		return v.compensationOfAPerson()
	case v.isComp:
		v.find(CompTwice, found, models.Amount(0).String(), l.compensation)
		return 0
	case l.sent <= v.due:
		v.find(CompEarly, l.sent.String(), (v.due + 1).String(), l.compensation)
		return 0
	}
	figure := v.law.Compensation(reckoning.Shift(v.due)+1, l.sent)
	if !figure.Known {
		v.unknown++
		return l.compensation
	}
	v.ask(CompAbove, CompHalfYear)
	most, safe := reckoning.SetOff(figure.Most, v.fees), reckoning.SetOff(figure.Safe, v.fees)
	var working []string
	for _, f := range figure.Figures {
		working = append(working, fmt.Sprintf("%s %s from %s: %s", f.Kind, f.Value, f.From, f.Source))
	}
	if v.fees > 0 {
		working = append(working, fmt.Sprintf("%s - %s = %s", figure.Most, v.fees, most))
	}
	switch found := l.compensation.String(); {
	case l.compensation > most:
		v.find(CompAbove, found, most.String(), l.compensation-most, working...)
	case l.compensation > safe:
		v.find(CompHalfYear, found, safe.String(), 0, working...)
	}
	return min(l.compensation, most)
}

// compensationOfAPerson says what of a compensation that a private person was charged stands as the fee that would have been lawful.
func (v *verdict) compensationOfAPerson() models.Amount {
	l := v.letter
	limit := v.law.Fee(reckoning.FeeClaim{Due: v.due, Disputed: v.isDisputed()}, v.before, l.kind, l.sent)
	if !limit.Known {
		v.unknown++
	}
	v.asFee = min(l.compensation, max(0, limit.Most-l.fee))
	v.find(CompPrivate, l.compensation.String(), v.asFee.String(), l.compensation-v.asFee, workingOf(limit)...)
	return v.asFee
}

// lawfulInterest returns the interest of the days that no letter charged before, through a day, and the most that it may be rounded to. due is the day
// that the interest is reckoned from: the day after it is the first that bears any.
func (v *verdict) lawfulInterest(due, through models.Date) (sum reckoning.Interest, most models.Amount) {
	return v.interestFrom(reckoning.FirstInterestDay(due, 0, 0, v.chargedTo), through)
}

func (v *verdict) interestFrom(first, through models.Date) (sum reckoning.Interest, most models.Amount) {
	debt := reckoning.Debt{First: first, Principal: v.principal, Business: v.trader}
	if v.isAgreed {
		debt.Agreed = &v.agreed
	}
	sum = v.law.Interest(debt, through)
	return sum, max(sum.Amount, roundedOnce(sum.Segments))
}

// roundedOnce returns the exact sum of segments, rounded to øre, half up.
func roundedOnce(segments []reckoning.Segment) (sum models.Amount) {
	if len(segments) == 1 {
		return segments[0].Amount
	}
	rest := big.NewRat(1, 2)
	for _, s := range segments {
		sum += s.Whole
		rest.Add(rest, new(big.Rat).SetFrac(new(big.Int).SetUint64(s.Rest), new(big.Int).SetUint64(s.Of)))
	}
	return sum + models.Amount(new(big.Int).Quo(rest.Num(), rest.Denom()).Int64())
}

// interest asks whether the letter's interest was lawful, and returns what of it was. No text says how to round: a letter may round each
// segment to øre, as purr does, or all of them once.
func (v *verdict) interest() (lawful models.Amount) {
	l := v.letter
	if l.interest == 0 {
		return 0
	}
	v.ask(InterestAhead)
	if l.interestTo > l.sent {
		v.find(InterestAhead, l.interestTo.String(), l.sent.String(), 0)
	}
	sum, most := v.lawfulInterest(v.due, l.interestTo)
	if !sum.Known {
		v.unknown++
		v.chargedTo = max(v.chargedTo, l.interestTo)
		return l.interest
	}
	v.ask(InterestAbove, InterestShift)
	expected := sum.Amount + v.carried
	if l.interest > most+v.carried {
		v.interestAbove(expected, sum)
	}
	v.carried = max(0, expected-l.interest)
	v.chargedTo = max(v.chargedTo, l.interestTo)
	return min(l.interest, expected)
}

// interestAbove says that the letter charges more interest than is right: against the law, or because its due date was no weekday.
func (v *verdict) interestAbove(expected models.Amount, sum reckoning.Interest) {
	l := v.letter
	var working []string
	for _, s := range sum.Segments {
		working = append(working, fmt.Sprintf("%s – %s: %s × %s %% × %d/%d = %s", s.From, s.To, s.Principal, s.Rate, s.Days, s.YearDays, s.Amount))
	}
	if shifted := reckoning.Shift(v.due) - v.due; shifted > 0 && v.chargedTo < v.due {
		if _, most := v.interestFrom(v.due+1, l.interestTo); l.interest <= most+v.carried {
			v.find(InterestShift, l.interest.String(), expected.String(), 0, working...)
			return
		}
	}
	v.find(InterestAbove, l.interest.String(), expected.String(), l.interest-expected, working...)
}
