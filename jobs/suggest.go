package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/ocr"
)

const kindSuggest = "suggest"

// suggestPayload names a creditor.
type suggestPayload struct{ CreditorID int64 }

func suggestTask(creditorID int64) task {
	return task{kind: kindSuggest, key: strconv.FormatInt(creditorID, 10), payload: suggestPayload{creditorID}, timeout: time.Hour}
}

// suggest looks for the likely payers of a creditor's unmatched payments, who are then not dunned for a while.
//
// queued by: the sweep.
func (w *Worker) suggest(ctx context.Context, p suggestPayload) error {
	creditor, err := w.DB.Creditor(ctx, p.CreditorID)
	if err != nil {
		return err
	}
	return ocr.LookAtQueue(ctx, w.DB, creditor)
}
