package models

import "time"

// RuleKind names a series of dated figures of the law on dunning (rule E6h).
type RuleKind string

// The kinds of figures. A figure of kind RuleAct is the year of the debt-collection statute in force.
const (
	RuleLateInterest RuleKind = "late_interest" // percent per year
	RuleInkassosats  RuleKind = "inkassosats"   // kroner
	RuleFeeFraction  RuleKind = "fee_fraction"  // the fee is the inkassosats divided by it
	RuleFeeRounding  RuleKind = "fee_rounding"  // kroner; the fee is a multiple of it
	RuleFee2026      RuleKind = "fee_2026"      // kroner, under the statute of 2026
	RuleCompensation RuleKind = "compensation"  // kroner
	RuleAct          RuleKind = "act"
)

// RuleKinds lists the kinds of figures in the order in which they are shown.
var RuleKinds = []RuleKind{
	RuleLateInterest, RuleInkassosats, RuleFeeFraction, RuleFeeRounding, RuleFee2026, RuleCompensation, RuleAct,
}

// The most characters of a figure's value and of its source.
const (
	MaxRuleValue  = 20
	MaxRuleSource = 250
)

// DunningRule is a figure of the law that a person set, because the program does not know it yet.
type DunningRule struct {
	ID         int64
	CreditorID int64 // for whom it holds; zero for all creditors
	Kind       RuleKind
	FromDate   Date // the first day on which it holds
	Value      string
	Source     string // the regulation, or where the figure was read
	SetBy      string
	CreatedAt  time.Time
}
