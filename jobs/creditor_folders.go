package jobs

import (
	"context"
	"errors"
	"time"

	"purr/dunning/collection/reports"
	"purr/jobs/tasks"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
)

const kindFolders = "creditor_folders"

// Folders finds the folders of single creditors in which a print shop or a debt collector tells of what it got (rule Q7).
type Folders interface {
	Receipts(ctx context.Context, db *store.DB) ([]*receipts.Way, error)
	Reports(ctx context.Context, db *store.DB) ([]*reports.Folder, error)
}

// foldersKind reads the folders of single creditors.
func foldersKind() kind {
	return kind{
		name: kindFolders, queue: lettersQueue, within: time.Hour,
		do:   func(w *Worker) handler { return handle(w.creditorFolders) },
		due:  func(s *Scheduler, _ owing) []owed { return []owed{s.owedFolders} },
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextFolders(ctx) },
	}
}

// foldersPayload is empty: they are read together.
type foldersPayload struct{}

// foldersDueSetting is the setting with the moment from which the folders of single creditors are read next.
const foldersDueSetting = "creditor_folders_due"

// foldersEvery is the pause between two looks into them.
const foldersEvery = 15 * time.Minute

// creditorFolders reads the folders of single creditors, one after the other. What fails is read the next time, and keeps no other from being
// read.
//
// queued by: the sweep.
func (w *Worker) creditorFolders(ctx context.Context, _ foldersPayload) error {
	due := false
	if w.Folders == nil {
		return nil
	}
	if err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		at, err := nextLook(ctx, tx, foldersDueSetting, foldersEvery, tx.Now)
		if due = err == nil && !at.After(tx.Now); !due {
			return err
		}
		return tx.SetSetting(ctx, foldersDueSetting, tx.Now.Add(foldersEvery).UTC().Format(time.RFC3339Nano))
	}); err != nil || !due {
		return err
	}
	shops, err := w.Folders.Receipts(ctx, w.DB)
	if err != nil {
		return err
	}
	var failures []error
	for _, way := range shops {
		if failure := way.Read(ctx, w.DB, w.Log); failure != nil {
			failures = append(failures, failure)
			w.Log.Warn("receipts could not be read; they are read the next time", "method", way.Method, "creditor", way.Of, "folder", way.String(), "error", failure)
		}
	}
	if len(shops) > 0 {
		if err := w.tellOfReports(ctx, models.ByPaper.ReportsWork(), errors.Join(failures...)); err != nil {
			return err
		}
	}
	collectors, err := w.Folders.Reports(ctx, w.DB)
	if err != nil {
		return err
	}
	for _, folder := range collectors {
		if err := folder.Read(ctx, w.DB, w.Log); err != nil {
			w.Log.Warn("the debt collector's reports could not be read; they are read the next time", "creditor", folder.Of, "folder", folder.String(), "error", err)
		}
	}
	return ctx.Err()
}

// owedFolders returns the reading of the folders, if it is due.
func (s *Scheduler) owedFolders(ctx context.Context) ([]tasks.Task, error) {
	at, there, err := s.nextFolders(ctx)
	if err != nil || !there || at.After(s.Clock.Now()) {
		return nil, err
	}
	return []tasks.Task{foldersKind().task("folders", foldersPayload{})}, nil
}

// nextFolders returns when the folders are read next, and false if there are none.
func (s *Scheduler) nextFolders(ctx context.Context) (time.Time, bool, error) {
	if s.Folders == nil {
		return time.Time{}, false, nil
	}
	if there, err := s.DB.AnyFolders(ctx); err != nil || !there {
		return time.Time{}, false, err
	}
	at, err := nextLook(ctx, s.DB, foldersDueSetting, foldersEvery, s.Clock.Now())
	return at, err == nil, err
}
