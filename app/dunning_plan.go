package app

import (
	"context"
	"fmt"
	"os"

	"purr/api"
	"purr/dunning"
	"purr/models"
	"purr/unmatched"
)

// Outlook looks at a creditor's dunning as it stands today, once its queue is looked at as before a run.
func (a *App) Outlook(ctx context.Context, c models.Creditor) (*dunning.Outlook, error) {
	today, err := c.Today(a.Clock.Now())
	if err != nil {
		return nil, err
	}
	if err := unmatched.FindLikelyPayers(ctx, a.DB, c); err != nil {
		return nil, err
	}
	rules, err := a.RulesFor(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return dunning.Look(ctx, a.DB, rules, c, today)
}

// EachPlanned calls do with every step of the plan of a day, of which the zero date is today (rule E6). It fails for a
// day that no plan is made of.
func (a *App) EachPlanned(ctx context.Context, o *dunning.Outlook, on models.Date, do func(dunning.Step) error) error {
	if err := dunning.CanPlan(on, o.Today()); err != nil {
		return err
	}
	return o.EachStep(ctx, on, do)
}

// OtherPolicy reads a file with a <dunning_policy> as the interface takes one, and returns the creditor's policy with
// what the file says, and what that changes: the element, what it was and what it is.
func (a *App) OtherPolicy(ctx context.Context, c models.Creditor, path string) (models.Policy, [][3]string, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return c.Policy, nil, err
	}
	rules, err := a.RulesFor(ctx, c.ID)
	if err != nil {
		return c.Policy, nil, err
	}
	today, err := c.Today(a.Clock.Now())
	if err != nil {
		return c.Policy, nil, err
	}
	maxFee, _, _ := rules.MaxFee(today, today)
	other, err := api.ReadPolicy(body, c.Policy, maxFee)
	if err != nil {
		return c.Policy, nil, fmt.Errorf("%s: %w", path, err)
	}
	return other, api.PolicyChanges(c.Policy, other), nil
}
