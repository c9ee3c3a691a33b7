package jobs

import (
	"context"
	"fmt"
	"strconv"

	"purr/collection"
	"purr/models"
	"purr/store"
)

const kindCollect = "collect"

// collectPayload names a hand-over.
type collectPayload struct{ CreditorID, HandOverID int64 }

func collectTask(h models.HandOver) task {
	return task{kind: kindCollect, key: strconv.FormatInt(h.ID, 10), payload: collectPayload{h.CreditorID, h.ID}, timeout: collectTimeout}
}

// collect delivers a hand-over's bundle to the debt collector, or the message that the hand-over is withdrawn. If the
// channel is away, the sweep tries it again, with growing pauses and without end. If a worker is killed between the
// delivery and its record, another one delivers it again under the same name.
//
// queued by: the sweep.
func (w *Worker) collect(ctx context.Context, p collectPayload) error {
	var h models.HandOver
	var file collection.File
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx) (taken bool, err error) {
			h, taken, err = takeHandOver(ctx, tx, p)
			return taken, err
		},
		do: func(ctx context.Context) (err error) {
			content := w.Collection.Bundle
			if h.State == models.WithdrawalOwed {
				content = w.Collection.Withdrawal
			}
			if file, err = content(ctx, h); err != nil {
				return err
			}
			return w.Collector.SendToCollector(ctx, file.Name, file.Content)
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error {
			return w.recordCollected(ctx, tx, h, file.Name, failure)
		},
	})
	return err
}

// takeHandOver takes the lease of a hand-over, and reports false if nothing is due to the collector.
func takeHandOver(ctx context.Context, tx *store.Tx, p collectPayload) (h models.HandOver, taken bool, err error) {
	h, err = tx.LockHandOver(ctx, p.CreditorID, p.HandOverID)
	if err != nil || !h.Owed() || h.NextAttempt.After(tx.Now) {
		return models.HandOver{}, false, err
	}
	h.Attempts++
	h.NextAttempt = tx.Now.Add(collectLease)
	return h, true, tx.UpdateHandOver(ctx, h)
}

// recordCollected records the result of a delivery to the collector. If the hand-over was withdrawn meanwhile, the
// message about that is due next, even if the bundle failed.
func (w *Worker) recordCollected(ctx context.Context, tx *store.Tx, taken models.HandOver, name string, failure error) error {
	h, err := tx.LockHandOver(ctx, taken.CreditorID, taken.ID)
	if err != nil || h.State != taken.State {
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
	w.Log.Info("a collection bundle was delivered to the debt collector", "hand_over", h.ID, "creditor", h.CreditorID)
	invoice, err := tx.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleDelivered, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID,
		Text: fmt.Sprintf("The collection bundle of invoice %d is delivered as %s", invoice.Number, name),
	})
}

// dueHandOvers returns the hand-overs whose delivery to the debt collector is due.
func (s *Scheduler) dueHandOvers(ctx context.Context) ([]models.HandOver, error) {
	return s.DB.OwedHandOvers(ctx, s.Clock.Now(), sweepMost)
}
