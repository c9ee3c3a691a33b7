package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"purr/jobs/tasks"
	"purr/models"
	"purr/store"
)

const kindRun = "run"

func runKind() kind {
	return kind{
		name: kindRun, queue: queueName, within: 6 * time.Hour, owes: store.UnfinishedRuns, oldest: &store.RunAge,
		do: func(w *Worker) handler { return handle(known(w, ofOneCreditor(w, w.run))) },
		due: func(s *Scheduler, is owing) []owed {
			unbegun := func(ctx context.Context) ([]models.Run, error) {
				return s.dueRuns(ctx, is.there(kindImport) || is.there(kindRun))
			}
			return append(when(is.there(kindRun), each(s.DB.UnfinishedRuns, runTask)), each(unbegun, runTask))
		},
	}
}

// runPayload names a run: one creditor's job of one business date.
type runPayload struct {
	CreditorID int64
	Kind       models.RunKind
	Date       models.Date
}

func runTask(r models.Run) tasks.Task {
	return runKind().task(fmt.Sprintf("%s:%d:%s", r.Kind, r.CreditorID, r.BusinessDate), runPayload{r.CreditorID, r.Kind, r.BusinessDate})
}

// run makes the run of a business date, and has its notices sent. The first letters leave while a long run still decides.
//
// queued by: the sweep, once the run has fallen due by the schedule.
func (w *Worker) run(ctx context.Context, p runPayload) error {
	if p.Kind == models.RunDunning {
		if err := w.Dispatch.RetryLetters(ctx, p.CreditorID); err != nil {
			return err
		}
	}
	making := *w.Runs
	making.Made = w.whileDeciding()
	result, err := making.Make(ctx, p.CreditorID, p.Kind, p.Date)
	if errors.Is(err, store.ErrHeld) {
		return nil // the sweep asks for it again
	}
	if err != nil {
		return err // the sweep finds the notices that were made
	}
	if len(result.Documents)+result.Friendly > 0 {
		w.Queue.Hint(ctx, shipTask(shipPayload{CreditorID: p.CreditorID}))
	}
	return nil
}

// whileDeciding returns what queues the first lane of a creditor's shipments again and again while a run goes on. Once Redis does
// not take it, it is left to the sweep: the run does not wait for Redis.
func (w *Worker) whileDeciding() func(ctx context.Context, creditorID int64) {
	away := false
	return func(ctx context.Context, creditorID int64) {
		if away {
			return
		}
		if _, err := w.Queue.Add(ctx, shipTask(shipPayload{CreditorID: creditorID})); err != nil {
			away = true
			w.Log.Warn("the letters of a run were not queued; the sweep will", "creditor", creditorID, "error", err)
		}
	}
}
