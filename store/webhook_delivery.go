package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// WebhookDelivery returns one delivery of the creditor.
func (r reads) WebhookDelivery(ctx context.Context, creditorID, id int64) (models.WebhookDelivery, error) {
	var d models.WebhookDelivery
	err := r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&d).Error
	return d, classify(err, "webhook delivery")
}

// WebhookDeliveries returns a page of what is and was owed to a webhook of the creditor: those in
// the states, all where none is named.
func (r reads) WebhookDeliveries(ctx context.Context, creditorID, webhookID int64, states []models.DeliveryState, p Page) ([]models.WebhookDelivery, int64, error) {
	g := r.with(ctx).Where("creditor_id = ? AND webhook_id = ?", creditorID, webhookID)
	if len(states) > 0 {
		g = g.Where("state IN ?", states)
	}
	return find[models.WebhookDelivery](ctx, g, p)
}

// DueDeliveries returns up to limit deliveries to the webhook that are due by the moment, the longest due
// first.
func (r reads) DueDeliveries(ctx context.Context, webhookID int64, by time.Time, limit int) ([]models.WebhookDelivery, error) {
	var ds []models.WebhookDelivery
	err := r.with(ctx).Where("state = ? AND webhook_id = ? AND next_attempt <= ?", models.DeliveryPending, webhookID, by).
		Order("next_attempt, id").Limit(limit).Find(&ds).Error
	return ds, classify(err, "")
}

// NextDelivery returns when the next delivery is due at a webhook that is switched on, and false where
// none is owed.
func (r reads) NextDelivery(ctx context.Context) (time.Time, bool, error) {
	const on = "EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.enabled = ?)"
	var ds []models.WebhookDelivery
	err := r.with(ctx).Where("state = ? AND "+on, models.DeliveryPending, true).Order("next_attempt").Limit(1).Find(&ds).Error
	if err != nil || len(ds) == 0 {
		return time.Time{}, false, classify(err, "")
	}
	return ds[0].NextAttempt, true, nil
}

// LockWebhookDelivery reads a delivery of the creditor and locks it until the transaction ends.
func (tx *Tx) LockWebhookDelivery(ctx context.Context, creditorID, id int64) (models.WebhookDelivery, error) {
	var d models.WebhookDelivery
	err := forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&d).Error
	return d, classify(err, "webhook delivery")
}

// UpdateWebhookDelivery writes all fields of a delivery, which the caller has locked.
func (tx *Tx) UpdateWebhookDelivery(ctx context.Context, d models.WebhookDelivery) error {
	return classify(tx.with(ctx).Save(&d).Error, "")
}

// FailDeliveries gives up what is owed to a webhook, which the caller has locked, and keeps why.
func (tx *Tx) FailDeliveries(ctx context.Context, webhookID int64, why string) error {
	return tx.update(ctx, &models.WebhookDelivery{}, map[string]any{"state": models.DeliveryFailed, "failure": why},
		"webhook_id = ? AND state = ?", webhookID, models.DeliveryPending)
}

// owe writes what the webhooks of the events' creditors are owed, due at once.
func (tx *Tx) owe(ctx context.Context, events []models.Event) error {
	if len(events) == 0 {
		return nil
	}
	var creditors []int64
	for _, e := range events {
		if !slices.Contains(creditors, e.CreditorID) {
			creditors = append(creditors, e.CreditorID)
		}
	}
	var webhooks []models.Webhook
	if err := tx.with(ctx).Where("creditor_id IN ? AND enabled = ?", creditors, true).Find(&webhooks).Error; err != nil {
		return classify(err, "")
	}
	var owed []models.WebhookDelivery
	for _, e := range events {
		for _, w := range webhooks {
			if w.CreditorID == e.CreditorID && w.Wants(e.Type) {
				owed = append(owed, models.WebhookDelivery{
					CreditorID: w.CreditorID, WebhookID: w.ID, EventID: e.ID, EventType: e.Type,
					State: models.DeliveryPending, NextAttempt: tx.Now, CreatedAt: tx.Now,
				})
			}
		}
	}
	if len(owed) == 0 {
		return nil
	}
	return tx.insert(ctx, &owed)
}
