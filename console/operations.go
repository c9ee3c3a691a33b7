package console

import (
	"context"
	"crypto/rand"
	"html/template"
	"slices"
	"strconv"
	"time"

	"purr/calendar"
	"purr/console/locale"
	"purr/dunning"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/webhook"
)

func (s *Server) operationsRoutes() []route {
	return []route{
		{path: "/c/{creditor}/operations", area: "operations", get: s.operationsPage},
		{path: "/c/{creditor}/operations/confirm-none", area: "operations", post: s.confirmNone, again: s.operationsPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/keys", area: "operations", get: s.keysPage, post: s.createKey, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/operations/keys/{key}/revoke", area: "operations", get: s.revokePage, post: s.revokeKey, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/operations/webhooks", area: "operations", get: s.webhooksPage, post: s.createWebhook, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}", area: "operations", get: s.webhookPage},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/change", area: "operations", get: s.webhookForm, post: s.changeWebhook, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/secret", area: "operations", post: s.renewSecret, again: s.webhookPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/delete", area: "operations", get: s.deleteWebhookPage, post: s.deleteWebhook, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/switch", area: "operations", post: s.switchWebhook, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/redeliver", area: "operations", post: s.redeliver, scope: models.ScopeWrite},
	}
}

// QueueDepth is how many tasks the queue of the installation holds.
type QueueDepth struct{ Waiting, Active, Retrying, GivenUp int }

// operationsPage says whether the installation is healthy, as far as it concerns the creditor. What belongs to the whole
// installation is counted without names.
type operationsPage struct {
	view
	Queue    QueueDepth
	QueueErr bool
	Runs     []models.Run // the latest dunning runs
	Missed   int          // of these
	Verify   models.Run   // the last proof of the books; without ID if there was none
	News     dunning.BankNews
	Late     bool
	BankDay  models.Date // the last bank day before today
	Polls    []models.BankPoll
	Accounts int64 // of the installation that wait for the operator (rule D101)
}

// OperationsTabs returns the tabs of the operations. Two of them lead to lists with a form whose act nothing but its name keeps
// from being done twice (see Form).
func (v *view) OperationsTabs(present string) []link {
	form := "?form=" + rand.Text()
	return v.tabs(present, tab{"health", "operations", "operations.health"}, tab{"webhooks", "operations/webhooks" + form, "webhooks.title"},
		tab{"keys", "operations/keys" + form, "api_keys.title"})
}

func (s *Server) operationsPage(ctx context.Context, rq *request) (reply, error) {
	p := &operationsPage{view: rq.view("operations.title"), BankDay: calendar.LastBankDayBefore(rq.today())}
	var err error
	if s.cfg.Depth != nil {
		p.Queue, err = s.cfg.Depth(ctx)
		p.QueueErr = err != nil
	}
	err = s.db.View(ctx, func(v store.View) error {
		if p.Runs, err = v.RunsBefore(ctx, rq.creditor.ID, models.RunDunning, rq.today()+1, 5); err != nil {
			return err
		}
		proofs, err := v.RunsBefore(ctx, rq.creditor.ID, models.RunVerify, rq.today()+1, 7)
		if err != nil {
			return err
		}
		if n := slices.IndexFunc(proofs, func(r models.Run) bool { return r.State == models.RunDone }); n >= 0 {
			p.Verify = proofs[n]
		}
		if p.Polls, err = v.BankPolls(ctx, 5); err != nil {
			return err
		}
		p.Accounts, err = v.CountWaitingAccounts(ctx)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	for _, r := range p.Runs {
		if r.State == models.RunMissed {
			p.Missed++
		}
	}
	if p.News, err = dunning.ReadBankNews(ctx, s.db, rq.creditor); err != nil {
		return reply{}, err
	}
	p.Late = p.News.Late(rq.today())
	return show("operations", p)
}

// confirmNone records that no file comes from the bank for the last bank day.
func (s *Server) confirmNone(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	day := f.date("date")
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		day, err := dunning.ConfirmNone(ctx, tx, rq.creditor, day, rq.actor())
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.base + "/operations"), message: rq.said("operations.confirmed", "date", day)}, nil
	})
}

// keysPage lists the creditor's API keys, and shows a new one, once.
type keysPage struct {
	view
	APIKeys []models.Key
	Secret  string // of the key that was just made
}

func (s *Server) keysPage(ctx context.Context, rq *request) (reply, error) {
	return s.showKeys(ctx, rq, "")
}

func (s *Server) showKeys(ctx context.Context, rq *request, secret string) (reply, error) {
	p := &keysPage{view: rq.view("api_keys.title"), Secret: secret}
	var err error
	if p.APIKeys, err = s.db.Keys(ctx, rq.creditor.ID); err != nil {
		return reply{}, err
	}
	slices.Reverse(p.APIKeys)
	p.Lead = rq.words.SayHTML("api_keys.lead")
	return show("api_keys", p)
}

// createKey makes a key and shows it: it is kept nowhere, so a form that is sent again cannot show it again.
func (s *Server) createKey(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	name := f.text("name")
	scope, known := models.ParseScope(f.text("scope"))
	if !known {
		f.faults.Add("invalid_value", "scope", "must be read, write or admin")
	}
	if name == "" {
		f.faults.Add("required", "name", "is required")
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	secret := ""
	answer, err := rq.act(ctx, func(ctx context.Context, tx *store.Tx) (d done, err error) {
		secret, err = register.CreateKey(ctx, tx, rq.creditor.ID, scope, name, rq.actor())
		return done{to: rq.base + "/operations/keys", message: rq.said("api_keys.made", "name", name)}, err
	})
	if err != nil || secret == "" {
		return answer, err
	}
	rq.form = nil // the page shows an empty form
	return s.showKeys(ctx, rq, secret)
}

// revokePage says what a key is before it is revoked.
type revokePage struct {
	view
	APIKey models.Key
	Own    bool // the reader is signed in with it
}

func (s *Server) revokePage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("key")
	if err != nil {
		return reply{}, err
	}
	keys, err := s.db.Keys(ctx, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	n := slices.IndexFunc(keys, func(k models.Key) bool { return k.ID == id && k.RevokedAt == nil })
	if n < 0 {
		return reply{}, models.NotFound("key in force")
	}
	return show("api_key_revoke", &revokePage{rq.view("api_keys.revoke_title", "name", keys[n].Name), keys[n], id == rq.key.ID})
}

func (s *Server) revokeKey(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("key")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		return done{to: rq.base + "/operations/keys", message: rq.said("api_keys.revoked")}, register.RevokeKey(ctx, tx, rq.creditor.ID, id, rq.actor())
	})
}

// mayWrite fails for a key that may only read: the address of a webhook may hold a secret, as in the API.
func (rq *request) mayWrite() error {
	if rq.key.Scope.Allows(models.ScopeWrite) {
		return nil
	}
	return &models.Error{Kind: models.KindForbidden, Code: "scope_insufficient", Msg: "this needs a key of scope write"}
}

// webhooksPage lists the creditor's webhooks, and shows the secret of a new one, once.
type webhooksPage struct {
	view
	Webhooks []models.Webhook
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
	p.Lead = rq.words.SayHTML("webhooks.lead")
	return show("webhooks", p)
}

func (s *Server) createWebhook(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	fresh := models.Webhook{CreditorID: rq.creditor.ID, Enabled: true, Secret: webhook.NewSecret(), URL: f.text("url"), Description: f.text("description")}
	if s.cfg.PublicWebhooks && webhook.NamesPrivate(fresh.URL) {
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
	var states []models.DeliveryState
	if p.State != "" {
		states = []models.DeliveryState{p.State}
	}
	asked, err := strconv.Atoi(rq.query("page"))
	if err != nil {
		asked = 1
	}
	page := store.Page{Number: max(asked, 1), Size: perPage}
	found, total, number, err := s.db.NewestWebhookDeliveries(ctx, rq.creditor.ID, id, states, page)
	if err != nil {
		return reply{}, err
	}
	if p.Deliveries = found; number > 1 {
		p.Pager.Previous = p.With("page", strconv.Itoa(number-1))
	}
	if int64(number) < page.Pages(total) {
		p.Pager.Next = p.With("page", strconv.Itoa(number+1))
	}
	counts, err := s.db.UndeliveredCounts(ctx, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	p.Failed = counts[id].Failed
	p.Lead = template.HTML(template.HTMLEscapeString(hook.URL)) //nolint:gosec // it was escaped
	return show("webhook", p)
}

// switchWebhook switches a webhook on or off, which its undo takes back.
func (s *Server) switchWebhook(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	on := rq.form.Get("enabled") == "1"
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		_, err := register.ChangeWebhook(ctx, tx, rq.creditor.ID, id, rq.actor(), func(w *models.Webhook) error { w.Enabled = on; return nil })
		said, other := rq.undoable(rq.here(), "webhooks.switched_off"), "1"
		if on {
			said, other = rq.undoable(rq.here(), "webhooks.switched_on"), "0"
		}
		said.With = map[string]string{"enabled": other}
		return done{to: rq.back(rq.base + "/operations/webhooks"), message: said}, err
	})
}

// redeliverMost is how many failed deliveries one form posts again.
const redeliverMost = 100

// redeliver makes one delivery due at once, or those that have failed.
func (s *Server) redeliver(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("webhook")
	if err != nil {
		return reply{}, err
	}
	if _, err := s.db.Webhook(ctx, rq.creditor.ID, id); err != nil {
		return reply{}, err
	}
	f := rq.fields()
	var ids []int64
	if f.text("delivery") != "" {
		ids = append(ids, f.number("delivery"))
	} else {
		failed, _, err := s.db.WebhookDeliveries(ctx, rq.creditor.ID, id, []models.DeliveryState{models.DeliveryFailed}, store.Page{Number: 1, Size: redeliverMost})
		if err != nil {
			return reply{}, err
		}
		for _, d := range failed {
			ids = append(ids, d.ID)
		}
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		for _, id := range ids {
			if _, err := register.Redeliver(ctx, tx, rq.creditor.ID, id, rq.actor()); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.base + "/operations/webhooks"), message: rq.said("webhooks.redelivered", "n", len(ids))}, nil
	})
}

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
