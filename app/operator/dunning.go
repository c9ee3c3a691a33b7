package operator

import (
	"context"
	"fmt"
	"os"

	"purr/api"
	"purr/dunning"
	"purr/jobs/runs"
	"purr/law"
	"purr/models"
	"purr/store"
)

// ReadRules reads a folder with figures of the law, as named by --rules (rule E6h). Its error lists every fault of the
// files.
func ReadRules(folder string) (*law.Rules, error) {
	if _, err := os.ReadDir(folder); err != nil {
		return nil, err // the error of an fs.FS would not name the folder
	}
	return law.Load(os.DirFS(folder))
}

// RulesFor returns the present figures of the law for a creditor. The creditor 0 stands for one that has set none
// itself.
func (o *Operator) RulesFor(ctx context.Context, creditorID int64) (*law.Rules, error) {
	return dunning.RulesFor(ctx, o.Rules, o.DB, creditorID)
}

// SetRule sets a figure of the law for all creditors.
func (o *Operator) SetRule(ctx context.Context, rule models.DunningRule) error {
	rule.SetBy = o.Actor
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return dunning.SetRule(ctx, tx, o.Rules, rule) })
}

// RemoveRule removes a figure of the law that was set for all creditors, or for the rule's creditor.
func (o *Operator) RemoveRule(ctx context.Context, rule models.DunningRule) error {
	rule.SetBy = o.Actor
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return dunning.RemoveRule(ctx, tx, rule) })
}

// Snapshot reads what dunning looks at today for a creditor. It includes the likely payers of the queue.
func (o *Operator) Snapshot(ctx context.Context, c models.Creditor) (*dunning.Snapshot, error) {
	return o.Runs.Snapshot(ctx, c)
}

// day returns a creditor's date, and the figures of the law for the creditor.
func (o *Operator) day(ctx context.Context, c models.Creditor) (models.Date, *law.Rules, error) {
	today, err := o.Today(c)
	if err != nil {
		return 0, nil, err
	}
	rules, err := o.RulesFor(ctx, c.ID)
	if err != nil {
		return 0, nil, err
	}
	return today, rules, nil
}

// maxFee returns the legal maximum fee of today for a creditor.
func (o *Operator) maxFee(ctx context.Context, c models.Creditor) (models.Amount, error) {
	rules, err := o.RulesFor(ctx, c.ID)
	if err != nil {
		return 0, err
	}
	today := models.DateOf(o.Clock.Now().In(c.DisplayZone())) // so that an unknown zone can be set right
	fee, _, _ := rules.MaxFee(today, today)
	return fee, nil
}

// OtherPolicy reads a file with a <dunning_policy>, in the form of the API. It returns the creditor's policy as
// changed by the file, and each change: the element, its old value and its new value.
func (o *Operator) OtherPolicy(ctx context.Context, c models.Creditor, path string) (models.Policy, [][3]string, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return models.Policy{}, nil, err
	}
	maxFee, err := o.maxFee(ctx, c)
	if err != nil {
		return models.Policy{}, nil, err
	}
	other, err := api.ReadPolicy(body, c.Policy, maxFee)
	if err != nil {
		return models.Policy{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return other, api.PolicyChanges(c.Policy, other), nil
}

// AboveCeiling returns what a person must approve before the creditor's run of today goes on. It returns nil if the
// run needs no approval (rule E6f).
func (o *Operator) AboveCeiling(ctx context.Context, c models.Creditor) (*dunning.AboveCeiling, error) {
	today, rules, err := o.day(ctx, c)
	if err != nil {
		return nil, err
	}
	snapshot, err := dunning.TakeSnapshot(ctx, o.DB, rules, c, today)
	if err != nil {
		return nil, err
	}
	return snapshot.CheckCeiling(ctx)
}

// RunDunning makes the dunning run of today for a creditor (rule R6). The workers send its letters. If the run is
// above its ceiling, RunDunning takes no step and fails: the run then waits for approval (rule E6f).
func (o *Operator) RunDunning(ctx context.Context, c models.Creditor) (runs.Result, error) {
	result, err := o.Runs.MakeToday(ctx, c, o.Actor)
	if err != nil {
		return runs.Result{}, err
	}
	if result.Waits != nil {
		return runs.Result{}, fmt.Errorf("the run %s: look at purr dunning plan, then let the server's run go on with "+
			"purr dunning approve, or raise the ceiling with purr creditor set %d --dunning-ceiling NUMBER", result.Waits, c.ID)
	}
	return result, nil
}

// ApproveRun approves the dunning run of a date that waits for approval, so that it goes on (rule E6f). It fails if the
// run would not take the given number of steps; nil stands for any number.
func (o *Operator) ApproveRun(ctx context.Context, c models.Creditor, date models.Date, steps *int) (models.Run, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Run, error) {
		run, found, err := tx.RunOf(ctx, c.ID, models.RunDunning, date)
		if err != nil {
			return models.Run{}, err
		}
		if !found {
			return models.Run{}, models.NotFound("dunning run that waits: none was begun on " + date.String())
		}
		return dunning.ApproveRun(ctx, tx, o.Rules, c, dunning.Approval{RunID: run.ID, Steps: steps, Actor: o.Actor})
	})
}
