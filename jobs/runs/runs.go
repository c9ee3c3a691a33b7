// Package runs makes the runs of a creditor's business dates: the status run, the dunning run and the proof of the
// books. The worker makes them when they fall due. A person makes today's dunning run on the command line. It
// knows nothing of queues.
package runs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/store"
)

// Runs makes runs. All fields must be set unless their comment says otherwise. It is safe for concurrent use.
type Runs struct {
	DB    *store.DB
	Rules *law.Rules // the program's and the operator's; the creditors' own figures are read at each run
	Clock clock.Clock
	Log   *slog.Logger
	// Made is called while a dunning run goes on, when it has made notices: their letters may leave. It may be nil.
	Made func(ctx context.Context, creditorID int64)
}

// Result is what a run did. The documents of a dunning run are still to be rendered and sent.
type Result struct {
	dunning.Result
	Waits *dunning.AboveCeiling // why the run waits for a person's approval; nil if it does not
}

// Make makes a creditor's run of a business date, or continues an interrupted one. It begins a run on its own day only,
// whatever the queue asks for: ErrFuture refuses a later date, and of an earlier one nothing is made (rule O12). It
// first records the dates that were missed since the last run. Several processes may make the same run at once: one row is begun, and each step
// is decided under its own lock (rule E6f).
//
// The runs of the status and of the books are made once. A dunning run that is done takes the steps that have
// fallen due since, and counts them on its row. If it would take more steps than its ceiling, it takes none and
// waits. It goes on once a person approves it, or once it is made again and no longer exceeds the ceiling. If Make
// fails, the result holds what was done before the failure. It fails with store.ErrHeld while the installation is held.
func (r *Runs) Make(ctx context.Context, creditorID int64, kind models.RunKind, date models.Date) (Result, error) {
	creditor, err := r.DB.Creditor(ctx, creditorID)
	if err != nil {
		return Result{}, err
	}
	if !slices.Contains(models.RunKinds, kind) {
		return Result{}, &models.Error{Kind: models.KindInvalid, Msg: fmt.Sprintf("there is no kind of run %q", kind)}
	}
	today, err := creditor.Today(r.Clock.Now())
	if err != nil {
		return Result{}, err
	}
	if date > today {
		return Result{}, ErrFuture
	}
	run, err := r.begin(ctx, models.Run{CreditorID: creditorID, Kind: kind, BusinessDate: date}, today)
	if err != nil || run.ID == 0 || run.State == models.RunMissed {
		return Result{}, err
	}
	switch {
	case kind == models.RunDunning:
		return r.dun(ctx, creditor, run)
	case run.State == models.RunDone:
		return Result{}, nil
	case kind == models.RunStatus:
		return Result{}, r.logStatus(ctx, creditor, run)
	case kind == models.RunVerify:
		return Result{}, r.verify(ctx, creditor, run)
	}
	return Result{}, nil
}

// ErrFuture is the error of a run whose date is after the creditor's today. Its task was forged, or a clock is wrong.
var ErrFuture = &models.Error{Kind: models.KindInvalid, Msg: "the run's date is in the future: its task is forged, or a clock was wrong"}

// MakeToday makes a creditor's dunning run of today for a person, as Make does. It logs who made it and what it
// did, unless the run waits for approval.
func (r *Runs) MakeToday(ctx context.Context, c models.Creditor, actor string) (Result, error) {
	today, err := c.Today(r.Clock.Now())
	if err != nil {
		return Result{}, err
	}
	result, err := r.Make(ctx, c.ID, models.RunDunning, today)
	if err != nil || result.Waits != nil {
		return result, err
	}
	return result, r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		run, _, err := tx.RunOf(ctx, c.ID, models.RunDunning, today)
		if err != nil {
			return err
		}
		return tx.Log(ctx, models.Event{
			CreditorID: c.ID, Type: models.EventDunningRun, Actor: actor, SubjectID: run.ID,
			Text:  fmt.Sprintf("Dunning run of %s made by %s: %d notices, %d hand-overs", today, actor, len(result.Documents), result.HandOvers),
			Facts: models.Facts{"date": today, "notices": len(result.Documents), "hand_overs": result.HandOvers},
		})
	})
}

// end ends a run in a transaction of its own.
func (r *Runs) end(ctx context.Context, run models.Run, set func(*models.Run)) error {
	var ended models.Run
	err := r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		ended, err = lockAndFinish(ctx, tx, run, set)
		return err
	})
	if err != nil {
		return err
	}
	r.logDone(ctx, ended)
	return nil
}

// lockAndFinish locks a run, lets set fill in what it found, and finishes it.
func lockAndFinish(ctx context.Context, tx *store.Tx, run models.Run, set func(*models.Run)) (models.Run, error) {
	locked, err := tx.LockRun(ctx, run.ID)
	if err != nil {
		return models.Run{}, err
	}
	set(&locked)
	return locked, finish(ctx, tx, &locked)
}

func finish(ctx context.Context, tx *store.Tx, locked *models.Run) error {
	locked.State, locked.FinishedAt = models.RunDone, &tx.Now
	return tx.UpdateRun(ctx, *locked)
}

func (r *Runs) logDone(ctx context.Context, run models.Run) {
	level := slog.LevelInfo
	if run.Kind != models.RunDunning && run.Done == 0 {
		level = slog.LevelDebug // most days change nothing
	}
	r.Log.Log(ctx, level, "a run was made", "kind", run.Kind, "creditor", run.CreditorID, "date", run.BusinessDate, "done", run.Done)
}
