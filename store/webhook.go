package store

import (
	"context"
	"strconv"
	"time"

	"purr/models"
)

// Webhook returns one webhook of the creditor.
func (r reads) Webhook(ctx context.Context, creditorID, id int64) (models.Webhook, error) {
	return readOne[models.Webhook](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "webhook")
}

// Webhooks returns a page of the creditor's webhooks.
func (r reads) Webhooks(ctx context.Context, creditorID int64, p Page) ([]models.Webhook, int64, error) {
	return find[models.Webhook](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// WebhooksDue returns the webhooks of all creditors that are switched on and have deliveries due by the moment that
// nobody has in hand.
func (r reads) WebhooksDue(ctx context.Context, by time.Time) ([]models.Webhook, error) {
	some, err := scan[[]int64](r.with(ctx).Raw(someDeliveries, models.DeliveryPending, by))
	if err != nil {
		return nil, err
	}
	if strconv.Itoa(len(some)) != someDue {
		return readAll[models.Webhook](r.with(ctx).Where("enabled = ? AND id IN ?", true, some).Order("id"))
	}
	const due = "EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.state = ? AND d.webhook_id = webhooks.id AND d.next_attempt <= ? AND d.taken_by = '')"
	return readAll[models.Webhook](r.with(ctx).Where("enabled = ? AND "+due, true, models.DeliveryPending, by).Order("id"))
}

// LockWebhook reads a webhook of the creditor and locks it until the transaction ends. A caller that locks deliveries too
// must lock the webhook first.
func (tx *Tx) LockWebhook(ctx context.Context, creditorID, id int64) (models.Webhook, error) {
	return readOne[models.Webhook](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "webhook")
}

// CreateWebhook writes a new webhook and sets its ID and CreatedAt. The caller has locked the creditor.
func (tx *Tx) CreateWebhook(ctx context.Context, w *models.Webhook) error {
	w.CreatedAt = tx.Now
	return tx.insert(ctx, w)
}

// UpdateWebhook writes all fields of a webhook, which the caller has locked.
func (tx *Tx) UpdateWebhook(ctx context.Context, w models.Webhook) error {
	return tx.put(ctx, &w)
}

// DeleteWebhook deletes a webhook of the creditor and its deliveries. The caller has locked the creditor. A
// delivery that another transaction writes at that moment stays in the table, and is never posted.
func (tx *Tx) DeleteWebhook(ctx context.Context, creditorID, id int64) error {
	if err := tx.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Delete(&models.Webhook{}).Error; err != nil {
		return classify(err, "")
	}
	return classify(tx.with(ctx).Where("webhook_id = ? AND creditor_id = ?", id, creditorID).Delete(&models.WebhookDelivery{}).Error, "")
}
