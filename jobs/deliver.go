package jobs

import (
	"context"
	"fmt"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/webhook"
	"purr/models"
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
	var d models.WebhookDelivery
	var m webhook.Message
	var answer webhook.Answer
	return w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			d, m, taken, err = w.takeDelivery(ctx, tx, p, worker)
			return taken, err
		},
		do: func(ctx context.Context, _ func() error) error {
			answer = w.Webhooks.Post(ctx, m)
			return nil // record decides what happens next
		},
		record: func(ctx context.Context, tx *store.Tx, _ error) error { return w.recordDelivery(ctx, tx, d, answer) },
	})
}

// takeDelivery takes the delivery to a webhook that has been due the longest, and returns what is to be posted. It reports false if none is due.
func (w *Worker) takeDelivery(ctx context.Context, tx *store.Tx, p lanePayload, worker string) (d models.WebhookDelivery, m webhook.Message, taken bool, err error) {
	hook, err := tx.Webhook(ctx, p.CreditorID, p.WebhookID)
	if err != nil || !hook.Enabled {
		return d, m, false, models.IgnoreNotFound(err)
	}
	due, err := tx.DueDeliveries(ctx, hook.ID, tx.Common, 2*webhookLanes) // other lanes may take some first
	if err != nil {
		return d, m, false, err
	}
	for _, candidate := range due {
		if d, err = tx.LockWebhookDelivery(ctx, p.CreditorID, candidate.ID); err != nil {
			return d, m, false, models.IgnoreNotFound(err)
		}
		if d.State == models.DeliveryPending && d.TakenBy == "" && !d.NextAttempt.After(tx.Common) {
			d.TakenBy = worker
			m, err = w.prepare(ctx, tx, hook, &d)
			return d, m, err == nil, err
		}
	}
	return d, m, false, nil
}

// prepare records the attempt of a delivery, and returns what to post. Every attempt has the same body.
func (w *Worker) prepare(ctx context.Context, tx *store.Tx, hook models.Webhook, d *models.WebhookDelivery) (webhook.Message, error) {
	if d.Body == "" {
		event, err := tx.Event(ctx, d.CreditorID, d.EventID)
		if err != nil {
			return webhook.Message{}, err
		}
		creditor, err := tx.Creditor(ctx, d.CreditorID)
		if err != nil {
			return webhook.Message{}, err
		}
		if d.Body, err = webhook.Body(event, w.BaseURL, creditor.DisplayZone()); err != nil {
			return webhook.Message{}, err
		}
	}
	d.Begin(tx.Common)
	m := webhook.Message{ID: webhook.MessageID(d.EventID), URL: hook.URL, Secrets: hook.Secrets(tx.Now), Body: d.Body}
	return m, tx.UpdateWebhookDelivery(ctx, *d)
}

// recordDelivery records what came of posting a delivery.
func (w *Worker) recordDelivery(ctx context.Context, tx *store.Tx, taken models.WebhookDelivery, a webhook.Answer) error {
	if a.Outcome == webhook.Gone {
		return switchOff(ctx, tx, taken, a)
	}
	d, err := tx.LockWebhookDelivery(ctx, taken.CreditorID, taken.ID)
	if err != nil {
		return models.IgnoreNotFound(err)
	}
	ours := d.TakenBy == taken.TakenBy
	if ours {
		d.TakenBy = ""
	}
	if a.Outcome == webhook.Delivered {
		d.State, d.DeliveredAt, d.ResponseStatus, d.Failure = models.DeliveryDelivered, &tx.Now, a.Status, ""
		return tx.UpdateWebhookDelivery(ctx, d)
	}
	switch {
	case d.State != models.DeliveryPending: // another attempt has recorded a result, or the webhook is gone
		return tx.UpdateWebhookDelivery(ctx, d)
	case !ours:
		return nil
	}
	d.ResponseStatus, d.Failure = a.Status, a.Failure
	if pause, more := d.Pause(); more {
		d.NextAttempt = tx.Common.Add(max(pause, a.Pause))
		w.Log.Warn("a delivery to a webhook failed and will be tried again",
			"webhook", d.WebhookID, "delivery", d.ID, "attempt", d.Attempts, "next", d.NextAttempt, "error", a.Failure)
		return tx.UpdateWebhookDelivery(ctx, d)
	}
	d.State = models.DeliveryFailed
	if err := tx.UpdateWebhookDelivery(ctx, d); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: d.CreditorID, Type: models.EventDeliveryFailed, SubjectID: d.ID,
		Facts: models.Facts{"event": d.EventID, "type": d.EventType, "webhook": d.WebhookID, "attempts": d.Attempts, "failure": d.Failure},
		Text:  fmt.Sprintf("Event %d (%s) could not be delivered to webhook %d in %d attempts: %s", d.EventID, d.EventType, d.WebhookID, d.Attempts, d.Failure),
	})
}

// switchOff disables the webhook after a delivery that was answered 410. It gives up all its pending deliveries.
func switchOff(ctx context.Context, tx *store.Tx, d models.WebhookDelivery, a webhook.Answer) error {
	hook, err := tx.LockWebhook(ctx, d.CreditorID, d.WebhookID)
	if err != nil {
		return models.IgnoreNotFound(err)
	}
	if d, err = tx.LockWebhookDelivery(ctx, d.CreditorID, d.ID); err != nil {
		return err
	}
	d.ResponseStatus, d.TakenBy = a.Status, ""
	if err := tx.UpdateWebhookDelivery(ctx, d); err != nil {
		return err
	}
	if err := tx.FailDeliveries(ctx, hook.ID, a.Failure); err != nil || !hook.Enabled {
		return err
	}
	hook.Enabled = false
	if err := tx.UpdateWebhook(ctx, hook); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: hook.CreditorID, Type: models.EventWebhookDisabled, SubjectID: hook.ID,
		Facts: models.Facts{"failure": a.Failure},
		Text:  fmt.Sprintf("Webhook %d was switched off: %s", hook.ID, a.Failure),
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
