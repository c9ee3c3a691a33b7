package jobs

import (
	"context"
	"time"

	"purr/jobs/tasks"
)

const kindPoll = "fetch" // the name of tasks that wait in Redis

func pollKind() kind {
	return kind{
		name: kindPoll, queue: queueName, within: time.Hour,
		do:   func(w *Worker) handler { return handle(w.poll) },
		due:  func(s *Scheduler, _ owing) []owed { return []owed{s.owedPoll} },
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextPoll(ctx) },
	}
}

// pollPayload names the bank's folder.
type pollPayload struct{ Remote string }

func pollTask(remote string) tasks.Task {
	return pollKind().task(remote, pollPayload{remote})
}

// poll polls the bank's folder. If the bank is away, the folder's row records that. The row has its own pauses.
//
// queued by: the sweep.
func (w *Worker) poll(ctx context.Context, p pollPayload) error {
	if w.Bank == nil || w.Bank.Name() != p.Remote {
		w.Log.Warn("the poll of the bank's folder is left to other workers: give all of them the same sftp-url", "folder", p.Remote)
		return nil
	}
	return w.Bank.PollIfDue(ctx)
}

// owedPoll returns the poll of the bank's folder, if it is due.
func (s *Scheduler) owedPoll(ctx context.Context) ([]tasks.Task, error) {
	due, found, err := s.nextPoll(ctx)
	if err != nil || !found || due.After(s.Clock.Now()) {
		return nil, err
	}
	return []tasks.Task{pollTask(s.Bank.Name())}, nil
}

// nextPoll returns when the next poll of the bank's folder is due, and false if there is no folder.
func (s *Scheduler) nextPoll(ctx context.Context) (time.Time, bool, error) {
	if s.Bank == nil {
		return time.Time{}, false, nil
	}
	due, err := s.Bank.Due(ctx)
	if err != nil {
		return time.Time{}, false, err
	}
	return due, true, nil
}
