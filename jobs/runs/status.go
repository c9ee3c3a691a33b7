package runs

import (
	"context"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// logStatus logs the status changes since the last run, tells what the creditor lacks for dunning, and warns of figures of
// the law that expire. It does so in the transaction that ends the run, so that nothing is logged twice.
func (r *Runs) logStatus(ctx context.Context, c models.Creditor, run models.Run) error {
	var ended *models.Run // nil if the run had ended before
	err := r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		ended = nil
		locked, err := tx.LockRun(ctx, run.ID)
		if err != nil || locked.State == models.RunDone {
			return err
		}
		last, err := lastMade(ctx, tx, run)
		if err != nil {
			return err
		}
		if locked.Done, err = dunning.LogStatus(ctx, tx, c, last+1, run.BusinessDate); err != nil {
			return err
		}
		if err := r.warn(ctx, tx, c, run.BusinessDate); err != nil {
			return err
		}
		ended = &locked
		return finish(ctx, tx, ended)
	})
	if err == nil && ended != nil {
		r.logDone(ctx, *ended)
	}
	return err
}

// warn tells a creditor who is dunned for what it lacks for that, and which figures of the law expire.
func (r *Runs) warn(ctx context.Context, tx *store.Tx, c models.Creditor, on models.Date) error {
	if !c.Policy.Enabled {
		return nil
	}
	if err := dunning.TellOfMissing(ctx, tx, c); err != nil {
		return err
	}
	rules, err := dunning.RulesFor(ctx, r.Rules, tx, c.ID)
	if err != nil {
		return err
	}
	return dunning.WarnOfRules(ctx, tx, rules, c, on)
}
