package register

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// CreateWebhook writes a new webhook with its secret, and sets its ID. It fails with models.Errors if a field is
// wrong. It fails with the conflict too_many_webhooks if there are models.MaxWebhooks already.
func CreateWebhook(ctx context.Context, tx *store.Tx, w *models.Webhook, actor string) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if _, err := tx.LockCreditor(ctx, w.CreditorID); err != nil { // the lock makes two simultaneous calls count each other's webhook
		return err
	}
	_, total, err := tx.Webhooks(ctx, w.CreditorID, store.Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	if total >= models.MaxWebhooks {
		return models.Conflict("too_many_webhooks", "there are %d webhooks already, the most that there may be", total)
	}
	if err := tx.CreateWebhook(ctx, w); err != nil {
		return err
	}
	return logWebhook(ctx, tx, models.EventWebhookCreated, *w, actor, "created by "+actor, nil)
}

// ChangeWebhook calls change to set fields of a creditor's webhook, and returns the changed webhook. It fails if
// change fails, or if a field is then wrong.
func ChangeWebhook(
	ctx context.Context, tx *store.Tx, creditorID, id int64, actor string, change func(*models.Webhook) error,
) (models.Webhook, error) {
	before, err := tx.LockWebhook(ctx, creditorID, id)
	if err != nil {
		return models.Webhook{}, err
	}
	w := before
	if err := change(&w); err != nil {
		return models.Webhook{}, err
	}
	if WebhookChanged(before, w) {
		if err := w.Validate(); err != nil {
			return models.Webhook{}, err
		}
	}
	if err := tx.UpdateWebhook(ctx, w); err != nil {
		return models.Webhook{}, err
	}
	changed := changes(webhookElements(&before), webhookElements(&w))
	return w, logWebhook(ctx, tx, models.EventWebhookChanged, w, actor, changed.text("changed by "+actor), models.Facts{"changed": changed.names()})
}

// WebhookChanged reports whether an element of a webhook differs.
func WebhookChanged(before, after models.Webhook) bool {
	return len(changes(webhookElements(&before), webhookElements(&after))) > 0
}

func webhookElements(w *models.Webhook) []Element {
	return []Element{
		{Name: "url", At: &w.URL},
		{Name: "description", At: &w.Description},
		{Name: "enabled", At: &w.Enabled},
		{Name: "event_types", At: &w.EventTypes},
		{Name: "format", At: &w.AsJSON},
	}
}

// RenewSecret gives a creditor's webhook a new secret. The old one also signs for models.SecretOverlap. seen is what the person
// saw of the webhook (store's Look), if he looked: if somebody has changed it since, RenewSecret fails with the conflict
// changed_meanwhile, as does DeleteWebhook (rule D115).
func RenewSecret(ctx context.Context, tx *store.Tx, creditorID, id int64, secret models.Secret, actor string, seen ...models.Seen) (models.Webhook, error) {
	w, err := lockSeen(ctx, tx, creditorID, id, seen)
	if err != nil {
		return models.Webhook{}, err
	}
	w.Renew(secret, tx.Now)
	if err := tx.UpdateWebhook(ctx, w); err != nil {
		return models.Webhook{}, err
	}
	return w, logWebhook(ctx, tx, models.EventWebhookChanged, w, actor, "given a new secret by "+actor, models.Facts{"changed": []string{"secret"}})
}

// DeleteWebhook deletes a creditor's webhook and its deliveries.
func DeleteWebhook(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string, seen ...models.Seen) error {
	if _, err := tx.LockCreditor(ctx, creditorID); err != nil { // before the webhook, in the order of CreateWebhook
		return err
	}
	w, err := lockSeen(ctx, tx, creditorID, id, seen)
	if err != nil {
		return err
	}
	if err := tx.DeleteWebhook(ctx, creditorID, id); err != nil {
		return err
	}
	return logWebhook(ctx, tx, models.EventWebhookDeleted, w, actor, "deleted by "+actor, nil)
}

// lockSeen locks a webhook. It fails with the conflict changed_meanwhile if somebody has changed or deleted it since a person saw
// it (rule D115).
func lockSeen(ctx context.Context, tx *store.Tx, creditorID, id int64, seen []models.Seen) (models.Webhook, error) {
	w, err := tx.LockWebhook(ctx, creditorID, id)
	if err != nil && models.KindOf(err) != models.KindNotFound {
		return w, err
	}
	if changed := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingWebhook, ID: id}, seen...); changed != nil {
		return w, changed
	}
	return w, err
}

// Redeliver makes a creditor's delivery due again, so that its event is posted once more. It fails with the conflict
// webhook_disabled if the webhook is disabled. seen is the delivery as the person saw it (LookAtDelivery), if he looked: if it is
// not so any more, Redeliver fails with the conflict changed_meanwhile (rule D115).
func Redeliver(ctx context.Context, tx *store.Tx, creditorID, deliveryID int64, actor string, seen ...models.Seen) (models.WebhookDelivery, error) {
	d, err := tx.WebhookDelivery(ctx, creditorID, deliveryID)
	if err != nil {
		return models.WebhookDelivery{}, err
	}
	w, err := tx.LockWebhook(ctx, creditorID, d.WebhookID)
	if err != nil {
		return models.WebhookDelivery{}, err
	}
	if !w.Enabled {
		return models.WebhookDelivery{}, models.Conflict("webhook_disabled", "the webhook is switched off: switch it on first")
	}
	if d, err = tx.LockWebhookDelivery(ctx, creditorID, deliveryID); err != nil {
		return models.WebhookDelivery{}, err
	}
	for _, s := range seen {
		if err := tx.Same(ctx, creditorID, models.Thing{Kind: models.ThingDelivery, ID: deliveryID}, s, LookAtDelivery(d)); err != nil {
			return models.WebhookDelivery{}, err
		}
	}
	d.Redeliver(tx.Common)
	if err := tx.UpdateWebhookDelivery(ctx, d); err != nil {
		return models.WebhookDelivery{}, err
	}
	return d, tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventRedelivered, Actor: actor, SubjectID: d.ID,
		Facts: models.Facts{"event": d.EventID, "type": d.EventType, "webhook": d.WebhookID},
		Text:  fmt.Sprintf("Event %d (%s) is delivered once more to webhook %d, by %s", d.EventID, d.EventType, d.WebhookID, actor),
	})
}

// LookAtDelivery returns what a person sees of a delivery: its state, and how often it was tried.
func LookAtDelivery(d models.WebhookDelivery) models.Seen {
	return models.Seen(fmt.Sprintf("%s %d", d.State, d.Attempts))
}

// logWebhook logs an act on a webhook. It leaves out the URL: the URL may hold a secret of the endpoint, and keys of
// any scope can read the log.
func logWebhook(ctx context.Context, tx *store.Tx, t models.EventType, w models.Webhook, actor, done string, facts models.Facts) error {
	return tx.Log(ctx, models.Event{CreditorID: w.CreditorID, Type: t, Actor: actor, SubjectID: w.ID, Text: fmt.Sprintf("Webhook %d %s", w.ID, done), Facts: facts})
}
