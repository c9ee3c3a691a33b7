package runs

import (
	"context"
	"errors"
	"time"

	"purr/dunning"
	"purr/ledger/avtalegiro"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// dun takes the due step with each invoice.
func (r *Runs) dun(ctx context.Context, c models.Creditor, run models.Run) (Result, error) {
	today, err := c.Today(r.Clock.Now())
	if err != nil {
		return Result{}, err
	}
	if run.State != models.RunStarted && today != run.BusinessDate {
		return Result{}, nil // its day is over: a task was late, and the row stays as it is
	}
	chores, err := r.prepare(ctx, c, run, today)
	if err != nil {
		return Result{}, err
	}
	snapshot, err := r.snapshot(ctx, c, run.BusinessDate)
	if err != nil {
		return Result{}, err
	}
	if err := snapshot.WarnOfLateFiles(ctx, run); err != nil {
		return Result{}, err
	}
	if err := snapshot.MoveCredits(ctx); err != nil {
		return Result{}, err
	}
	var unsettled error // plans that could not be settled: the run goes on without them, and fails in the end
	if unsettled = snapshot.SettlePlans(ctx, chores.Plans); ctx.Err() != nil || models.KindOf(unsettled) == models.KindUnavailable {
		return Result{}, unsettled
	}
	asked, err := r.ask(ctx, snapshot, run, today)
	if err != nil || asked != nil {
		return Result{Waits: asked}, errors.Join(unsettled, err)
	}
	done, err := snapshot.Run(ctx, func() {
		if r.Made != nil {
			r.Made(ctx, c.ID)
		}
	})
	if err := errors.Join(unsettled, err); err != nil {
		return Result{Result: done}, err
	}
	return Result{Result: done}, r.end(ctx, run, func(locked *models.Run) { locked.HeldBack = done.HeldBack })
}

// prepare does what a dunning run does before it looks at invoices, and returns what there was to do.
func (r *Runs) prepare(ctx context.Context, c models.Creditor, run models.Run, today models.Date) (store.Chores, error) {
	before, err := unmatched.LongBefore(c, today)
	if err != nil {
		return store.Chores{}, err
	}
	chores, err := r.DB.Chores(ctx, c.ID, run.BusinessDate, before)
	if err != nil {
		return store.Chores{}, err
	}
	// The status run logs changes before dunning changes the invoices, even if both runs fall due at once.
	if chores.Status {
		if _, err := r.Make(ctx, c.ID, models.RunStatus, run.BusinessDate); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Payments {
		if err := unmatched.FindLikelyPayers(ctx, r.DB, c); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Queue {
		if err := unmatched.RememberLikelyPayers(ctx, r.DB, c); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Waits {
		if err := unmatched.TellOfLongWaits(ctx, r.DB, c, today); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Lapses {
		if err := dunning.TellLapses(ctx, r.DB, c, run.BusinessDate); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Drawn {
		if err := avtalegiro.Settle(ctx, r.DB, c, run.BusinessDate); err != nil {
			return store.Chores{}, err
		}
	}
	if chores.Letters {
		if err := dunning.WithdrawAllFailed(ctx, r.DB, c.ID); err != nil {
			return store.Chores{}, err
		}
	}
	if !chores.Anew {
		return chores, nil
	}
	rules, err := dunning.RulesFor(ctx, r.Rules, r.DB, c.ID)
	if err != nil {
		return store.Chores{}, err
	}
	_, err = dunning.IssueBounced(ctx, r.DB, rules, c, run.BusinessDate)
	return chores, err
}

// ask makes a run that would exceed its ceiling wait for a person, and returns the question for that person. It
// returns nil for a run whose day is over, because that run takes no step.
func (r *Runs) ask(ctx context.Context, snapshot *dunning.Snapshot, run models.Run, today models.Date) (*dunning.AboveCeiling, error) {
	if today != run.BusinessDate {
		return nil, nil
	}
	asked, err := snapshot.CheckCeiling(ctx)
	if err != nil || asked == nil {
		return nil, err
	}
	return asked, r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return dunning.AwaitApproval(ctx, tx, run.ID, *asked) })
}

// Snapshot reads what dunning looks at today for a creditor.
func (r *Runs) Snapshot(ctx context.Context, c models.Creditor) (*dunning.Snapshot, error) {
	today, err := c.Today(r.Clock.Now())
	if err != nil {
		return nil, err
	}
	return r.snapshot(ctx, c, today)
}

func (r *Runs) snapshot(ctx context.Context, c models.Creditor, date models.Date) (*dunning.Snapshot, error) {
	rules, err := dunning.RulesFor(ctx, r.Rules, r.DB, c.ID)
	if err != nil {
		return nil, err
	}
	return dunning.TakeSnapshot(ctx, r.DB, rules, c, date)
}

// FilesCame reports whether a dunning run of the creditor's today that skipped invoices for a bank file is to be made again: the bank's
// files are no longer late (rule E6b).
func FilesCame(ctx context.Context, db *store.DB, run models.Run, now time.Time) (bool, error) {
	c, err := db.Creditor(ctx, run.CreditorID)
	if err != nil {
		return false, err
	}
	today, err := c.Today(now)
	if err != nil || today != run.BusinessDate {
		return false, err
	}
	late, err := dunning.FilesLate(ctx, db, c, run.BusinessDate)
	return err == nil && !late, err
}
