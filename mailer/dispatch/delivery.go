package dispatch

import (
	"context"
	"fmt"
	"log/slog"

	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
)

// Deliveries sends events to webhooks. All fields must be set unless their comment says otherwise.
type Deliveries struct {
	Webhooks *webhook.Sender
	BaseURL  string // the start of URIs in the bodies; if empty, they are paths
	Log      *slog.Logger
}

// Delivery is an event on its way to a webhook, as a worker has it in hand.
type Delivery struct {
	models.WebhookDelivery
	Answer  webhook.Answer // of the endpoint, once it is posted
	message webhook.Message
	of      *Deliveries
}

// lookedAt is at how many deliveries Take looks: others may take some first.
const lookedAt = 8

// Take takes the delivery to a webhook that has been due the longest, for a worker. It reports false if none is due.
func (s *Deliveries) Take(ctx context.Context, tx *store.Tx, creditorID, webhookID int64, worker string) (d *Delivery, taken bool, err error) {
	hook, err := tx.Webhook(ctx, creditorID, webhookID)
	if err != nil || !hook.Enabled {
		return nil, false, models.IgnoreNotFound(err)
	}
	due, err := tx.DueDeliveries(ctx, hook.ID, tx.Common, lookedAt)
	if err != nil {
		return nil, false, err
	}
	d = &Delivery{of: s}
	for _, candidate := range due {
		if d.WebhookDelivery, err = tx.LockWebhookDelivery(ctx, creditorID, candidate.ID); err != nil {
			return nil, false, models.IgnoreNotFound(err)
		}
		if d.State == models.DeliveryPending && d.TakenBy == "" && !d.NextAttempt.After(tx.Common) {
			d.TakenBy = worker
			err = d.prepare(ctx, tx, hook)
			return d, err == nil, err
		}
	}
	return nil, false, nil
}

// prepare makes what is posted, and records the attempt. Every attempt has the same body, unless the webhook now wants another form.
func (d *Delivery) prepare(ctx context.Context, tx *store.Tx, hook models.Webhook) error {
	if d.Body == "" || webhook.IsJSON(d.Body) != hook.AsJSON {
		event, err := tx.Event(ctx, d.CreditorID, d.EventID)
		if err != nil {
			return err
		}
		creditor, err := tx.Creditor(ctx, d.CreditorID)
		if err != nil {
			return err
		}
		if d.Body, err = webhook.Body(event, d.of.BaseURL, creditor, hook.AsJSON); err != nil {
			return err
		}
	}
	d.Begin(tx.Common)
	d.message = webhook.Message{ID: webhook.MessageID(d.EventID), URL: hook.URL, Secrets: hook.Secrets(tx.Now), Body: d.Body}
	return tx.UpdateWebhookDelivery(ctx, d.WebhookDelivery)
}

// Post posts the delivery, and keeps the answer for Record.
func (d *Delivery) Post(ctx context.Context) { d.Answer = d.of.Webhooks.Post(ctx, d.message) }

// Record records what came of posting it.
func (d *Delivery) Record(ctx context.Context, tx *store.Tx) error {
	a := d.Answer
	if a.Outcome == webhook.Gone {
		return switchOff(ctx, tx, d.WebhookDelivery, a)
	}
	now, err := tx.LockWebhookDelivery(ctx, d.CreditorID, d.ID)
	if err != nil {
		return models.IgnoreNotFound(err)
	}
	ours := now.TakenBy == d.TakenBy
	if ours {
		now.TakenBy = ""
	}
	if a.Outcome == webhook.Delivered {
		now.State, now.DeliveredAt, now.ResponseStatus, now.Failure = models.DeliveryDelivered, &tx.Now, a.Status, ""
		return tx.UpdateWebhookDelivery(ctx, now)
	}
	switch {
	case now.State != models.DeliveryPending: // another attempt has recorded a result, or the webhook is gone
		return tx.UpdateWebhookDelivery(ctx, now)
	case !ours:
		return nil
	}
	now.ResponseStatus, now.Failure = a.Status, a.Failure
	if pause, more := now.Pause(); more {
		now.NextAttempt = tx.Common.Add(max(pause, a.Pause))
		d.of.Log.Warn("a delivery to a webhook failed and will be tried again",
			"webhook", now.WebhookID, "delivery", now.ID, "attempt", now.Attempts, "next", now.NextAttempt, "error", a.Failure)
		return tx.UpdateWebhookDelivery(ctx, now)
	}
	return giveUp(ctx, tx, now)
}

// giveUp fails a delivery after its last attempt.
func giveUp(ctx context.Context, tx *store.Tx, d models.WebhookDelivery) error {
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
