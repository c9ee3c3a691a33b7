package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"purr/dunning/collection"
	"purr/jobs/tasks"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const kindCollect = "collect"

func collectKind() kind {
	return kind{
		name: kindCollect, queue: queueName, within: collectWithin, owes: store.LeasedHandOvers.Due(), rows: &store.LeasedHandOvers, oldest: &store.HandOverAge,
		do: func(w *Worker) handler { return handle(untilTheSweep(w, known(w, w.collect))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindCollect), each(s.dueHandOvers, collectTask))
		},
		accepted: func(ctx context.Context, tx *store.Tx, log *slog.Logger, worker string, m mark) error {
			taken := models.HandOver{ID: m.ID, CreditorID: m.CreditorID, State: m.State, Attempts: m.Attempt, TakenBy: worker}
			return recordCollected(ctx, tx, log, taken, m.File, nil)
		},
	}
}

// collectPayload names a hand-over.
type collectPayload struct{ CreditorID, HandOverID int64 }

func collectTask(h models.HandOver) tasks.Task {
	return collectKind().task(strconv.FormatInt(h.ID, 10), collectPayload{h.CreditorID, h.ID})
}

// collectWithin is how long the delivery of a bundle may take.
const collectWithin = 5 * time.Minute

// collect delivers a hand-over's bundle to the debt collector, or the message that the hand-over is withdrawn. If the
// channel is away, the sweep tries it again, with growing pauses and without end.
//
// queued by: the sweep.
func (w *Worker) collect(ctx context.Context, p collectPayload) error {
	var h models.HandOver
	var file collection.File
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			h, taken, err = takeHandOver(ctx, tx, w.part(), p, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) (err error) {
			content := w.Collection.Bundle
			if h.State == models.WithdrawalOwed {
				content = w.Collection.Withdrawal
			}
			if file, err = content(ctx, h); err != nil {
				return err
			}
			if err := stillOurs(); err != nil {
				return err
			}
			return w.Collector.SendToCollector(ctx, file.Name, file.Content)
		},
		accepted: func() (mark, bool) {
			return mark{Kind: kindCollect, CreditorID: h.CreditorID, ID: h.ID, Attempt: h.Attempts, State: h.State, File: file.Name}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error {
			if failure == nil && w.Ways.Real(models.Bundles) {
				if err := shipments.NoteLeft(ctx, tx, models.Bundles, w.Ways.Of(models.Bundles)); err != nil {
					return err
				}
			}
			return recordCollected(ctx, tx, w.Log, h, file.Name, failure)
		},
	})
	return err
}

// takeHandOver takes a hand-over for a worker, and reports false if nothing is due to the collector, or the way there has gone
// missing (rule D105), or the creditor is not ready (rule D108). That a bundle is withdrawn is told in any case.
func takeHandOver(ctx context.Context, tx *store.Tx, part shipments.Part, p collectPayload, worker string) (h models.HandOver, taken bool, err error) {
	may, missing, err := shipments.BundleWay(ctx, tx, part)
	if err != nil {
		return models.HandOver{}, false, err
	}
	due := func() bool { return h.Owed() && h.TakenBy == "" && !h.NextAttempt.After(tx.Common) }
	if h, err = tx.HandOver(ctx, p.CreditorID, p.HandOverID); err != nil || !due() {
		return models.HandOver{}, false, err
	}
	ready := h.State == models.WithdrawalOwed
	if !ready {
		if ready, err = shipments.MayHandOver(ctx, tx, part, h); err != nil {
			return models.HandOver{}, false, err
		}
	}
	h, err = tx.LockHandOver(ctx, p.CreditorID, p.HandOverID)
	if err != nil || !due() {
		return models.HandOver{}, false, err
	}
	if missing {
		h.Failure, h.NextAttempt = models.KeptMissing, tx.Common.Add(shipments.MissingPause)
		return h, false, tx.UpdateHandOver(ctx, h)
	}
	if !may {
		return h, false, nil // another part may, and does
	}
	if !ready && h.State != models.WithdrawalOwed {
		h.Failure, h.NextAttempt = models.KeptNotReady, tx.Common.Add(shipments.MissingPause)
		return h, false, tx.UpdateHandOver(ctx, h)
	}
	h.Attempts++
	h.TakenBy = worker
	return h, true, tx.UpdateHandOver(ctx, h)
}

// recordCollected records the result of a delivery to the collector. If the hand-over was withdrawn meanwhile, the
// message about that is due next, even if the bundle failed.
func recordCollected(ctx context.Context, tx *store.Tx, log *slog.Logger, taken models.HandOver, name string, failure error) error {
	h, err := tx.LockHandOver(ctx, taken.CreditorID, taken.ID)
	if err != nil {
		return err
	}
	if lost := h.TakenBy != taken.TakenBy || h.Attempts != taken.Attempts; lost && failure != nil {
		return nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	h.TakenBy = ""
	if h.State != taken.State {
		return tx.UpdateHandOver(ctx, h)
	}
	if failure != nil {
		h.Failure, h.NextAttempt = failure.Error(), tx.Common.Add(models.RetryPause(h.Attempts))
		log.Warn("a delivery to the debt collector failed and will be tried again",
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
	log.Info("a collection bundle was delivered to the debt collector", "hand_over", h.ID, "creditor", h.CreditorID)
	invoice, err := tx.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleDelivered, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID,
		Facts: models.Facts{"invoice_number": invoice.Number, "name": name},
		Text:  fmt.Sprintf("The collection bundle of invoice %d is delivered as %s", invoice.Number, name),
	})
}

// dueHandOvers returns the hand-overs whose delivery to the debt collector is due.
func (s *Scheduler) dueHandOvers(ctx context.Context) ([]models.HandOver, error) {
	return s.DB.OwedHandOvers(ctx, s.DB.Common(), sweepMost)
}
