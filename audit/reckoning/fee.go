package reckoning

import (
	"fmt"

	"purr/law"
	"purr/models"
)

// LetterKind is what a letter is to the law of fees.
type LetterKind string

// The kinds of letters.
const (
	Reminder LetterKind = "reminder" // purring
	Warning  LetterKind = "warning"  // inkassovarsel, inkassoloven § 9
	Demand   LetterKind = "demand"   // the creditor's own betalingsoppfordring, inkassoloven § 10; purr sends none
)

// Letter is a letter on one claim, as it matters to the next letter's fee.
type Letter struct {
	Kind     LetterKind
	Left     models.Date // the day on which it really left
	Deadline models.Date // its last day to pay, as printed; zero where it set none
	Fee      models.Amount
}

// FeeRule says why a letter may bear no fee, or no more.
type FeeRule string

// The rules, each with its source in FeeRule.Source.
const (
	FeeCap           FeeRule = "cap"                 // there may be a fee, up to the cap
	FeeTooEarly      FeeRule = "too_early"           // fewer than 14 days after the due date
	FeeThird         FeeRule = "third"               // two letters had one, the last less than six months ago
	FeeSecondWarning FeeRule = "second_warning"      // of two fees only one is for a warning
	FeeNoDeadline    FeeRule = "no_deadline"         // the letter with the first fee gave fewer than 14 days
	FeeDeadlineRuns  FeeRule = "deadline_runs"       // the first letter's days had not run out
	FeeCompensated   FeeRule = "beside_compensation" // standard compensation was charged
	FeeOwnWarning    FeeRule = "own_warning"         // under the act of 2026 a creditor's own warning costs nothing
	FeeNotSet        FeeRule = "not_set"             // under the act of 2026 no sum is set
	FeeDisputed      FeeRule = "disputed"            // the debtor had an objection that deserved an answer
)

// Source returns where the rule comes from.
func (r FeeRule) Source() string {
	switch r {
	case FeeTooEarly, FeeCap:
		return "inkassoforskriften § 1-2"
	case FeeThird, FeeSecondWarning, FeeNoDeadline, FeeDeadlineRuns:
		return "inkassoforskriften § 1-3"
	case FeeCompensated:
		return "inkassoforskriften § 1-5, forsinkelsesrenteloven § 3a"
	case FeeDisputed:
		return "inkassoloven § 17 (2)"
	case FeeOwnWarning, FeeNotSet:
		return "LOV-2026-05-22-19 § 19"
	}
	return ""
}

// Cap is the most that a fee may be.
type Cap struct {
	Most    models.Amount
	Rule    FeeRule
	Figures []law.Figure // that it came from
	Known   bool         // the figures of that day are known (rule E6h)

	parts int64 // of the inkassosats divided: three for a demand
}

// Words says how the cap came about, such as "3 × 750 / 20 = 113.00"; it is empty where the cap is no fraction.
func (c Cap) Words() string {
	switch c.parts {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s / %s = %s", c.Figures[0].Value, c.Figures[1].Value, c.Most)
	}
	return fmt.Sprintf("%d × %s / %s = %s", c.parts, c.Figures[0].Value, c.Figures[1].Value, c.Most)
}

// FeeClaim is what the fee of a letter depends on besides the letters before it.
type FeeClaim struct {
	Due          models.Date // the invoice's due date
	Compensation bool        // standard compensation is charged on it
	Disputed     bool        // on the day of the letter, by an objection that deserves an answer
}

// Fee returns the most that a letter's fee may be, given the letters on the same claim that left before it, oldest first. No
// distinction is made between persons and traders. Fees bear no VAT (merverdiavgiftsloven § 4-1), so the cap is all that is paid.
func (l *Law) Fee(c FeeClaim, before []Letter, kind LetterKind, left models.Date) Cap {
	maximum := l.FeeCap(c.Due, left, kind)
	none := func(rule FeeRule) Cap { return Cap{Rule: rule, Figures: maximum.Figures, Known: maximum.Known} }
	switch rule := afterOthers(before, kind, left); {
	case maximum.Rule != FeeCap:
		return maximum
	case left < FirstFeeDay(c.Due):
		return none(FeeTooEarly)
	case c.Compensation:
		return none(FeeCompensated)
	case c.Disputed:
		return none(FeeDisputed)
	case rule != FeeCap:
		return none(rule)
	}
	return maximum
}

// afterOthers returns which rule on the number and order of fees forbids one more on a day (inkassoforskriften § 1-3): two reminders, or one reminder
// and one warning, and besides them one demand for payment; the second only after the debtor let at least 14 days pass, which the letter with the first fee set. Six
// months after the last letter with a fee the count begins anew.
func afterOthers(before []Letter, kind LetterKind, left models.Date) FeeRule {
	fees, warnings, demands := 0, 0, 0
	var last Letter
	for _, b := range before {
		if b.Fee <= 0 {
			continue
		}
		if fees > 0 && b.Left >= monthsAfter(last.Left, WarningMonths) {
			fees, warnings, demands = 0, 0, 0
		}
		switch last = b; b.Kind {
		case Demand:
			demands++
		case Warning:
			warnings++
		case Reminder:
		}
		fees++
	}
	switch letters := fees - demands; {
	case fees == 0 || left >= monthsAfter(last.Left, WarningMonths):
		return FeeCap
	case kind == Demand && demands > 0, kind != Demand && letters >= 2:
		return FeeThird
	case kind == Warning && warnings > 0:
		return FeeSecondWarning
	case DaysToPay(last.Left, last.Deadline) < LeastDays:
		return FeeNoDeadline
	case left <= last.Deadline:
		return FeeDeadlineRuns
	}
	return FeeCap
}

// FeeCap returns the cap of a fee by the act in force on the day on which the letter leaves. Under the act of 1988 it is the inkassosats of that
// day over a number that goes by the invoice's due date (a tenth until 30 September 2020, a twentieth from then on), for a demand three
// times that, rounded as on the day of leaving (inkassoforskriften § 1-2). Under the act of 2026 it is what is set for a reminder, and
// nothing for a creditor's own warning or demand.
func (l *Law) FeeCap(due, left models.Date, kind LetterKind) Cap {
	year, act, actKnown := l.Act(left)
	if year == Act2026 {
		return l.feeCap2026(act, actKnown, left, kind)
	}
	rate, isRate := l.at(models.RuleInkassosats, left)
	part, isPart := l.at(models.RuleFeeFraction, due)
	to, isTo := l.at(models.RuleFeeRounding, left)
	if !isRate || !isPart || !isTo {
		return Cap{Rule: FeeCap} // no figure of so early a day is known
	}
	parts := int64(1)
	if kind == Demand {
		parts = 3
	}
	// Rounded half up to a multiple: the half of the divisor is added before the division.
	divisor := part.value * to.value
	most := (2*parts*rate.value + divisor) / (2 * divisor) * to.value
	rows := l.kinds[models.RuleInkassosats]
	isLast := rate.From == rows[len(rows)-1].From
	return Cap{
		Most: models.Amount(most), Rule: FeeCap, Figures: []law.Figure{rate.Figure, part.Figure, to.Figure}, parts: parts,
		Known: actKnown && (!isLast || left.Year() == rate.From.Year()), // a sats that was followed by another held until then
	}
}

func (l *Law) feeCap2026(act law.Figure, actKnown bool, left models.Date, kind LetterKind) Cap {
	if kind != Reminder {
		return Cap{Rule: FeeOwnWarning, Figures: []law.Figure{act}, Known: actKnown}
	}
	set, is := l.at(models.RuleFee2026, left)
	if !is {
		return Cap{Rule: FeeNotSet, Figures: []law.Figure{act}, Known: actKnown}
	}
	return Cap{Most: models.Amount(set.value), Rule: FeeCap, Figures: []law.Figure{act, set.Figure}, Known: actKnown}
}

// OwnWarning reports whether a creditor may send a debt-collection warning of its own that leaves on a day: by the act of 2026 only
// licensed agencies do (§§ 20, 21).
func (l *Law) OwnWarning(left models.Date) bool {
	year, _, _ := l.Act(left)
	return year != Act2026
}
