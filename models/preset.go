package models

import "reflect"

// Preset names a ready dunning policy, so that a creditor need not choose every element.
type Preset string

// The presets, from the mildest on.
const (
	Gentle      Preset = "gentle"
	Recommended Preset = "recommended"
	Firm        Preset = "firm"
)

// Presets are all presets, from the mildest on.
var Presets = []Preset{Gentle, Recommended, Firm}

// Apply returns a policy with the preset's ladder: when each document goes out, what it charges, and whether the claim is
// handed over. The policy is switched on. How credit, small balances, business customers, sending days and the bank's
// files are treated stays as it was in p. So does the time for the letter's way. The result is lawful on every day on which p
// is: no preset names a fee or a rate that the law may overtake. An unknown preset changes nothing.
func (n Preset) Apply(p Policy) Policy {
	ladder, known := ladders[n]
	if !known {
		return p
	}
	p.Enabled = true
	p.FirstNoticeDays, p.SecondNoticeDays, p.DaysToPay = ladder.FirstNoticeDays, ladder.SecondNoticeDays, ladder.DaysToPay
	p.Fee, p.AddInterest, p.InterestRate = ladder.Fee, ladder.AddInterest, ladder.InterestRate
	p.DebtCollectionNotice, p.HandOverDays = ladder.DebtCollectionNotice, ladder.HandOverDays
	return p
}

// PresetOf returns the preset that a policy follows, and false if it follows none.
func PresetOf(p Policy) (Preset, bool) {
	for _, n := range Presets {
		if reflect.DeepEqual(p, n.Apply(p)) {
			return n, true
		}
	}
	return "", false
}

// ladders are what the presets set.
var ladders = map[Preset]Policy{
	// Three weeks' patience before each letter, and no charge. Only a person hands over.
	Gentle: {FirstNoticeDays: 21, SecondNoticeDays: 21, DaysToPay: 21, Fee: new(Amount(0)), DebtCollectionNotice: WarningSecond},
	// The first letter comes when the law allows a fee for it. Only a person hands over.
	Recommended: {FirstNoticeDays: ChargeableDays, SecondNoticeDays: 14, DaysToPay: MinNoticeDays, AddInterest: true, DebtCollectionNotice: WarningSecond},
	// The first letter is the debt-collection warning, with all that the law allows, and the claim is handed over a week after it.
	Firm: {
		FirstNoticeDays: ChargeableDays, SecondNoticeDays: 14, DaysToPay: MinNoticeDays, AddInterest: true, DebtCollectionNotice: WarningFirst,
		HandOverDays: new(7),
	},
}
