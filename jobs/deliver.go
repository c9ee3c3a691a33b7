package jobs

import (
	"context"
	"fmt"
	"time"

	"purr/models"
	"purr/store"
	"purr/webhook"
)

const kindDeliver = "deliver"

// webhookLanes is how many deliveries to one webhook are on their way at once, so that an endpoint that
// hangs holds up the others little.
const webhookLanes = 4

// lanePayload names one of the lanes of a webhook, from 0.
type lanePayload struct{ CreditorID, WebhookID, Lane int64 }

func laneTask(p lanePayload) task {
	return task{kind: kindDeliver, key: fmt.Sprintf("%d:%d", p.WebhookID, p.Lane), payload: p, timeout: laneTurn + deliveryLease}
}

const (
	// laneTurn is how long a lane goes on before it makes room for others. With the post that is then under
	// way it ends within what a stopping worker waits for (rule R4).
	laneTurn = 3 * time.Second
	// deliveryLease is how long a delivery that is being posted is nobody else's. It outlasts the post and the
	// noting of what came of it.
	deliveryLease = webhook.Timeout + keepTrying + 25*time.Second
)

// deliver posts what is due at a webhook, one delivery after the other, until nothing is or its turn is over
// (rule E7). Whoever is killed between a post and its note has it posted again, with the same ID.
//
// queued by: the sweep.
func (w *Worker) deliver(ctx context.Context, p lanePayload) error {
	turn, cancel := context.WithTimeout(ctx, laneTurn)
	defer cancel()
	for turn.Err() == nil {
		d, m, err := w.claimDelivery(ctx, p)
		if err != nil || m == nil {
			return err
		}
		a := w.Webhooks.Post(ctx, *m)
		err = w.insist(ctx, func(ctx context.Context, tx *store.Tx) error { return w.noteDelivery(ctx, tx, d, a) })
		if err != nil {
			return err
		}
	}
	return nil
}

// claimDelivery takes the delivery to the webhook that has been due the longest, and returns what is to be
// posted, nil where nothing is.
func (w *Worker) claimDelivery(ctx context.Context, p lanePayload) (d models.WebhookDelivery, m *webhook.Message, err error) {
	err = w.DB.InTx(ctx, func(tx *store.Tx) error {
		m = nil
		hook, err := tx.Webhook(ctx, p.CreditorID, p.WebhookID)
		if err != nil || !hook.Enabled {
			return unlessDeleted(err)
		}
		due, err := tx.DueDeliveries(ctx, hook.ID, tx.Now, 2*webhookLanes) // other lanes may take some first
		if err != nil {
			return err
		}
		for _, candidate := range due {
			if d, err = tx.LockWebhookDelivery(ctx, p.CreditorID, candidate.ID); err != nil {
				return unlessDeleted(err)
			}
			if d.State == models.DeliveryPending && !d.NextAttempt.After(tx.Now) {
				m, err = w.prepare(ctx, tx, hook, &d)
				return err
			}
		}
		return nil
	})
	return d, m, err
}

// unlessDeleted returns the error, nil where it is that a webhook is gone, and its deliveries with it.
func unlessDeleted(err error) error {
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	return err
}

// prepare writes a delivery as claimed, and returns what is to be posted: what it was the first time.
func (w *Worker) prepare(ctx context.Context, tx *store.Tx, hook models.Webhook, d *models.WebhookDelivery) (*webhook.Message, error) {
	if d.Body == "" {
		event, err := tx.Event(ctx, d.CreditorID, d.EventID)
		if err != nil {
			return nil, err
		}
		creditor, err := tx.Creditor(ctx, d.CreditorID)
		if err != nil {
			return nil, err
		}
		zone, err := creditor.Location()
		if err != nil {
			return nil, err
		}
		if d.Body, err = webhook.Body(event, w.BaseURL, zone); err != nil {
			return nil, err
		}
	}
	d.Attempts++
	d.NextAttempt = tx.Now.Add(deliveryLease)
	m := &webhook.Message{ID: webhook.MessageID(d.EventID), URL: hook.URL, Secrets: hook.Secrets(tx.Now), Body: d.Body}
	return m, tx.UpdateWebhookDelivery(ctx, *d)
}

// noteDelivery keeps what came of posting a claimed delivery.
func (w *Worker) noteDelivery(ctx context.Context, tx *store.Tx, claimed models.WebhookDelivery, a webhook.Answer) error {
	if a.Outcome == webhook.Gone {
		return switchOff(ctx, tx, claimed, a)
	}
	d, err := tx.LockWebhookDelivery(ctx, claimed.CreditorID, claimed.ID)
	if err != nil {
		return unlessDeleted(err)
	}
	if a.Outcome == webhook.Delivered {
		d.State, d.DeliveredAt, d.ResponseStatus, d.Failure = models.DeliveryDelivered, &tx.Now, a.Status, ""
		return tx.UpdateWebhookDelivery(ctx, d)
	}
	if d.State != models.DeliveryPending {
		return nil // another attempt has decided
	}
	d.ResponseStatus, d.Failure = a.Status, a.Failure
	if pause, more := models.DeliveryPause(d.Attempts); more {
		d.NextAttempt = tx.Now.Add(max(pause, a.Pause))
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
		Text: fmt.Sprintf("Event %d (%s) could not be delivered to webhook %d in %d attempts: %s", d.EventID, d.EventType, d.WebhookID, d.Attempts, d.Failure),
	})
}

// switchOff switches off the webhook of a delivery that was answered 410, and gives up what it is owed.
func switchOff(ctx context.Context, tx *store.Tx, d models.WebhookDelivery, a webhook.Answer) error {
	hook, err := tx.LockWebhook(ctx, d.CreditorID, d.WebhookID)
	if err != nil {
		return unlessDeleted(err)
	}
	if d, err = tx.LockWebhookDelivery(ctx, d.CreditorID, d.ID); err != nil {
		return err
	}
	d.ResponseStatus = a.Status
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
		Text: fmt.Sprintf("Webhook %d was switched off: %s", hook.ID, a.Failure),
	})
}
