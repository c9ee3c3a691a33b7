package jobs

import (
	"context"
	"time"

	"purr/jobs/tasks"
	"purr/store"
)

const kindReports = "collector_reports"

// reportsKind reads what the debt collector tells in files (rule C1).
func reportsKind() kind {
	return kind{
		name: kindReports, queue: lettersQueue, within: time.Hour,
		do:   func(w *Worker) handler { return handle(w.collectorReports) },
		due:  func(s *Scheduler, _ owing) []owed { return []owed{s.owedReports} },
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextReports(ctx) },
	}
}

// reportsPayload is empty: there is one folder.
type reportsPayload struct{}

// reportsDueSetting is the setting with the moment from which the collector's folder is read next.
const reportsDueSetting = "collector_reports_due"

// collectorReports reads the debt collector's folder. What fails is read the next time.
//
// queued by: the sweep.
func (w *Worker) collectorReports(ctx context.Context, _ reportsPayload) error {
	folder, due := w.CollectorReports, false
	if folder == nil {
		return nil
	}
	if err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		at, err := nextLook(ctx, tx, reportsDueSetting, folder.Every, tx.Now)
		if due = err == nil && !at.After(tx.Now); !due {
			return err
		}
		return tx.SetSetting(ctx, reportsDueSetting, tx.Now.Add(folder.Every).UTC().Format(time.RFC3339Nano))
	}); err != nil || !due {
		return err
	}
	if err := folder.Read(ctx, w.DB, w.Log); err != nil {
		w.Log.Warn("the debt collector's reports could not be read; they are read the next time", "folder", folder.String(), "error", err)
	}
	return ctx.Err()
}

// owedReports returns the reading of the folder, if it is due.
func (s *Scheduler) owedReports(ctx context.Context) ([]tasks.Task, error) {
	at, there, err := s.nextReports(ctx)
	if err != nil || !there || at.After(s.Clock.Now()) {
		return nil, err
	}
	return []tasks.Task{reportsKind().task("folder", reportsPayload{})}, nil
}

// nextReports returns when the folder is read next, and false if nothing may lie there.
func (s *Scheduler) nextReports(ctx context.Context) (time.Time, bool, error) {
	folder := s.CollectorReports
	if folder == nil || !folder.MayHaveFiles() {
		return time.Time{}, false, nil
	}
	at, err := nextLook(ctx, s.DB, reportsDueSetting, folder.Every, s.Clock.Now())
	return at, err == nil, err
}
