package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/hibiken/asynq"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/unmatched"
)

const kindRun = "run"

// runPayload names a run: one creditor's job of one business date.
type runPayload struct {
	CreditorID int64
	Kind       models.RunKind
	Date       models.Date
}

func runTask(p runPayload) task {
	return task{kind: kindRun, key: fmt.Sprintf("%s:%d:%s", p.Kind, p.CreditorID, p.Date), payload: p, timeout: 6 * time.Hour}
}

// run makes the run of a business date, or goes on with it. Of several at once one begins it; all of
// them may do it, because each step is decided under its own lock (rule E6f).
//
// queued by: the schedule, and the sweep.
func (w *Worker) run(ctx context.Context, p runPayload) error {
	creditor, err := w.DB.Creditor(ctx, p.CreditorID)
	if err != nil {
		return err
	}
	run, since, err := w.begin(ctx, p)
	if err != nil {
		return err
	}
	switch run.State {
	case models.RunWaiting, models.RunMissed:
		return nil // it is a person's to approve, or its day is over
	case models.RunDone:
		if more, err := again(ctx, w.DB, creditor, run); err != nil || !more {
			return err
		}
	case models.RunStarted:
	}
	switch p.Kind {
	case models.RunStatus:
		return w.runStatus(ctx, creditor, run, since)
	case models.RunDunning:
		return w.runDunning(ctx, creditor, run)
	case models.RunVerify:
		return w.runVerify(ctx, creditor, run)
	}
	return fmt.Errorf("unknown kind of run %q: %w", p.Kind, asynq.SkipRetry)
}

// again reports whether a dunning run that is done held something back for a bank file that has come
// since (rule E6b).
func again(ctx context.Context, db *store.DB, creditor models.Creditor, run models.Run) (bool, error) {
	if run.Kind != models.RunDunning || !run.HeldBack {
		return false, nil
	}
	late, err := dunning.FilesLate(ctx, db, creditor, run.BusinessDate)
	return !late, err
}

// runStatus logs, once and together with the end of the run, what the passing of time did to invoices.
func (w *Worker) runStatus(ctx context.Context, creditor models.Creditor, run models.Run, since models.Date) error {
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		locked, err := tx.LockRun(ctx, run.ID)
		if err != nil || locked.State == models.RunDone {
			return err
		}
		if locked.Done, err = dunning.LogStatus(ctx, tx, creditor, since+1, run.BusinessDate); err != nil {
			return err
		}
		if creditor.Policy.Enabled {
			rules, err := w.Rules.For(ctx, tx, creditor.ID)
			if err != nil {
				return err
			}
			if err := dunning.WarnOfRules(ctx, tx, rules, creditor, run.BusinessDate); err != nil {
				return err
			}
		}
		return end(ctx, tx, locked)
	})
}

func (w *Worker) runDunning(ctx context.Context, creditor models.Creditor, run models.Run) error {
	// What the passing of time did is told before dunning changes it, also when both fall due at once.
	if err := w.run(ctx, runPayload{creditor.ID, models.RunStatus, run.BusinessDate}); err != nil {
		return err
	}
	// Whose money may be what waits in the queue is left alone, also where it has come this minute.
	if err := unmatched.FindLikelyPayers(ctx, w.DB, creditor); err != nil {
		return err
	}
	if err := dunning.WarnOfLateFiles(ctx, w.DB, creditor, run); err != nil {
		return err
	}
	rules, err := w.Rules.For(ctx, w.DB, creditor.ID)
	if err != nil {
		return err
	}
	if held, err := w.holdBack(ctx, rules, creditor, run); err != nil || held {
		return err
	}
	result, err := dunning.Run(ctx, w.DB, rules, creditor, run.BusinessDate)
	for _, d := range result.Documents {
		w.Queue.hint(ctx, renderTask(creditor.ID, d))
	}
	if err != nil {
		return err
	}
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		locked, err := tx.LockRun(ctx, run.ID)
		if err != nil {
			return err
		}
		locked.HeldBack = result.HeldBack
		return end(ctx, tx, locked)
	})
}

// holdBack has a run that would do more than it may unasked wait for a person, and reports whether it waits. A run
// whose day is over does nothing more.
func (w *Worker) holdBack(ctx context.Context, rules *dunning.Rules, creditor models.Creditor, run models.Run) (bool, error) {
	today, err := creditor.Today(w.Clock.Now())
	if err != nil || today != run.BusinessDate {
		return false, err
	}
	asked, err := dunning.Ask(ctx, w.DB, rules, creditor, today)
	if err != nil || asked == nil {
		return false, err
	}
	return true, w.DB.InTx(ctx, func(tx *store.Tx) error { return dunning.HoldRun(ctx, tx, run.ID, *asked) })
}

// runVerify proves the creditor's books, counts the long lists anew, and forgets what need not be kept.
func (w *Worker) runVerify(ctx context.Context, creditor models.Creditor, run models.Run) error {
	differences, err := ledger.Verify(ctx, w.DB, creditor)
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		w.Log.Error("the books do not add up; purr verify says where", "creditor", creditor.ID, "differences", len(differences))
	}
	for more := true; more; {
		if err := w.DB.InTx(ctx, func(tx *store.Tx) error { more, err = tx.ForgetAnswers(ctx); return err }); err != nil {
			return err
		}
	}
	if err := w.DB.InTx(ctx, func(tx *store.Tx) error { return tx.CountLists(ctx, creditor.ID) }); err != nil {
		return err
	}
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		locked, err := tx.LockRun(ctx, run.ID)
		if err != nil {
			return err
		}
		locked.Done = len(differences)
		return end(ctx, tx, locked)
	})
}

// end notes that a locked run is done.
func end(ctx context.Context, tx *store.Tx, run models.Run) error {
	run.State, run.FinishedAt = models.RunDone, &tx.Now
	return tx.UpdateRun(ctx, run)
}

// begin writes the run as begun, with the dates that were missed before it, or finds it begun. since is
// the business date of the run before, the day before this one where there was none.
func (w *Worker) begin(ctx context.Context, p runPayload) (run models.Run, since models.Date, err error) {
	err = w.DB.InTx(ctx, func(tx *store.Tx) error {
		last, found, err := tx.LastRun(ctx, p.CreditorID, p.Kind, p.Date)
		if err != nil {
			return err
		}
		since = p.Date - 1
		if found {
			since = last.BusinessDate
		}
		run = models.Run{CreditorID: p.CreditorID, Kind: p.Kind, BusinessDate: p.Date}
		fresh, err := tx.BeginRun(ctx, &run)
		if err != nil {
			return err
		}
		if fresh {
			return miss(ctx, tx, last, p, since)
		}
		run, _, err = tx.RunOf(ctx, p.CreditorID, p.Kind, p.Date)
		return err
	})
	if err == nil && run.State == models.RunStarted {
		since, err = w.sinceDone(ctx, p, since)
	}
	return run, since, err
}

// miss notes of the dates before a run on which nothing ran, and of the run before if it still waits, which is
// then too late, that this one does their work.
func miss(ctx context.Context, tx *store.Tx, last models.Run, p runPayload, since models.Date) error {
	if last.State == models.RunWaiting {
		last.State, last.CaughtUpBy = models.RunMissed, p.Date
		if err := tx.UpdateRun(ctx, last); err != nil {
			return err
		}
	}
	return tx.CreateRuns(ctx, missed(p, since))
}

// sinceDone looks past the missed dates, which a run that goes on finds written already.
func (w *Worker) sinceDone(ctx context.Context, p runPayload, since models.Date) (models.Date, error) {
	for {
		last, found, err := w.DB.LastRun(ctx, p.CreditorID, p.Kind, since+1)
		if err != nil || !found || last.State != models.RunMissed {
			return since, err
		}
		since = last.BusinessDate - 1
	}
}

// missed returns the runs of the dates between the last run and this one, on which nothing ran.
func missed(p runPayload, since models.Date) []models.Run {
	var runs []models.Run
	for d := since + 1; d < p.Date; d++ {
		runs = append(runs, models.Run{CreditorID: p.CreditorID, Kind: p.Kind, BusinessDate: d, State: models.RunMissed, CaughtUpBy: p.Date})
	}
	return runs
}
