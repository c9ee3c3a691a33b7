package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestARunIsBegunOnceE6f(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var begun atomic.Int32
		var schedulers sync.WaitGroup
		for range 4 {
			schedulers.Go(func() {
				err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
					fresh, err := tx.BeginRun(t.Context(), &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today})
					if fresh {
						begun.Add(1)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		schedulers.Wait()
		if begun.Load() != 1 {
			t.Errorf("the run was begun %d times", begun.Load())
		}
		for _, other := range []models.Run{
			{CreditorID: c.ID, Kind: models.RunStatus, BusinessDate: rows.Today},
			{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today + 1},
			{CreditorID: c.ID + 1, Kind: models.RunDunning, BusinessDate: rows.Today},
		} {
			rows.Write(t, db, func(tx *store.Tx) error {
				if fresh, err := tx.BeginRun(t.Context(), &other); !fresh || err != nil {
					t.Errorf("%+v is another run: %t, %v", other, fresh, err)
				}
				return nil
			})
		}
	})
}

func TestRunsE6f(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		today := models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today}
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := tx.BeginRun(ctx, &today)
			must(t, err)
			must(t, tx.CreateRuns(ctx, nil))
			return tx.CreateRuns(ctx, []models.Run{
				{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today - 2, State: models.RunMissed, CaughtUpBy: rows.Today},
				{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today - 1, State: models.RunMissed, CaughtUpBy: rows.Today},
			})
		})
		last := func(before models.Date) models.Date {
			t.Helper()
			run, found, err := db.LastRun(ctx, c.ID, models.RunDunning, before)
			must(t, err)
			if found != (run.BusinessDate != 0) {
				t.Errorf("found %t %+v", found, run)
			}
			return run.BusinessDate
		}
		if last(rows.Today+1) != rows.Today || last(rows.Today) != rows.Today-1 || last(rows.Today-2) != 0 {
			t.Errorf("the last runs before tomorrow, today and two days ago are of %s, %s and %s", last(rows.Today+1), last(rows.Today), last(rows.Today-2))
		}
		missed, found, err := db.RunOf(ctx, c.ID, models.RunDunning, rows.Today-1)
		if err != nil || !found || missed.State != models.RunMissed || missed.CaughtUpBy != rows.Today || missed.FinishedAt != nil {
			t.Errorf("the missed run is %+v, %t, %v", missed, found, err)
		}
		if _, found, err := db.RunOf(ctx, c.ID, models.RunVerify, rows.Today); found || err != nil {
			t.Errorf("found a run of another kind: %v", err)
		}

		if open, err := db.UnfinishedRuns(ctx); err != nil || len(open) != 1 || open[0].ID != today.ID || !open[0].StartedAt.Equal(rows.Start) {
			t.Errorf("unfinished are %+v, %v", open, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			run, err := tx.LockRun(ctx, today.ID)
			must(t, err)
			run.State, run.Done, run.HeldBack, run.FinishedAt = models.RunDone, 3, true, &tx.Now
			return tx.UpdateRun(ctx, run)
		})
		done, _, err := db.RunOf(ctx, c.ID, models.RunDunning, rows.Today)
		if err != nil || done.State != models.RunDone || done.Done != 3 || !done.HeldBack || done.FinishedAt == nil || !done.FinishedAt.Equal(rows.Start) {
			t.Errorf("the finished run is %+v, %v", done, err)
		}
		if open, err := db.UnfinishedRuns(ctx); err != nil || len(open) != 0 {
			t.Errorf("unfinished are %+v, %v", open, err)
		}
	})
}
