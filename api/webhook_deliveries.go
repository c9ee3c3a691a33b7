package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/mailer/webhook"
	"purr/models"
	"purr/register"
	"purr/store"
)

// webhookDeliveryXML is an event on its way to a webhook (rule E7).
type webhookDeliveryXML struct {
	XMLName        xml.Name             `xml:"webhook_delivery"`
	URI            string               `xml:"uri,attr"`
	Status         models.DeliveryState `xml:"status,attr"`
	Webhook        link                 `xml:"webhook"`
	EventID        int64                `xml:"event_id"`
	EventType      models.EventType     `xml:"event_type"`
	MessageID      string               `xml:"message_id"` // the header webhook-id
	Attempts       int                  `xml:"attempts"`
	NextAttemptAt  string               `xml:"next_attempt_at,omitempty"` // absent unless it is pending
	DeliveredAt    string               `xml:"delivered_at,omitempty"`
	ResponseStatus int                  `xml:"response_status,omitempty"`
	Failure        string               `xml:"failure,omitempty"`
	CreatedAt      string               `xml:"created_at"`
}

// webhookDelivery shows a delivery.
func (rq *request) webhookDelivery(d models.WebhookDelivery) webhookDeliveryXML {
	x := webhookDeliveryXML{
		URI: rq.uri("webhook_delivery", d.ID), Status: d.State, Webhook: link{rq.uri("webhook", d.WebhookID)},
		EventID: d.EventID, EventType: d.EventType, MessageID: webhook.MessageID(d.EventID), Attempts: d.Attempts,
		ResponseStatus: d.ResponseStatus, Failure: d.Failure, CreatedAt: rq.stamp(d.CreatedAt),
	}
	if d.State == models.DeliveryPending {
		x.NextAttemptAt = rq.stamp(d.NextAttempt)
	}
	if d.DeliveredAt != nil {
		x.DeliveredAt = rq.stamp(*d.DeliveredAt)
	}
	return x
}

// listWebhookDeliveries lists the deliveries to the webhook in the path.
func (s *Server) listWebhookDeliveries(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	if _, err := s.db.Webhook(ctx, rq.creditor.ID, id); err != nil {
		return answer{}, err
	}
	q := rq.query()
	var states []models.DeliveryState
	if values := q.status(); values != nil {
		var known bool
		if states, known = models.ParseDeliveryStates(values); !known {
			q.fault("unknown_status", "status", "must be pending, delivered, failed or all")
		}
	}
	return listed("webhook_deliveries", q, rq.webhookDelivery, func(p store.Page) ([]models.WebhookDelivery, int64, error) {
		return s.db.WebhookDeliveries(ctx, rq.creditor.ID, id, states, p)
	})
}

// redeliver posts the event of the delivery in the path once more.
func redeliver(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "redeliver"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		d, err := register.Redeliver(ctx, tx, rq.creditor.ID, id, rq.actor())
		if err != nil {
			return nil, err
		}
		return rq.webhookDelivery(d), nil
	}, nil
}
