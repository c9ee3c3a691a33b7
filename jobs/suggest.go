package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/unmatched"
)

const kindSuggest = "suggest"

// suggestPayload names a creditor.
type suggestPayload struct{ CreditorID int64 }

func suggestTask(creditorID int64) task {
	return task{kind: kindSuggest, key: strconv.FormatInt(creditorID, 10), payload: suggestPayload{creditorID}, timeout: time.Hour}
}

// suggest looks for whom the payments in a creditor's queue may be from, so that these are not dunned meanwhile.
//
// queued by: the sweep.
func (w *Worker) suggest(ctx context.Context, p suggestPayload) error {
	creditor, err := w.DB.Creditor(ctx, p.CreditorID)
	if err != nil {
		return err
	}
	return unmatched.FindLikelyPayers(ctx, w.DB, creditor)
}

// owedSuggestions returns the creditors in whose queues are payments that nobody has looked at.
func (s *Scheduler) owedSuggestions(ctx context.Context) ([]task, error) {
	creditors, err := s.DB.CreditorsWithUnseenPayments(ctx)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(creditors))
	for i, id := range creditors {
		tasks[i] = suggestTask(id)
	}
	return tasks, nil
}
