package runs

import (
	"context"

	"purr/models"
	"purr/store"
)

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
