package jobs

import (
	"context"
	"time"

	"purr/jobs/tasks"
	"purr/models"
	"purr/store"
)

const kindForget = "forget"

// forgetKind removes what files still say of customers who were forgotten (rule O14).
func forgetKind() kind {
	return kind{
		name: kindForget, queue: queueName, within: time.Hour, owes: store.DueRemovals, atOnce: true, sendsNone: true,
		do: func(w *Worker) handler { return handle(w.forget) },
		due: func(_ *Scheduler, is owing) []owed {
			return when(is.there(kindForget), func(context.Context) ([]tasks.Task, error) { return []tasks.Task{forgetTask()}, nil })
		},
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.DB.NextRemoval(ctx) },
	}
}

// forgetPayload is empty: whatever is due is removed.
type forgetPayload struct{}

func forgetTask() tasks.Task { return forgetKind().task("all", forgetPayload{}) }

// forget removes what is due. What fails is tried again soon.
//
// queued by: the sweep.
func (w *Worker) forget(ctx context.Context, _ forgetPayload) error {
	_, err := w.Remover.Remove(ctx)
	if models.KindOf(err) == models.KindUnavailable {
		w.Log.Warn("what is owed since customers were forgotten waits until the database is back", "error", err)
		return nil
	}
	return err
}
