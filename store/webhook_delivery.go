package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// WebhookDelivery returns one delivery of the creditor.
func (r reads) WebhookDelivery(ctx context.Context, creditorID, id int64) (models.WebhookDelivery, error) {
	return readOne[models.WebhookDelivery](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "webhook delivery")
}

// WebhookDeliveries returns a page of the deliveries to a webhook of the creditor that are in one of the states.
// An empty list of states means all. What was committed before the call has its deliveries.
func (db *DB) WebhookDeliveries(ctx context.Context, creditorID, webhookID int64, states []models.DeliveryState, p Page) ([]models.WebhookDelivery, int64, error) {
	g, err := db.deliveries(ctx, creditorID, webhookID, states)
	if err != nil {
		return nil, 0, err
	}
	return find[models.WebhookDelivery](ctx, g, p)
}

// NewestWebhookDeliveries returns a page of what WebhookDeliveries lists, the newest first, the number of all of them, and the
// number of the page: instead of a page after the last one it returns the last one.
func (db *DB) NewestWebhookDeliveries(ctx context.Context, creditorID, webhookID int64, states []models.DeliveryState, p Page) (items []models.WebhookDelivery, total int64, number int, err error) {
	g, err := db.deliveries(ctx, creditorID, webhookID, states)
	if err != nil {
		return nil, 0, 0, err
	}
	g = g.Session(&gorm.Session{Context: ctx}) // keeps the clauses of the count out of the query that follows
	if total, err = count(g.Model(&models.WebhookDelivery{})); err != nil {
		return nil, 0, 0, err
	}
	p.Number = min(p.Number, int(p.Pages(total)))
	items, err = readAll[models.WebhookDelivery](g.Order("id DESC").Offset(p.offset()).Limit(p.Size))
	return items, total, p.Number, err
}

func (db *DB) deliveries(ctx context.Context, creditorID, webhookID int64, states []models.DeliveryState) (*gorm.DB, error) {
	if err := db.NumberEvents(ctx); err != nil {
		return nil, err
	}
	g := db.with(ctx).Where("creditor_id = ? AND webhook_id = ?", creditorID, webhookID)
	if len(states) > 0 {
		g = g.Where("state IN ?", states)
	}
	return g, nil
}

// DeliveryCount is how many deliveries to a webhook have not arrived.
type DeliveryCount struct{ Pending, Failed int64 }

// UndeliveredCounts returns how many deliveries to each webhook of the creditor have not arrived, by the webhook's ID.
func (r reads) UndeliveredCounts(ctx context.Context, creditorID int64) (map[int64]DeliveryCount, error) {
	type undelivered struct {
		WebhookID int64
		State     models.DeliveryState
		Count     int64
	}
	counted, err := scan[[]undelivered](r.with(ctx).Raw(`SELECT d.webhook_id, d.state, COUNT(*) AS count FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
		WHERE w.creditor_id = ? AND d.state IN ? GROUP BY d.webhook_id, d.state`,
		creditorID, []models.DeliveryState{models.DeliveryPending, models.DeliveryFailed}))
	if err != nil {
		return nil, err
	}
	counts := map[int64]DeliveryCount{}
	for _, c := range counted {
		of := counts[c.WebhookID]
		if c.State == models.DeliveryFailed {
			of.Failed = c.Count
		} else {
			of.Pending = c.Count
		}
		counts[c.WebhookID] = of
	}
	return counts, nil
}

// DueDeliveries returns up to limit deliveries to the webhook that are due by the moment and that nobody has in hand, the
// longest due first.
func (r reads) DueDeliveries(ctx context.Context, webhookID int64, by time.Time, limit int) ([]models.WebhookDelivery, error) {
	return readAll[models.WebhookDelivery](r.with(ctx).Where("state = ? AND webhook_id = ? AND next_attempt <= ? AND taken_by = ''", models.DeliveryPending, webhookID, by).
		Order("next_attempt, id").Limit(limit))
}

// LeasedDeliveries are the deliveries that are to be posted to webhooks. One that is switched off gets none.
var LeasedDeliveries = Leased{
	Table: "webhook_deliveries", Name: "webhook_deliveries", Words: "webhook deliveries",
	model: func() any { return new(models.WebhookDelivery) }, states: anyOf(models.DeliveryPending), on: " AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.enabled)",
	longest: func(w longestWaits) []any { return []any{w.long} },
}

// someDeliveries are due deliveries, up to someDue. Mostly there are so few that this tells all; else the webhooks are asked one by one,
// since those that are switched off may have many (rule D113).
const (
	someDeliveries = "SELECT webhook_id FROM webhook_deliveries WHERE state = ? AND next_attempt <= ? AND taken_by = '' LIMIT " + someDue
	someDue        = "1000"
)

// DeliveriesDue asks whether there are due deliveries, to webhooks that are switched on, that nobody has in hand.
var DeliveriesDue = Question{
	`EXISTS (SELECT 1 FROM (` + someDeliveries + `) d JOIN webhooks w ON w.id = d.webhook_id WHERE w.enabled = ?)
		OR (SELECT COUNT(*) FROM (` + someDeliveries + `) d) = ` + someDue + ` AND EXISTS (SELECT 1 FROM webhooks w WHERE w.enabled = ? AND EXISTS (
			SELECT 1 FROM webhook_deliveries d WHERE d.state = ? AND d.webhook_id = w.id AND d.next_attempt <= ? AND d.taken_by = ''))`,
	func(by time.Time) []any {
		return []any{models.DeliveryPending, by, true, models.DeliveryPending, by, true, models.DeliveryPending, by}
	},
}

// LockWebhookDelivery reads a delivery of the creditor and locks it until the transaction ends.
func (tx *Tx) LockWebhookDelivery(ctx context.Context, creditorID, id int64) (models.WebhookDelivery, error) {
	return readOne[models.WebhookDelivery](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "webhook delivery")
}

// UpdateWebhookDelivery writes all fields of a delivery, which the caller has locked.
func (tx *Tx) UpdateWebhookDelivery(ctx context.Context, d models.WebhookDelivery) error {
	return tx.put(ctx, &d)
}

// FailDeliveries fails all pending deliveries to a webhook, which the caller has locked, and keeps the reason.
func (tx *Tx) FailDeliveries(ctx context.Context, webhookID int64, why string) error {
	return tx.set(ctx, &models.WebhookDelivery{}, map[string]any{"state": models.DeliveryFailed, "failure": why},
		"webhook_id = ? AND state = ?", webhookID, models.DeliveryPending)
}

// owe writes a delivery of each event to each of the creditor's webhooks that wants it, due at once.
func (tx *Tx) owe(ctx context.Context, events []models.Event) error {
	var creditors []int64
	for _, e := range events {
		if !slices.Contains(creditors, e.CreditorID) {
			creditors = append(creditors, e.CreditorID)
		}
	}
	webhooks, err := readAll[models.Webhook](tx.with(ctx).Where("creditor_id IN ? AND enabled = ?", creditors, true))
	if err != nil {
		return err
	}
	var owed []models.WebhookDelivery
	for _, e := range events {
		for _, w := range webhooks {
			if w.CreditorID == e.CreditorID && w.Wants(e.Type) {
				owed = append(owed, models.WebhookDelivery{
					CreditorID: w.CreditorID, WebhookID: w.ID, EventID: e.ID, EventType: e.Type,
					State: models.DeliveryPending, NextAttempt: tx.Common, CreatedAt: tx.Now,
				})
			}
		}
	}
	if len(owed) == 0 {
		return nil
	}
	return tx.insert(ctx, &owed)
}
