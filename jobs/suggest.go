package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/ocr/unmatched"
)

const kindSuggest = "suggest"

// suggestPayload names a creditor.
type suggestPayload struct{ CreditorID int64 }

func suggestTask(creditorID int64) tasks.Task {
	return tasks.Task{Queue: queueName, Kind: kindSuggest, Key: strconv.FormatInt(creditorID, 10), Payload: suggestPayload{creditorID}, Timeout: time.Hour}
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
