package jobs

import (
	"context"
	"fmt"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/dispatch"
	"purr/mailer/webhook"
	"purr/store"
)

const kindDeliver = "deliver"

func deliverKind() kind {
	return kind{
		name: kindDeliver, queue: webhookQueue, within: deliverTurn + 2*webhook.Timeout, atOnce: true,
		owes: store.NewEvents.Or(store.DeliveriesDue), rows: &store.LeasedDeliveries, oldest: &store.DeliveryAge,
		do:    func(w *Worker) handler { return handle(untilTheSweep(w, w.deliver)) },
		lanes: func(int) int { return webhookConcurrency / shipShare },
		due:   func(s *Scheduler, is owing) []owed { return when(is.there(kindDeliver), s.owedDeliveries) },
	}
}

// webhookLanes is the most simultaneous deliveries to one webhook. So an endpoint that hangs delays other webhooks
// little.
const webhookLanes = 4

// lanePayload names one of the lanes of a webhook, from 0.
type lanePayload struct{ CreditorID, WebhookID, Lane int64 }

func laneTask(p lanePayload) tasks.Task {
	return deliverKind().task(fmt.Sprintf("%d:%d", p.WebhookID, p.Lane), p)
}

// deliverTurn is how long a lane takes deliveries before other webhooks get their turn. The turn and its last post end
// before a stopping worker gives up (rule R4).
const deliverTurn = 3 * time.Second

// deliver posts the due deliveries of a webhook one after the other, until none is due or its turn is over (rule E7).
// If a worker dies between a post and its record, another one posts it again, with the same ID.
//
// queued by: the sweep.
func (w *Worker) deliver(ctx context.Context, p lanePayload) error {
	leave, entered := w.turns.enter(kindDeliver, p.CreditorID)
	if !entered {
		return nil // the sweep queues it again
	}
	defer leave()
	turn, cancel := context.WithTimeout(ctx, deliverTurn)
	defer cancel()
	for turn.Err() == nil && !w.turns.over() {
		taken, err := w.deliverNext(ctx, p)
		if err != nil || !taken {
			return err
		}
	}
	return nil
}

// deliverNext posts the delivery to the webhook that has been due the longest, and reports false if none is due.
func (w *Worker) deliverNext(ctx context.Context, p lanePayload) (bool, error) {
	var d *dispatch.Delivery
	return w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			d, taken, err = w.Deliveries.Take(ctx, tx, p.CreditorID, p.WebhookID, worker)
			return taken, err
		},
		do: func(ctx context.Context, _ func() error) error {
			d.Post(ctx)
			return nil // Record decides what happens next
		},
		record: func(ctx context.Context, tx *store.Tx, _ error) error { return d.Record(ctx, tx) },
	})
}

// owedDeliveries gives the new events their IDs and deliveries, and returns the lanes of the webhooks with due
// deliveries. A lane finds its deliveries itself, so a webhook has few tasks, however many deliveries are due.
func (s *Scheduler) owedDeliveries(ctx context.Context) ([]tasks.Task, error) {
	if err := s.DB.NumberEvents(ctx); err != nil {
		return nil, err
	}
	if held, err := s.held(ctx); err != nil || held {
		return nil, err
	}
	webhooks, err := s.DB.WebhooksDue(ctx, s.DB.Common())
	if err != nil {
		return nil, err
	}
	var lanes []tasks.Task
	for _, hook := range webhooks {
		for lane := range int64(webhookLanes) {
			lanes = append(lanes, laneTask(lanePayload{hook.CreditorID, hook.ID, lane}))
		}
	}
	return lanes, nil
}
