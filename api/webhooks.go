package api

import (
	"context"
	"encoding/xml"
	"slices"

	"purr/api/form"
	"purr/internal/address"
	"purr/mailer/webhook"
	"purr/models"
	"purr/register"
	"purr/store"
)

// webhookXML is an address that events are posted to (rule E7). Only the answers that create or renew its secret show
// it.
type webhookXML struct {
	XMLName        xml.Name      `xml:"webhook"`
	URI            string        `xml:"uri,attr"`
	URL            string        `xml:"url"`
	Description    string        `xml:"description"`
	Enabled        flag          `xml:"enabled"`
	EventTypes     eventTypesXML `xml:"event_types"`
	Format         string        `xml:"format,omitempty"` // absent for XML (rule J4)
	Secret         string        `xml:"secret,omitempty"`
	OldSecretUntil string        `xml:"old_secret_until,omitempty"` // while the old secret signs too
	CreatedAt      string        `xml:"created_at"`
}

type eventTypesXML struct {
	Types []models.EventType `xml:"event_type"`
}

// The formats of what is posted to a webhook.
const (
	formatXML  = "xml"
	formatJSON = "json"
)

// webhook shows a webhook without its secret.
func (rq *request) webhook(w models.Webhook) webhookXML {
	x := webhookXML{
		URI: rq.uri("webhook", w.ID), URL: w.URL, Description: w.Description, Enabled: flag(w.Enabled),
		EventTypes: eventTypesXML{w.EventTypes}, CreatedAt: rq.stamp(w.CreatedAt),
	}
	if len(w.Secrets(rq.now)) > 1 {
		x.OldSecretUntil = rq.stamp(*w.OldSecretUntil)
	}
	if w.AsJSON {
		x.Format = formatJSON
	}
	return x
}

// webhookWithSecret shows a webhook with its new secret. The answer stored for an Idempotency-Key holds the secret
// too, for a client that lost the first answer. The webhook's row also holds it in clear text.
func (rq *request) webhookWithSecret(w models.Webhook) webhookXML {
	x := rq.webhook(w)
	x.Secret = string(w.Secret)
	return x
}

// listWebhooks lists the webhooks.
func (s *Server) listWebhooks(ctx context.Context, rq *request) (answer, error) {
	return listed("webhooks", rq.query(), rq.webhook, func(p store.Page) ([]models.Webhook, int64, error) {
		return s.db.Webhooks(ctx, rq.creditor.ID, p)
	})
}

// readWebhook changes the elements of a webhook that the request holds. The event types replace all earlier ones. No
// types at all mean every type, and an empty format means XML.
func (s *Server) readWebhook(f *form.Form, w *models.Webhook) {
	before := w.URL
	if form.Set(&w.URL)(f.Token("url")); s.cfg.PublicWebhooks && w.URL != before && address.NamesPrivate(w.URL) {
		f.Fault("url", "private_address", "must be an address of the public internet")
	}
	form.Set(&w.Description)(f.Line("description"))
	form.Set(&w.Enabled)(f.Flag("enabled"))
	if format, sent := f.Token("format"); sent {
		if w.AsJSON = format == formatJSON; !w.AsJSON && format != formatXML && format != "" {
			f.Fault("format", "invalid_format", "must be xml or json")
		}
	}
	types := f.Child("event_types")
	if types == nil {
		return
	}
	w.EventTypes = nil
	for _, e := range types.Each("event_type") {
		t := models.EventType(e.Value())
		if !t.Posted() {
			e.Fault("", "unknown_event_type", "is not a type of event that is posted")
		} else if !slices.Contains(w.EventTypes, t) {
			w.EventTypes = append(w.EventTypes, t)
		}
	}
}

// createWebhook creates a webhook and shows its secret, only this once.
func (s *Server) createWebhook(_ context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	f, err := rq.parse(body, "webhook", webhookXML{})
	if err != nil {
		return nil, err
	}
	fresh := models.Webhook{CreditorID: rq.creditor.ID, Enabled: true, Secret: webhook.NewSecret()}
	f.Require("url")
	s.readWebhook(f, &fresh)
	if err := f.Done(faultsOf(fresh.Validate())); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		w := fresh
		if err := register.CreateWebhook(ctx, tx, &w, rq.actor()); err != nil {
			return answer{}, err
		}
		shown := rq.webhookWithSecret(w)
		return rq.created(shown.URI, shown)
	}, nil
}

// changeWebhook changes the elements of a webhook that the request holds.
func (s *Server) changeWebhook(rq *request, id int64, body form.Body) (act, error) {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		w, err := register.ChangeWebhook(ctx, tx, rq.creditor.ID, id, rq.actor(), func(w *models.Webhook) error {
			f, err := rq.parse(body, "webhook", rq.webhook(*w))
			if err != nil {
				return err
			}
			before := *w
			s.readWebhook(f, w)
			if !register.WebhookChanged(before, *w) {
				return f.Done(nil)
			}
			return f.Done(faultsOf(w.Validate()))
		})
		if err != nil {
			return nil, err
		}
		return rq.webhook(w), nil
	}, nil
}

// renewSecret gives the webhook in the path a new secret and shows it. The old secret signs too for a day.
func renewSecret(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "secret"); err != nil {
		return nil, err
	}
	secret := webhook.NewSecret()
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		w, err := register.RenewSecret(ctx, tx, rq.creditor.ID, id, secret, rq.actor())
		if err != nil {
			return nil, err
		}
		return rq.webhookWithSecret(w), nil
	}, nil
}

// deleteWebhook deletes a webhook and its deliveries.
func deleteWebhook(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return register.DeleteWebhook(ctx, tx, rq.creditor.ID, id, rq.actor())
}
