package console

import (
	"context"
	"slices"
	"strings"

	"purr/internal/address"
	"purr/mailer/webhook"
	"purr/models"
	"purr/register"
	"purr/store"
)

// webhookForm is the form that changes a webhook, or says what goes with it when it is deleted.
type webhookForm struct {
	view
	Webhook models.Webhook
	Seen    string // what the form began with
	Types   []option
}

// seenWebhook is what can be changed of a webhook, as it is.
func seenWebhook(w models.Webhook) string {
	return seenOf([]any{w.URL, w.Description, w.EventTypes, w.AsJSON})
}

// FormatOf returns the field for the form in which events are posted to a webhook (rule J4).
func (v *view) FormatOf(w models.Webhook) input {
	format := "xml"
	if w.AsJSON {
		format = "json"
	}
	return v.Select("format", "webhooks.format", format, "xml", "webhooks.format.xml", "json", "webhooks.format.json")
}

// webhookOf reads the webhook in the path, whose address only a key that may write sees.
func (s *Server) webhookOf(ctx context.Context, rq *request) (models.Webhook, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return models.Webhook{}, err
	}
	if err := rq.mayWrite(); err != nil {
		return models.Webhook{}, err
	}
	return s.db.Webhook(ctx, rq.creditor.ID, id)
}

func (s *Server) webhookForm(ctx context.Context, rq *request) (reply, error) {
	w, err := s.webhookOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &webhookForm{view: rq.view("webhooks.change"), Webhook: w, Seen: seenWebhook(w)}
	chosen := func(t models.EventType) bool { return slices.Contains(w.EventTypes, t) }
	if rq.form != nil {
		chosen = func(t models.EventType) bool { return slices.Contains(rq.form["event_type"], string(t)) }
	}
	for _, f := range models.EventFacts {
		if f.Posted && f.Type != models.EventPaymentReceived {
			p.Types = append(p.Types, option{string(f.Type), rq.words.KindOfEvent(f.Type), chosen(f.Type)})
		}
	}
	slices.SortFunc(p.Types, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return show("webhook_change", p)
}

// changeWebhook changes a webhook's address, description, format and types of events; no type means every type.
func (s *Server) changeWebhook(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		_, err := register.ChangeWebhook(ctx, tx, rq.creditor.ID, id, rq.actor(), func(w *models.Webhook) error {
			if err := tx.Same(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingWebhook, ID: id}, rq.surelySeen(), models.Seen(seenWebhook(*w))); err != nil {
				return err
			}
			f, before := rq.fields(), w.URL
			w.URL, w.Description, w.AsJSON, w.EventTypes = f.text("url"), f.text("description"), f.text("format") == "json", nil
			if s.cfg.PublicWebhooks && w.URL != before && address.NamesPrivate(w.URL) {
				f.faults.Add("private_address", "url", "must be an address of the public internet")
			}
			for _, name := range f.all("event_type") {
				t := models.EventType(name)
				if !t.Posted() {
					return errBadForm()
				}
				w.EventTypes = append(w.EventTypes, t)
			}
			return f.done(w.Validate())
		})
		return done{to: rq.base + "/operations/webhooks/" + toPath(id), message: rq.said("webhooks.changed")}, err
	})
}

// renewSecret gives a webhook a new secret and shows it: a form that is sent again cannot show it again.
func (s *Server) renewSecret(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	var fresh models.Secret
	answer, err := rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		w, err := register.RenewSecret(ctx, tx, rq.creditor.ID, id, webhook.NewSecret(), rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		fresh = w.Secret
		return done{to: rq.base + "/operations/webhooks/" + toPath(id), message: rq.said("webhooks.renewed")}, nil
	})
	if err != nil || fresh == "" {
		return answer, err
	}
	rq.form = nil
	return s.showWebhook(ctx, rq, string(fresh))
}

func (s *Server) deleteWebhookPage(ctx context.Context, rq *request) (reply, error) {
	w, err := s.webhookOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	seen, err := s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingWebhook, ID: w.ID})
	if err != nil {
		return reply{}, err
	}
	return show("webhook_delete", &webhookForm{view: rq.view("webhooks.delete"), Webhook: w, Seen: string(seen)})
}

func (s *Server) deleteWebhook(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		err := register.DeleteWebhook(ctx, tx, rq.creditor.ID, id, rq.actor(), rq.seen())
		return done{to: rq.base + "/operations/webhooks", message: rq.said("webhooks.deleted")}, err
	})
}
