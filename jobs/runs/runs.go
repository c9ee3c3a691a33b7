// Package runs makes the runs of a creditor's business dates: the status run, the dunning run and the proof of the
// books. The worker makes them when they fall due. A person makes today's dunning run on the command line. It
// knows nothing of queues.
package runs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
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

// begin writes today's run as begun, together with the missed dates before it. If the run was begun before, begin
// returns it as it is. It returns an empty run if the date is over and had none.
//
// Today cannot have been missed yet. A row that says so was written while a clock was ahead: begin begins that run
// after all. It records the runs of later dates as missed, so that each gets its run when its day comes.
func (r *Runs) begin(ctx context.Context, wanted models.Run, today models.Date) (run models.Run, err error) {
	var future int64
	err = r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		future = 0
		around, err := tx.RunsAround(ctx, wanted.CreditorID, wanted.Kind, wanted.BusinessDate)
		if err != nil {
			return err
		}
		run = around.On
		if over := wanted.BusinessDate < today; over || run.ID != 0 && run.State != models.RunMissed {
			return nil
		}
		var fresh bool
		if run, fresh, err = beginToday(ctx, tx, wanted, run); err != nil || !fresh {
			return err
		}
		if around.After {
			if future, err = tx.MissFutureRuns(ctx, wanted.CreditorID, wanted.Kind, today); err != nil {
				return err
			}
		}
		return recordMissed(ctx, tx, wanted, around.Before)
	})
	if err != nil {
		return models.Run{}, err
	}
	if future > 0 {
		r.Log.Error("runs of the future were found: a clock was wrong; they will be made when their days come",
			"creditor", wanted.CreditorID, "kind", wanted.Kind, "runs", future)
	}
	return run, nil
}

// beginToday writes today's run as begun, and returns it. missed is its row if there is one. It reports false if another process
// has begun the run meanwhile, and returns that.
func beginToday(ctx context.Context, tx *store.Tx, wanted, missed models.Run) (models.Run, bool, error) {
	if missed.ID != 0 {
		return tx.BeginMissedRun(ctx, missed.ID)
	}
	run := models.Run{CreditorID: wanted.CreditorID, Kind: wanted.Kind, BusinessDate: wanted.BusinessDate}
	fresh, err := tx.BeginRun(ctx, &run)
	if err != nil || fresh {
		return run, fresh, err
	}
	run, _, err = tx.RunOf(ctx, wanted.CreditorID, wanted.Kind, wanted.BusinessDate)
	return run, false, err
}

// recordMissed writes that a run does the work of the dates without a run since the last one. If the run before still waits, it
// is recorded as missed too, because its day is over.
func recordMissed(ctx context.Context, tx *store.Tx, run, last models.Run) error {
	if last.ID == 0 {
		return nil
	}
	if last.State == models.RunWaiting {
		last.State, last.CaughtUpBy = models.RunMissed, run.BusinessDate
		if err := tx.UpdateRun(ctx, last); err != nil {
			return err
		}
	}
	var missed []models.Run
	for date := last.BusinessDate + 1; date < run.BusinessDate; date++ {
		missed = append(missed, models.Run{
			CreditorID: run.CreditorID, Kind: run.Kind, BusinessDate: date, State: models.RunMissed, CaughtUpBy: run.BusinessDate,
		})
	}
	return tx.CreateRuns(ctx, missed)
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
		if c.Policy.Enabled {
			if err := dunning.TellOfMissing(ctx, tx, c); err != nil {
				return err
			}
			rules, err := dunning.RulesFor(ctx, r.Rules, tx, c.ID)
			if err != nil {
				return err
			}
			if err := dunning.WarnOfRules(ctx, tx, rules, c, run.BusinessDate); err != nil {
				return err
			}
		}
		ended = &locked
		return finish(ctx, tx, ended)
	})
	if err == nil && ended != nil {
		r.logDone(ctx, *ended)
	}
	return err
}

// lastMade returns the date of the last run that was made before this one, or the day before this one if there was
// none.
func lastMade(ctx context.Context, tx *store.Tx, run models.Run) (models.Date, error) {
	for date := run.BusinessDate; ; {
		last, found, err := tx.LastRun(ctx, run.CreditorID, run.Kind, date)
		switch {
		case err != nil:
			return 0, err
		case !found:
			return date - 1, nil
		case last.State != models.RunMissed:
			return last.BusinessDate, nil
		}
		date = last.BusinessDate
	}
}

// dun takes the due step with each invoice.
func (r *Runs) dun(ctx context.Context, c models.Creditor, run models.Run) (Result, error) {
	today, err := c.Today(r.Clock.Now())
	if err != nil {
		return Result{}, err
	}
	if run.State != models.RunStarted && today != run.BusinessDate {
		return Result{}, nil // its day is over: a task was late, and the row stays as it is
	}
	if err := r.prepare(ctx, c, run, today); err != nil {
		return Result{}, err
	}
	rules, err := dunning.RulesFor(ctx, r.Rules, r.DB, c.ID)
	if err != nil {
		return Result{}, err
	}
	snapshot, err := dunning.TakeSnapshot(ctx, r.DB, rules, c, run.BusinessDate)
	if err != nil {
		return Result{}, err
	}
	if err := snapshot.WarnOfLateFiles(ctx, run); err != nil {
		return Result{}, err
	}
	if err := snapshot.MoveCredits(ctx); err != nil {
		return Result{}, err
	}
	asked, err := r.ask(ctx, snapshot, run, today)
	if err != nil || asked != nil {
		return Result{Waits: asked}, err
	}
	done, err := snapshot.Run(ctx, func() {
		if r.Made != nil {
			r.Made(ctx, c.ID)
		}
	})
	if err != nil {
		return Result{Result: done}, err
	}
	return Result{Result: done}, r.end(ctx, run, func(locked *models.Run) { locked.HeldBack = done.HeldBack })
}

// prepare does what a dunning run does before it looks at invoices.
func (r *Runs) prepare(ctx context.Context, c models.Creditor, run models.Run, today models.Date) error {
	before, err := unmatched.LongBefore(c, today)
	if err != nil {
		return err
	}
	are, err := r.DB.Chores(ctx, c.ID, run.BusinessDate, before)
	if err != nil {
		return err
	}
	// The status run logs changes before dunning changes the invoices, even if both runs fall due at once.
	if are.Status {
		if _, err := r.Make(ctx, c.ID, models.RunStatus, run.BusinessDate); err != nil {
			return err
		}
	}
	if are.Payments {
		if err := unmatched.FindLikelyPayers(ctx, r.DB, c); err != nil {
			return err
		}
	}
	if are.Queue {
		if err := unmatched.RememberLikelyPayers(ctx, r.DB, c); err != nil {
			return err
		}
	}
	if are.Waits {
		if err := unmatched.TellOfLongWaits(ctx, r.DB, c, today); err != nil {
			return err
		}
	}
	if are.Letters {
		return dunning.WithdrawAllFailed(ctx, r.DB, c.ID)
	}
	return nil
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

// verify proves the creditor's books, counts the long lists again, and deletes expired answers of Idempotency-Keys.
func (r *Runs) verify(ctx context.Context, c models.Creditor, run models.Run) error {
	differences, err := ledger.Verify(ctx, r.DB.Patient(), c)
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		r.Log.Error("the books do not add up; purr verify says where", "creditor", c.ID, "differences", len(differences))
	}
	for more := true; more; {
		if err := r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { more, err = tx.ForgetAnswers(ctx); return err }); err != nil {
			return err
		}
	}
	var ended models.Run
	err = r.DB.Patient().InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := tx.CountLists(ctx, c.ID); err != nil {
			return err
		}
		ended, err = lockAndFinish(ctx, tx, run, func(locked *models.Run) { locked.Done = len(differences) })
		return err
	})
	if err != nil {
		return err
	}
	r.logDone(ctx, ended)
	return nil
}
