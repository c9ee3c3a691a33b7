package jobs

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const kindBatch = "batch"

func batchKind() kind {
	return kind{
		name: kindBatch, queue: lettersQueue, within: time.Hour, owes: store.LeasedBatches.Due().Or(store.BatchesToSettle), rows: &store.LeasedBatches,
		do:    func(w *Worker) handler { return handle(untilTheSweep(w, w.batch)) },
		lanes: func(int) int { return 1 },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindBatch) || is.there(kindShip) || s.Shop != nil, s.owedBatches)
		},
		accepted: batchAccepted,
	}
}

// batchAccepted notes that the print shop has a dead worker's batch.
func batchAccepted(ctx context.Context, tx *store.Tx, _ *slog.Logger, worker string, m mark) error {
	taken := models.LetterBatch{ID: m.ID, Attempts: m.Attempt, TakenBy: worker}
	if !m.At.IsZero() {
		taken.HandedOverAt = &m.At
	}
	_, err := shipments.RecordBatch(ctx, tx, taken, nil)
	return err
}

// batchPayload names the creditor whose letters go to the print shop.
type batchPayload struct{ CreditorID int64 }

func batchTask(creditorID int64) tasks.Task {
	return batchKind().task(strconv.FormatInt(creditorID, 10), batchPayload{creditorID})
}

// batchTurns is the most batches that a creditor sends before the sweep must ask again.
const batchTurns = 20

// batch sends a creditor's due letters to the print shop, in batches. If the shop is away, the sweep tries it again, with
// growing pauses (rules S4a, R5c). A creditor with many letters takes one of the queue's places, so that nobody's letters
// wait for another's (rule S5).
//
// queued by: the sweep.
func (w *Worker) batch(ctx context.Context, p batchPayload) error {
	leave, entered := w.turns.enter(kindBatch, p.CreditorID)
	if !entered {
		return nil // the sweep queues it again
	}
	defer leave()
	for range batchTurns {
		if err := w.Dispatch.SettleBatches(ctx, p.CreditorID); err != nil || w.turns.over() {
			return err
		}
		sent, err := w.sendBatch(ctx, p.CreditorID)
		if err != nil {
			return err
		}
		if !sent {
			break
		}
	}
	return w.Dispatch.SettleBatches(ctx, p.CreditorID)
}

// sendBatch sends one batch of the creditor, and reports whether the print shop has it.
func (w *Worker) sendBatch(ctx context.Context, creditorID int64) (sent bool, err error) {
	var b *dispatch.Batch
	_, err = w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			b, taken, err = w.Dispatch.TakeBatch(ctx, tx, creditorID, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) error { return b.Bring(ctx, stillOurs) },
		accepted: func() (mark, bool) {
			at := w.Runs.Clock.Now()
			b.HandedOverAt = &at
			return mark{Kind: kindBatch, CreditorID: b.CreditorID, ID: b.ID, Attempt: b.Attempts, At: at}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) (err error) {
			sent, err = b.Record(ctx, tx, failure)
			return err
		},
	})
	return sent, err
}

// owedBatches returns a task for each creditor with letters for the print shop, or with a batch that has not come to its end.
func (s *Scheduler) owedBatches(ctx context.Context) ([]tasks.Task, error) {
	begun, err := s.DB.CreditorsWithBatches(ctx, s.DB.Common())
	if err != nil {
		return nil, err
	}
	with := s.ownLetters
	if s.Shop != nil {
		with = func(ctx context.Context) ([]int64, error) { return s.DB.CreditorsWithLetters(ctx, s.DB.Common()) }
	}
	due, err := with(ctx)
	if err != nil {
		return nil, err
	}
	var all []tasks.Task
	for _, creditorID := range append(begun, due...) {
		all = append(all, batchTask(creditorID)) // one that is named twice is queued once
	}
	return all, nil
}
