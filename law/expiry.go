package law

import (
	"fmt"

	"purr/models"
)

// WarnDays is how many days before a figure expires the warnings begin (rule E6h). New figures are published in
// the weeks before a half-year begins.
const WarnDays = 28

// Expiry says until when a figure is known. The figure is of a kind that is renewed every half-year or year, or the
// statute on debt collection, of which a day may be near on which another one comes into force (rule L11).
type Expiry struct {
	Kind  models.RuleKind
	Until models.Date // the last day for which it is known
	Value string      // the last figure, which is used after that day too; empty if there is none
}

// Expiries returns until when late-payment interest, the maximum fee, standard compensation and the statute on debt
// collection are known. The statute that is in force on the day decides which figures count. It is itself not among
// them where no end is in sight.
func (r *Rules) Expiries(on models.Date) []Expiry {
	fee := r.expiry(models.RuleInkassosats, nextYear)
	if r.actOn(on) == Act2026 {
		fee = r.expiry(models.RuleFee2026, nextYear)
	}
	all := []Expiry{r.expiry(models.RuleLateInterest, nextHalfYear), fee, r.expiry(models.RuleCompensation, nextHalfYear)}
	if act, ends := r.actExpiry(); ends {
		all = append(all, act)
	}
	return all
}

// actExpiry returns until when it is known which statute is in force, and false if nothing unknown is ahead. A statute
// that is set from a later day on says what holds until then: the one before.
func (r *Rules) actExpiry() (Expiry, bool) {
	last, found := r.figures.last(models.RuleAct)
	if !found || last.Value != string(ActUnknown) || len(r.acts) == 0 {
		return Expiry{}, false
	}
	return Expiry{Kind: models.RuleAct, Until: last.From - 1, Value: string(r.acts[len(r.acts)-1].value)}, true
}

func (r *Rules) expiry(kind models.RuleKind, next func(models.Date) models.Date) Expiry {
	last, found := r.figures.last(kind)
	if !found {
		return Expiry{Kind: kind}
	}
	return Expiry{Kind: kind, Until: next(last.From) - 1, Value: last.Value}
}

// Warning says that a figure is no longer known, or is known only for a few weeks more (rule E6h).
type Warning struct {
	Kind models.RuleKind
	From models.Date // the first day of the half-year without a figure: the next half-year, or the one that has begun
	Text string      // for a person
}

// Warnings returns the warnings for a creditor with the policy on a day.
func (r *Rules) Warnings(on models.Date, p models.Policy) []Warning {
	var warnings []Warning
	for _, e := range r.Expiries(on) {
		if on <= e.Until-WarnDays || e.Kind == models.RuleCompensation && !p.Compensation {
			continue
		}
		w := Warning{Kind: e.Kind, From: max(e.Until+1, halfYear(on))}
		switch name := figureNames[e.Kind]; {
		case e.Value == "":
			w.Text = name + " is not set: none is charged"
		case on > e.Until:
			w.Text = fmt.Sprintf("%s is not known for the days after %s: the last one, %s, goes on", name, e.Until, e.Value)
		default:
			w.Text = fmt.Sprintf("%s is known until %s: after that day the last one, %s, goes on unless the next is set", name, e.Until, e.Value)
		}
		warnings = append(warnings, w)
	}
	return warnings
}

// figureNames are the names in warnings of the figures that are renewed.
var figureNames = map[models.RuleKind]string{ //nolint:exhaustive // the others are not set anew
	models.RuleLateInterest: "the rate of late interest",
	models.RuleInkassosats:  "the inkassosats (of which fees are a fraction)",
	models.RuleFee2026:      "the fee under the act of 2026",
	models.RuleCompensation: "standard compensation",
	models.RuleAct:          "the act on debt collection",
}
