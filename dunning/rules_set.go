package dunning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// For returns the rules for a creditor as they stand now: these, and what was set for all creditors and for this
// one (rule E6h). Whoever decides something reads them anew, so that what is set holds at once.
func (r *Rules) For(ctx context.Context, db ruleReader, creditorID int64) (*Rules, error) {
	set, err := db.DunningRules(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	return r.with(set)
}

// ruleReader is a database, or a transaction on one.
type ruleReader interface {
	DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error)
}

// with returns the rules with figures that were set. Those for all creditors take the place of others of their
// date; a creditor's own go on where all these end, so that no creditor has another law than the law.
func (r *Rules) with(set []models.DunningRule) (*Rules, error) {
	if len(set) == 0 {
		return r, nil
	}
	all := r.figures
	for _, row := range set {
		if row.CreditorID == 0 {
			all = all.put(figureOf(row, FromInstallation))
		}
	}
	common := all
	for _, row := range set {
		if row.CreditorID != 0 && row.FromDate > common.lastFrom(row.Kind) {
			all = all.put(figureOf(row, FromCreditor))
		}
	}
	return compile(all)
}

func figureOf(row models.DunningRule, origin Origin) Figure {
	place := fmt.Sprintf("the %s that was set from %s on", row.Kind, row.FromDate)
	return Figure{row.Kind, row.FromDate, row.Value, row.Source, origin, place}
}

// Figures returns the figures that hold on a day and those that begin later, by kind and date.
func (r *Rules) Figures(on models.Date) []Figure {
	var shown []Figure
	for _, kind := range models.RuleKinds {
		all := r.figures[kind]
		first := len(all) - 1
		for first > 0 && all[first].From > on {
			first--
		}
		shown = append(shown, all[max(first, 0):]...)
	}
	return shown
}

// SetRule sets a figure of the law, for all creditors where its creditor is 0, and logs it to those whom it is
// for. It holds from now on for whatever is decided; what was charged before stays as its sheet has it. It fails
// with every fault of the figure: models.Errors with the codes unknown_kind, required, too_long, invalid_rule
// and, for a creditor's own, rule_known and out_of_range.
func SetRule(ctx context.Context, tx *store.Tx, r *Rules, rule models.DunningRule) error {
	if faults := checkRule(rule); len(faults) > 0 {
		return faults
	}
	if rule.CreditorID != 0 {
		common, err := r.For(ctx, tx, 0)
		if err != nil {
			return err
		}
		c, err := tx.Creditor(ctx, rule.CreditorID)
		if err != nil {
			return err
		}
		today, err := c.Today(tx.Now)
		if err != nil {
			return err
		}
		if faults := checkOwnRule(common, rule, today); len(faults) > 0 {
			return faults
		}
	}
	known, err := r.For(ctx, tx, rule.CreditorID)
	if err != nil {
		return err
	}
	if faults := known.checkGap(rule); len(faults) > 0 {
		return faults
	}
	if err := tx.SetDunningRule(ctx, &rule); err != nil {
		return err
	}
	text := fmt.Sprintf("Dunning rule %s from %s on set to %s by %s (%s)", rule.Kind, rule.FromDate, rule.Value, rule.SetBy, rule.Source)
	return logRule(ctx, tx, rule, text)
}

// checkGap refuses a figure that leaves out a half-year before it: the last one before would go on there as if it were
// known.
func (r *Rules) checkGap(rule models.DunningRule) models.Errors {
	if rule.Kind != models.RuleLateInterest && rule.Kind != models.RuleCompensation {
		return nil
	}
	var faults models.Errors
	if first := r.horizon(rule.Kind, nextHalfYear).Until + 1; rule.FromDate > first {
		faults.Add("out_of_range", "from", "the figure from %s on is not known: set it first", first)
	}
	return faults
}

// RemoveRule takes back a figure that was set for a creditor, 0 for all. It fails with models.KindNotFound where
// there is none.
func RemoveRule(ctx context.Context, tx *store.Tx, rule models.DunningRule) error {
	was, err := tx.DeleteDunningRule(ctx, rule.CreditorID, rule.Kind, rule.FromDate)
	if err != nil {
		return err
	}
	if !was {
		return models.NotFound(fmt.Sprintf("dunning rule %s of %s", rule.Kind, rule.FromDate))
	}
	text := fmt.Sprintf("Dunning rule %s from %s on taken back by %s", rule.Kind, rule.FromDate, rule.SetBy)
	return logRule(ctx, tx, rule, text)
}

// logRule tells the creditor, or all of them for creditor 0, of a change to the rules.
func logRule(ctx context.Context, tx *store.Tx, rule models.DunningRule, text string) error {
	told := []models.Creditor{{ID: rule.CreditorID}}
	if rule.CreditorID == 0 {
		all, err := tx.Creditors(ctx)
		if err != nil {
			return err
		}
		told = all
	}
	events := make([]models.Event, len(told))
	for i, c := range told {
		events[i] = models.Event{CreditorID: c.ID, Type: models.EventRulesChanged, Actor: rule.SetBy, SubjectID: c.ID, Text: text}
	}
	return tx.Log(ctx, events...)
}

// checkRule returns what is wrong with a figure, whoever sets it.
func checkRule(rule models.DunningRule) models.Errors {
	var faults models.Errors
	if !slices.Contains(models.RuleKinds, rule.Kind) {
		faults.Add("unknown_kind", "kind", "must be one of %s", joined(models.RuleKinds))
	}
	if rule.FromDate == 0 {
		faults.Add("required", "from", "the first day on which it holds is required")
	} else if rule.CreditorID == 0 && offHalfYear(rule) { // of a creditor's own checkOwnRule says it, with the rest
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

func joined(kinds []models.RuleKind) string {
	texts := make([]string, len(kinds))
	for i, k := range kinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ", ")
}

// ownKinds are the kinds of figures that a creditor can set for itself until they are known to all: those that are
// set anew every half-year or year. Which act is in force, and how a fee is made of the inkassosats, it cannot.
var ownKinds = []models.RuleKind{models.RuleLateInterest, models.RuleInkassosats, models.RuleCompensation}

// offHalfYear reports whether a figure that is set for half-years begins on another day (forsinkelsesrenteloven §§ 3, 3a).
func offHalfYear(rule models.DunningRule) bool {
	return (rule.Kind == models.RuleLateInterest || rule.Kind == models.RuleCompensation) && rule.FromDate != halfYear(rule.FromDate)
}

// checkOwnRule returns what is wrong with a figure that a creditor sets for itself: it must be the next after
// those that are known to all, and not far from the last of them.
func checkOwnRule(common *Rules, rule models.DunningRule, today models.Date) models.Errors {
	var faults models.Errors
	if !slices.Contains(ownKinds, rule.Kind) {
		faults.Add("unknown_kind", "kind", "a creditor can set one of %s; the rest is the operator's, with purr dunning rules set", joined(ownKinds))
		return faults
	}
	last := common.figures[rule.Kind][len(common.figures[rule.Kind])-1]
	switch {
	case rule.FromDate <= last.From:
		faults.Add("rule_known", "from", "the figure of %s is known, and no creditor can change it: it must be a later one", last.From)
	case offHalfYear(rule):
		faults.Add("out_of_range", "from", "must be a 1 January or a 1 July")
	case rule.FromDate > today+366:
		faults.Add("out_of_range", "from", "must not be more than a year ahead")
	}
	// Both were read before.
	value, _ := models.ParseAmount(rule.Value)
	known, _ := models.ParseAmount(last.Value)
	if 2*value < known || value > 2*known {
		faults.Add("out_of_range", "value", "must be from half to twice the last figure, %s; one that differs more is the operator's, with purr dunning rules set", last.Value)
	}
	return faults
}
