package dunning

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// WarnDays is for how many days before a figure is known no longer it is warned of (rule E6h): the new ones are
// published in the weeks before a half-year begins.
const WarnDays = 28

// Horizon is until when a figure is known that is set anew every half-year or year.
type Horizon struct {
	Kind  models.RuleKind
	Until models.Date // the last day for which it is known
	Value string      // the last one, which goes on after that day; empty where there has been none
}

// Horizons returns until when late interest, the maximum fee and standard compensation are known, by the act that
// is in force on a day. What does not depend on one of them need not mind its horizon.
func (r *Rules) Horizons(on models.Date) []Horizon {
	fee := r.horizon(models.RuleInkassosats, nextYear)
	if r.actOn(on) == Act2026 {
		fee = r.horizon(models.RuleFee2026, nextYear)
	}
	return []Horizon{r.horizon(models.RuleLateInterest, nextHalfYear), fee, r.horizon(models.RuleCompensation, nextHalfYear)}
}

func (r *Rules) horizon(kind models.RuleKind, next func(models.Date) models.Date) Horizon {
	all := r.figures[kind]
	if len(all) == 0 {
		return Horizon{Kind: kind}
	}
	last := all[len(all)-1]
	return Horizon{Kind: kind, Until: next(last.From) - 1, Value: last.Value}
}

// Warning warns that a figure is known no longer, or for a few weeks more (rule E6h).
type Warning struct {
	Kind models.RuleKind
	From models.Date // the first day of the half-year without a figure: the next one, or the one that has begun
	Text string      // for a person
}

// Warnings returns what a creditor with the policy is to be warned of on a day.
func (r *Rules) Warnings(on models.Date, p models.Policy) []Warning {
	var warnings []Warning
	for _, h := range r.Horizons(on) {
		if on <= h.Until-WarnDays || h.Kind == models.RuleCompensation && !p.Compensation {
			continue
		}
		w := Warning{Kind: h.Kind, From: max(h.Until+1, halfYear(on))}
		switch name := nameOf(h.Kind); {
		case h.Value == "":
			w.Text = name + " is not set: none is charged"
		case on > h.Until:
			w.Text = fmt.Sprintf("%s is not known for the days after %s: the last one, %s, goes on", name, h.Until, h.Value)
		default:
			w.Text = fmt.Sprintf("%s is known until %s: after that day the last one, %s, goes on unless the next is set", name, h.Until, h.Value)
		}
		warnings = append(warnings, w)
	}
	return warnings
}

// nameOf returns what a figure that is set anew is called in warnings.
func nameOf(kind models.RuleKind) string {
	switch kind { //nolint:exhaustive // the others are not set anew
	case models.RuleLateInterest:
		return "the rate of late interest"
	case models.RuleInkassosats:
		return "the inkassosats (of which fees are a fraction)"
	case models.RuleFee2026:
		return "the fee under the act of 2026"
	}
	return "standard compensation"
}

// WarnOfRules logs what the creditor is to be warned of on a day, each warning once (rule E6h).
func WarnOfRules(ctx context.Context, tx *store.Tx, r *Rules, c models.Creditor, on models.Date) error {
	for _, w := range r.Warnings(on, c.Policy) {
		fresh, err := tx.NoteRuleWarning(ctx, c.ID, w.Kind, w.From)
		if err != nil {
			return err
		}
		if !fresh {
			continue
		}
		if err := tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventRulesEnding, SubjectID: c.ID, Text: "Dunning rules: " + w.Text}); err != nil {
			return err
		}
	}
	return nil
}
