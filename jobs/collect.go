package jobs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"purr/collection"
	"purr/models"
	"purr/store"
)

const kindCollect = "collect"

// collectPayload names a hand-over.
type collectPayload struct{ CreditorID, HandOverID int64 }

func collectTask(h models.HandOver) task {
	return task{
		kind: kindCollect, key: strconv.FormatInt(h.ID, 10), payload: collectPayload{h.CreditorID, h.ID},
		timeout: collectLease - keepTrying - time.Minute,
	}
}

// collectLease is how long a hand-over of which something is being delivered is nobody else's. It outlasts the job's
// own time-out and the noting of what came of it.
const collectLease = 5 * time.Minute

// collect delivers what the debt collector is owed of a hand-over: its bundle, or the word that it is taken back.
// A channel that is away is tried again by the sweep, with growing pauses, for as long as it takes. Whoever is
// killed between the delivery and its note delivers it again, under the same name.
//
// queued by: the sweep.
func (w *Worker) collect(ctx context.Context, p collectPayload) error {
	h, claimed, err := w.claimHandOver(ctx, p)
	if err != nil || !claimed {
		return err
	}
	content := w.Collection.Bundle
	if h.State == models.WithdrawalOwed {
		content = w.Collection.Withdrawal
	}
	file, err := content(ctx, h)
	if err == nil {
		err = w.Collector.SendToCollector(ctx, file.Name, file.Content)
	}
	return w.insist(ctx, func(ctx context.Context, tx *store.Tx) error { return w.noteCollected(ctx, tx, h, file, err) })
}

// claimHandOver takes a hand-over of which something is owed and due, and reports false where nothing is.
func (w *Worker) claimHandOver(ctx context.Context, p collectPayload) (h models.HandOver, claimed bool, err error) {
	err = w.DB.InTx(ctx, func(tx *store.Tx) error {
		h, err = tx.LockHandOver(ctx, p.CreditorID, p.HandOverID)
		claimed = err == nil && h.Owed() && !h.NextAttempt.After(tx.Now)
		if !claimed {
			return err
		}
		h.Attempts++
		h.NextAttempt = tx.Now.Add(collectLease)
		return tx.UpdateHandOver(ctx, h)
	})
	return h, claimed, err
}

// noteCollected keeps how the delivery of a claimed hand-over went. One that was taken back meanwhile is owed the
// word of it, whatever became of its bundle.
func (w *Worker) noteCollected(ctx context.Context, tx *store.Tx, claimed models.HandOver, file collection.File, failure error) error {
	h, err := tx.LockHandOver(ctx, claimed.CreditorID, claimed.ID)
	if err != nil || h.State != claimed.State {
		return err
	}
	if failure != nil {
		h.Failure, h.NextAttempt = failure.Error(), tx.Now.Add(models.RetryPause(h.Attempts))
		w.Log.Warn("a delivery to the debt collector failed and will be tried again",
			"hand_over", h.ID, "attempt", h.Attempts, "next", h.NextAttempt, "error", failure)
		return tx.UpdateHandOver(ctx, h)
	}
	h.Failure = ""
	if h.State == models.WithdrawalOwed {
		h.State = models.HandOverEnded
		return tx.UpdateHandOver(ctx, h)
	}
	h.State, h.DeliveredAt = models.BundleDelivered, &tx.Now
	if err := tx.UpdateHandOver(ctx, h); err != nil {
		return err
	}
	invoice, err := tx.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleDelivered, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID,
		Text: fmt.Sprintf("The collection bundle of invoice %d is delivered as %s", invoice.Number, file.Name),
	})
}

// owedHandOvers returns the hand-overs of which the debt collector is owed something that is due.
func (s *Scheduler) owedHandOvers(ctx context.Context) ([]task, error) {
	owed, err := s.DB.OwedHandOvers(ctx, s.Clock.Now(), sweepMost)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(owed))
	for i, h := range owed {
		tasks[i] = collectTask(h)
	}
	return tasks, nil
}
