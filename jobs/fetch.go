package jobs

import (
	"context"
	"time"
)

const kindFetch = "fetch"

// fetchPayload names the bank's folder.
type fetchPayload struct{ Remote string }

func fetchTask(remote string) task {
	return task{kind: kindFetch, key: remote, payload: fetchPayload{remote}, timeout: time.Hour}
}

// fetch looks into the bank's folder. That the bank is away is kept on the folder's row, with its own pauses.
//
// queued by: the sweep.
func (w *Worker) fetch(ctx context.Context, p fetchPayload) error {
	if w.Bank == nil || w.Bank.Name() != p.Remote {
		w.Log.Warn("a look into the bank's folder is left to other workers: give all of them the same sftp-url", "folder", p.Remote)
		return nil
	}
	return w.Bank.PollIfDue(ctx)
}

// owedFetch returns the look into the bank's folder that is due.
func (s *Scheduler) owedFetch(ctx context.Context) ([]task, error) {
	if s.Bank == nil {
		return nil, nil
	}
	due, err := s.Bank.Due(ctx)
	if err != nil || due.After(s.Clock.Now()) {
		return nil, err
	}
	return []task{fetchTask(s.Bank.Name())}, nil
}

// nextFetch returns when the bank's folder is to be looked into next, and false where there is none.
func (s *Scheduler) nextFetch(ctx context.Context) (time.Time, bool, error) {
	if s.Bank == nil {
		return time.Time{}, false, nil
	}
	due, err := s.Bank.Due(ctx)
	return due, err == nil, err
}
