package app

import (
	"context"
	"fmt"
	"os"

	"purr/config"
	"purr/dunning"
	"purr/models"
	"purr/store"
	"purr/unmatched"
)

// loadRules reads the figures of the law: the program's and those of the operator's folder (rule E6h).
func (a *App) loadRules(cfg config.Config) error {
	a.Rules = dunning.Default()
	if cfg.Rules == "" {
		return nil
	}
	rules, err := readRules(cfg.Rules)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	a.Rules = rules
	return nil
}

// readRules reads a folder of figures. That it is not there is found first: the error of an fs.FS would not name it.
func readRules(folder string) (*dunning.Rules, error) {
	if _, err := os.ReadDir(folder); err != nil {
		return nil, err
	}
	return dunning.Load(os.DirFS(folder))
}

// CheckRules reads a folder of figures as --rules does, and fails with every fault of its files.
func CheckRules(folder string) error {
	_, err := readRules(folder)
	return err
}

// RulesFor returns the figures of the law as they stand now for a creditor, 0 for one that has set none itself.
func (a *App) RulesFor(ctx context.Context, creditorID int64) (*dunning.Rules, error) {
	return a.Rules.For(ctx, a.DB, creditorID)
}

// SetRule sets a figure of the law for all creditors.
func (a *App) SetRule(ctx context.Context, rule models.DunningRule) error {
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return dunning.SetRule(ctx, tx, a.Rules, rule) })
}

// RemoveRule takes back a figure of the law that was set, for all creditors or by the rule's creditor.
func (a *App) RemoveRule(ctx context.Context, rule models.DunningRule) error {
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return dunning.RemoveRule(ctx, tx, rule) })
}

// RuleWarnings calls warn with what each creditor that follows overdue invoices is to be warned of: figures that are
// known for a few weeks more, or no longer (rule E6h).
func (a *App) RuleWarnings(ctx context.Context, warn func(c models.Creditor, text string)) error {
	creditors, err := a.DB.Creditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range creditors {
		if !c.Policy.Enabled {
			continue
		}
		rules, err := a.RulesFor(ctx, c.ID)
		if err != nil {
			return err
		}
		today, err := c.Today(a.Clock.Now())
		if err != nil {
			return err
		}
		for _, w := range rules.Warnings(today, c.Policy) {
			warn(c, w.Text)
		}
	}
	return nil
}

// Asked returns what a person is to be asked before the creditor's run of today goes on, nil where it may (rule E6f).
func (a *App) Asked(ctx context.Context, c models.Creditor) (*dunning.Asked, error) {
	today, err := c.Today(a.Clock.Now())
	if err != nil {
		return nil, err
	}
	rules, err := a.RulesFor(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return dunning.Ask(ctx, a.DB, rules, c, today)
}

// RunDunning makes the automatic run of today for a creditor (rule R6), once its queue is looked at. Its letters
// are sent by the workers. It fails, doing nothing, where the run would take more
// steps than it may unasked (rule E6f).
func (a *App) RunDunning(ctx context.Context, c models.Creditor) (dunning.Result, error) {
	today, err := c.Today(a.Clock.Now())
	if err != nil {
		return dunning.Result{}, err
	}
	if err := unmatched.FindLikelyPayers(ctx, a.DB, c); err != nil {
		return dunning.Result{}, err
	}
	rules, err := a.RulesFor(ctx, c.ID)
	if err != nil {
		return dunning.Result{}, err
	}
	asked, err := dunning.Ask(ctx, a.DB, rules, c, today)
	if err != nil {
		return dunning.Result{}, err
	}
	if asked != nil {
		return dunning.Result{}, fmt.Errorf("the run %s: look at purr dunning plan, then let the server's run go on with "+
			"purr dunning approve, or raise the ceiling with purr creditor set %d --dunning-ceiling NUMBER", asked, c.ID)
	}
	return dunning.Run(ctx, a.DB, rules, c, today)
}

// ApproveRun lets the dunning run of a date, which waits to be approved, go on (rule E6f).
func (a *App) ApproveRun(ctx context.Context, c models.Creditor, date models.Date, actor string) (run models.Run, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		found, there, err := tx.RunOf(ctx, c.ID, models.RunDunning, date)
		if err != nil {
			return err
		}
		if !there {
			return models.NotFound("dunning run that waits: none was begun on " + date.String())
		}
		run, err = dunning.ApproveRun(ctx, tx, c, found.ID, actor)
		return err
	})
	return run, err
}
