package models

import "time"

// RuleKind names a series of dated figures of the law on dunning (rule E6h).
type RuleKind string

// The kinds of figures. Those of the act on debt collection name an act by its year.
const (
	RuleLateInterest RuleKind = "late_interest" // percent per year
	RuleInkassosats  RuleKind = "inkassosats"   // kroner
	RuleFeeFraction  RuleKind = "fee_fraction"  // the fee is the inkassosats divided by it
	RuleFeeRounding  RuleKind = "fee_rounding"  // kroner, of which the fee is a multiple
	RuleFee2026      RuleKind = "fee_2026"      // kroner, under the act of 2026
	RuleCompensation RuleKind = "compensation"  // kroner
	RuleAct          RuleKind = "act"
)

// RuleKinds lists the kinds of figures, as they are shown.
var RuleKinds = []RuleKind{
	RuleLateInterest, RuleInkassosats, RuleFeeFraction, RuleFeeRounding, RuleFee2026, RuleCompensation, RuleAct,
}

// The bounds of a figure's texts.
const (
	MaxRuleValue  = 20
	MaxRuleSource = 250
)

// DunningRule is a figure of the law that was set in the installation, for what the program does not know yet.
type DunningRule struct {
	ID         int64
	CreditorID int64 // whose it is; zero is the installation's, for all creditors
	Kind       RuleKind
	FromDate   Date // the first day on which it holds
	Value      string
	Source     string // the regulation, or where it was read
	SetBy      string
	CreatedAt  time.Time
}
