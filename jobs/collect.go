package jobs

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/dispatch"
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
			return dispatch.RecordBundle(ctx, tx, log, taken, m.File, nil)
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
	var b *dispatch.Bundle
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			b, taken, err = w.Bundles.Take(ctx, tx, p.CreditorID, p.HandOverID, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) error { return b.Send(ctx, stillOurs) },
		accepted: func() (mark, bool) {
			return mark{Kind: kindCollect, CreditorID: b.CreditorID, ID: b.ID, Attempt: b.Attempts, State: b.State, File: b.File}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error { return b.Record(ctx, tx, failure) },
	})
	return err
}

// dueHandOvers returns the hand-overs whose delivery to the debt collector is due.
func (s *Scheduler) dueHandOvers(ctx context.Context) ([]models.HandOver, error) {
	return s.DB.OwedHandOvers(ctx, s.DB.Common(), sweepMost)
}
