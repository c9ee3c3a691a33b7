package jobs

import (
	"context"
	"fmt"
	"time"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
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
	if err != nil || run.State == models.RunDone {
		return err
	}
	switch p.Kind {
	case models.RunStatus:
		run.Done, err = dunning.LogStatus(ctx, w.DB, creditor, since+1, p.Date)
	case models.RunDunning:
		var result dunning.Result
		result, err = dunning.Run(ctx, w.DB, w.Rules, creditor, p.Date)
		run.Done, run.HeldBack = result.Steps(), result.HeldBack
		for _, d := range result.Documents {
			w.Queue.hint(ctx, renderTask(creditor.ID, d))
		}
	case models.RunVerify:
		var differences []ledger.Difference
		differences, err = ledger.Verify(ctx, w.DB, creditor)
		run.Done = len(differences)
		for _, d := range differences {
			w.Log.Error("the books do not add up", "creditor", creditor.ID, "difference", d)
		}
	}
	if err != nil {
		return err
	}
	return w.finish(ctx, run)
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
			return tx.CreateRuns(ctx, missed(p, since))
		}
		run, _, err = tx.RunOf(ctx, p.CreditorID, p.Kind, p.Date)
		return err
	})
	if err == nil && run.State == models.RunStarted {
		since, err = w.sinceDone(ctx, p, since)
	}
	return run, since, err
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

// finish notes that a run is done, once.
func (w *Worker) finish(ctx context.Context, result models.Run) error {
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		run, err := tx.LockRun(ctx, result.ID)
		if err != nil || run.State == models.RunDone {
			return err
		}
		run.State, run.Done, run.HeldBack, run.FinishedAt = models.RunDone, result.Done, result.HeldBack, &tx.Now
		return tx.UpdateRun(ctx, run)
	})
}
