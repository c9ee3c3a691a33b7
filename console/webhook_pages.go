package console

import (
	"context"
	"html/template"
	"time"

	"purr/console/locale"
	"purr/internal/address"
	"purr/mailer/webhook"
	"purr/models"
	"purr/register"
	"purr/store"
)

// mayWrite fails for a key that may only read: the address of a webhook may hold a secret, as in the API.
func (rq *request) mayWrite() error {
	if rq.key.Scope.Allows(models.ScopeWrite) {
		return nil
	}
	return rq.mayNot(models.ScopeWrite)
}

// webhooksPage lists the creditor's webhooks, and shows the secret of a new one, once.
type webhooksPage struct {
	view
	Webhooks []models.Webhook
	New      models.Webhook                // as its form begins
	Owed     map[int64]store.DeliveryCount // by webhook
	Secret   string
}

func (s *Server) webhooksPage(ctx context.Context, rq *request) (reply, error) {
	return s.showWebhooks(ctx, rq, "")
}

func (s *Server) showWebhooks(ctx context.Context, rq *request, secret string) (reply, error) {
	p := &webhooksPage{view: rq.view("webhooks.title"), Secret: secret}
	err := rq.mayWrite()
	if err != nil {
		return reply{}, err
	}
	if p.Webhooks, _, err = s.db.Webhooks(ctx, rq.creditor.ID, store.Page{Number: 1, Size: models.MaxWebhooks}); err != nil {
		return reply{}, err
	}
	if p.Owed, err = s.db.UndeliveredCounts(ctx, rq.creditor.ID); err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("webhooks.lead", "n", len(p.Webhooks))
	return show("webhooks", p)
}

func (s *Server) createWebhook(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	fresh := models.Webhook{CreditorID: rq.creditor.ID, Enabled: true, Secret: webhook.NewSecret(), URL: f.text("url"), Description: f.text("description"), AsJSON: f.text("format") == "json"}
	if s.cfg.PublicWebhooks && address.NamesPrivate(fresh.URL) {
		f.faults.Add("private_address", "url", "must be an address of the public internet")
	}
	if err := f.done(fresh.Validate()); err != nil {
		return reply{}, err
	}
	secret := ""
	answer, err := rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		w := fresh
		err := register.CreateWebhook(ctx, tx, &w, rq.actor())
		secret = string(w.Secret)
		return done{to: rq.base + "/operations/webhooks", message: rq.said("webhooks.made")}, err
	})
	if err != nil || secret == "" {
		return answer, err
	}
	rq.form = nil // the page shows an empty form
	return s.showWebhooks(ctx, rq, secret)
}

// webhookPage shows a webhook and its deliveries, the newest first.
type webhookPage struct {
	view
	Webhook    models.Webhook
	Secret     string // that was just made
	Deliveries []models.WebhookDelivery
	States     []models.DeliveryState
	State      models.DeliveryState // whose deliveries are listed; empty for all
	Failed     int64
	Total      int64 // of the deliveries in that state
	Pager      pager
}

func (s *Server) webhookPage(ctx context.Context, rq *request) (reply, error) {
	return s.showWebhook(ctx, rq, "")
}

func (s *Server) showWebhook(ctx context.Context, rq *request, secret string) (reply, error) {
	hook, err := s.webhookOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	id := hook.ID
	p := &webhookPage{
		view: rq.view("webhooks.one"), Webhook: hook, Secret: secret, State: models.DeliveryState(rq.query("state")),
		States: []models.DeliveryState{"", models.DeliveryFailed, models.DeliveryPending, models.DeliveryDelivered},
	}
	if err := p.readDeliveries(ctx, s.db); err != nil {
		return reply{}, err
	}
	counts, err := s.db.UndeliveredCounts(ctx, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	p.Failed = counts[id].Failed
	if err := p.lookAt(ctx, s.db, models.Thing{Kind: models.ThingWebhook, ID: id}); err != nil {
		return reply{}, err
	}
	p.Lead = template.HTML(template.HTMLEscapeString(hook.URL)) //nolint:gosec // it was escaped
	return show("webhook", p)
}

// readDeliveries fills the page with the deliveries in its state, the newest first.
func (p *webhookPage) readDeliveries(ctx context.Context, db *store.DB) (err error) {
	var states []models.DeliveryState
	if p.State != "" {
		states = []models.DeliveryState{p.State}
	}
	page := store.Page{Number: p.rq.pageNumber(), Size: perPage}
	if p.Deliveries, p.Total, page.Number, err = db.NewestWebhookDeliveries(ctx, p.rq.creditor.ID, p.Webhook.ID, states, page); err == nil {
		p.Pager = p.pages(page, p.Total)
	}
	return err
}

// switchWebhook switches a webhook on or off, which its undo takes back.
func (s *Server) switchWebhook(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	on := rq.form.Get("enabled") == "1"
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		_, err := register.ChangeWebhook(ctx, tx, rq.creditor.ID, id, rq.actor(), func(w *models.Webhook) error {
			w.Enabled = on
			return tx.Unchanged(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingWebhook, ID: id}, rq.seen())
		})
		if err != nil {
			return done{}, err
		}
		said, other := rq.undoable(rq.here(), "webhooks.switched_off"), "1"
		if on {
			said, other = rq.undoable(rq.here(), "webhooks.switched_on"), "0"
		}
		if said, err = said.carrying("enabled", other).undoes(ctx, tx, rq.creditor.ID, models.ThingWebhook, id); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.base + "/operations/webhooks"), message: said}, nil
	})
}

// redeliverMost is how many failed deliveries one form posts again.
const redeliverMost = 100

// redeliver makes one delivery due at once, or those that have failed. Of these it leaves out what somebody else was faster with.
func (s *Server) redeliver(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	if _, err := s.db.Webhook(ctx, rq.creditor.ID, id); err != nil {
		return reply{}, err
	}
	f := rq.fields()
	one := f.text("delivery") != ""
	due := make([]models.WebhookDelivery, 1)
	if one {
		due[0].ID = f.number("delivery")
	} else if due, _, err = s.db.WebhookDeliveries(ctx, rq.creditor.ID, id, []models.DeliveryState{models.DeliveryFailed}, store.Page{Number: 1, Size: redeliverMost}); err != nil {
		return reply{}, err
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		n := 0
		for _, d := range due {
			seen := rq.seen()
			if !one {
				seen = register.LookAtDelivery(d)
			}
			_, err := register.Redeliver(ctx, tx, rq.creditor.ID, d.ID, rq.actor(), seen)
			switch {
			case err == nil:
				n++
			case one || changedMeanwhile(err) == nil:
				return done{}, err
			}
		}
		return done{to: rq.back(rq.base + "/operations/webhooks"), message: rq.said("webhooks.redelivered", "n", n)}, nil
	})
}

// LookAt returns a delivery as the page shows it, for the form that makes it due.
func (p *webhookPage) LookAt(d models.WebhookDelivery) models.Seen { return register.LookAtDelivery(d) }

// When returns a moment that may be missing.
func (v *view) When(t *time.Time) template.HTML {
	if t == nil {
		return ""
	}
	return locale.Moment(*t, v.rq.zone)
}

// Stated returns the path of the deliveries in a state, from the first page on.
func (p *webhookPage) Stated(state models.DeliveryState) string {
	at := p.URL("operations", "webhooks", p.Webhook.ID)
	if state != "" {
		at += "?state=" + string(state)
	}
	return at
}
