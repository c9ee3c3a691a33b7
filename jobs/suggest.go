package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/ocr/unmatched"
	"purr/store"
)

const kindSuggest = "suggest"

func suggestKind() kind {
	return kind{
		name: kindSuggest, queue: queueName, within: time.Hour, sendsNone: true, owes: store.PayersToSeek,
		do: func(w *Worker) handler { return handle(known(w, ofOneCreditor(w, w.suggest))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindSuggest), each(s.DB.CreditorsWithoutLikelyPayers, suggestTask))
		},
	}
}

// suggestPayload names a creditor.
type suggestPayload struct{ CreditorID int64 }

func suggestTask(creditorID int64) tasks.Task {
	return suggestKind().task(strconv.FormatInt(creditorID, 10), suggestPayload{creditorID})
}

// suggest finds the likely payers of a creditor's unmatched payments. They are then not dunned for a while.
//
// queued by: the sweep.
func (w *Worker) suggest(ctx context.Context, p suggestPayload) error {
	creditor, err := w.DB.Creditor(ctx, p.CreditorID)
	if err != nil {
		return err
	}
	return unmatched.FindLikelyPayers(ctx, w.DB, creditor)
}
