package law

import (
	"slices"
	"strings"

	"purr/models"
)

// maxDaysAhead is the most days before a figure's first day on which a creditor can set it for itself.
const maxDaysAhead = 366

// ownKinds are the kinds of figures that a creditor can set for itself until they are set for all: those that are
// renewed every half-year or year. A creditor cannot set which statute is in force, or how a fee follows from the
// inkassosats.
var ownKinds = []models.RuleKind{models.RuleLateInterest, models.RuleInkassosats, models.RuleCompensation}

// CheckFigure returns the faults of a figure that a person sets: unknown_kind, required, too_long, invalid_rule or
// out_of_range.
func CheckFigure(rule models.DunningRule) models.Errors {
	var faults models.Errors
	if !slices.Contains(models.RuleKinds, rule.Kind) {
		faults.Add("unknown_kind", "kind", "must be one of %s", joined(models.RuleKinds))
	}
	if rule.FromDate == 0 {
		faults.Add("required", "from", "the first day on which it holds is required")
	} else if rule.CreditorID == 0 && offHalfYear(rule) { // CheckOwnFigure checks this for a creditor's own figure
		faults.Add("out_of_range", "from", "must be a 1 January or a 1 July")
	}
	if strings.TrimSpace(rule.Source) == "" {
		faults.Add("required", "source", "is required: the regulation, or where it was read")
	}
	faults.Prose("source", rule.Source, models.MaxRuleSource)
	if len(rule.Value) > models.MaxRuleValue {
		faults.Add("invalid_rule", "value", "is too long for a figure")
	} else if _, err := compile(make(figures).put(figureOf(rule, FromInstallation))); err != nil {
		faults.Add("invalid_rule", "value", "%q is no figure of this kind", rule.Value)
	}
	return faults
}

// CheckOwnFigure returns the faults of a figure that a creditor sets for itself: unknown_kind, rule_known or
// out_of_range. r are the rules for all creditors, and CheckFigure has found no fault. The figure must be later
// than all figures that are set for all creditors, and not far from the last of them.
func (r *Rules) CheckOwnFigure(rule models.DunningRule, today models.Date) models.Errors {
	var faults models.Errors
	if !slices.Contains(ownKinds, rule.Kind) {
		faults.Add("unknown_kind", "kind", "a creditor can set one of %s; the rest is the operator's, with purr dunning rules set", joined(ownKinds))
		return faults
	}
	last, _ := r.figures.last(rule.Kind)
	switch {
	case rule.FromDate <= last.From:
		faults.Add("rule_known", "from", "the figure of %s is known, and no creditor can change it: it must be a later one", last.From)
	case offHalfYear(rule):
		faults.Add("out_of_range", "from", "must be a 1 January or a 1 July")
	case rule.FromDate > today+maxDaysAhead:
		faults.Add("out_of_range", "from", "must not be more than a year ahead")
	}
	value, err := models.ParseAmount(rule.Value)
	known, errKnown := models.ParseAmount(last.Value)
	if err != nil || errKnown != nil || 2*value < known || value > 2*known {
		faults.Add("out_of_range", "value", "must be from half to twice the last figure, %s; one that differs more is the operator's, with purr dunning rules set", last.Value)
	}
	return faults
}

// CheckGap returns out_of_range for a figure that leaves a half-year before it without a figure. The rules would
// treat the last figure as known for that half-year.
func (r *Rules) CheckGap(rule models.DunningRule) models.Errors {
	if !byHalfYear(rule.Kind) {
		return nil
	}
	var faults models.Errors
	if first := r.expiry(rule.Kind, nextHalfYear).Until + 1; rule.FromDate > first {
		faults.Add("out_of_range", "from", "the figure from %s on is not known: set it first", first)
	}
	return faults
}

// byHalfYear reports whether figures of the kind are set for half-years (forsinkelsesrenteloven §§ 3, 3a).
func byHalfYear(kind models.RuleKind) bool {
	return kind == models.RuleLateInterest || kind == models.RuleCompensation
}

// offHalfYear reports whether a figure that is set for half-years begins on another day.
func offHalfYear(rule models.DunningRule) bool {
	return byHalfYear(rule.Kind) && rule.FromDate != halfYear(rule.FromDate)
}

func joined(kinds []models.RuleKind) string {
	texts := make([]string, len(kinds))
	for i, k := range kinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ", ")
}
