package dunning

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// RulesReader is a database, or a transaction on one.
type RulesReader interface {
	DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error)
}

// RulesFor returns the current rules for a creditor, or for all creditors if creditorID is 0: the base, the
// figures set for all creditors, and the creditor's own figures (rule E6h). Read them again for each decision,
// because a new figure holds at once.
func RulesFor(ctx context.Context, base *law.Rules, db RulesReader, creditorID int64) (*law.Rules, error) {
	set, err := db.DunningRules(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	return base.With(set)
}

// SetRule sets a figure of the law, for all creditors if its creditor is 0, and logs it to the creditors
// concerned. The figure is used from now on. Amounts charged before do not change. SetRule fails with
// models.Errors of every fault: unknown_kind, required, too_long, invalid_rule and out_of_range, and for a
// creditor's own figure also rule_known. seen is what the person saw of a creditor's figures (store's Look), if he looked: if
// somebody has set one since, SetRule fails with the conflict changed_meanwhile (rule D115).
func SetRule(ctx context.Context, tx *store.Tx, base *law.Rules, rule models.DunningRule, seen ...models.Seen) error {
	if faults := law.CheckFigure(rule); len(faults) > 0 {
		return faults
	}
	if len(seen) > 0 { // the lock makes two people see each other's figure
		if _, err := tx.LockCreditor(ctx, rule.CreditorID); err != nil {
			return err
		}
	}
	if err := tx.Unchanged(ctx, rule.CreditorID, models.Thing{Kind: models.ThingRules, ID: rule.CreditorID}, seen...); err != nil {
		return err
	}
	if rule.CreditorID != 0 {
		if err := checkOwnRule(ctx, tx, base, rule); err != nil {
			return err
		}
	}
	rules, err := RulesFor(ctx, base, tx, rule.CreditorID)
	if err != nil {
		return err
	}
	if faults := rules.CheckGap(rule); len(faults) > 0 {
		return faults
	}
	if err := tx.SetDunningRule(ctx, &rule); err != nil {
		return err
	}
	text := fmt.Sprintf("Dunning rule %s from %s on set to %s by %s (%s)", rule.Kind, rule.FromDate, rule.Value, rule.SetBy, rule.Source)
	return logRule(ctx, tx, rule, text)
}

// checkOwnRule fails if a creditor may not set the figure for itself today.
func checkOwnRule(ctx context.Context, tx *store.Tx, base *law.Rules, rule models.DunningRule) error {
	common, err := RulesFor(ctx, base, tx, 0)
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
	return common.CheckOwnFigure(rule, today).ErrorOrNil()
}

// RemoveRule removes a figure that was set for a creditor, or for all creditors if the creditor is 0. It fails
// with models.KindNotFound if no such figure was set.
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

// logRule logs a change to the rules to the creditor, or to all of them for creditor 0.
func logRule(ctx context.Context, tx *store.Tx, rule models.DunningRule, text string) error {
	concerned := map[int64]string{rule.CreditorID: ""}
	if rule.CreditorID == 0 {
		all, err := tx.CreditorNames(ctx)
		if err != nil {
			return err
		}
		concerned = all
	}
	facts := models.Facts{"kind": rule.Kind, "from": rule.FromDate}
	if rule.Value != "" {
		facts["value"], facts["source"] = rule.Value, rule.Source
	}
	events := make([]models.Event, 0, len(concerned))
	for _, id := range slices.Sorted(maps.Keys(concerned)) {
		events = append(events, models.Event{CreditorID: id, Type: models.EventRulesChanged, Actor: rule.SetBy, SubjectID: id, Text: text, Facts: facts})
	}
	return tx.Log(ctx, events...)
}

// WarnOfRules logs the warnings about figures for a creditor on a day, each warning once (rule E6h).
func WarnOfRules(ctx context.Context, tx *store.Tx, r *law.Rules, c models.Creditor, on models.Date) error {
	for _, w := range r.Warnings(on, c.Policy) {
		fresh, err := tx.RecordRuleWarning(ctx, c.ID, w.Kind, w.From)
		if err != nil {
			return err
		}
		if !fresh {
			continue
		}
		if err := tx.Log(ctx, models.Event{
			CreditorID: c.ID, Type: models.EventRulesEnding, SubjectID: c.ID, Text: "Dunning rules: " + w.Text, Facts: models.Facts{"kind": w.Kind, "from": w.From},
		}); err != nil {
			return err
		}
	}
	return nil
}
