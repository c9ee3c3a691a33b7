package console

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"purr/dunning"
	"purr/mailer/shipments"
	"purr/models"
	"purr/models/calendar"
	"purr/register"
	"purr/store"
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
		{path: "/c/{creditor}/operations/webhooks/{webhook}/switch", area: "operations", post: s.switchWebhook, again: s.webhookPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/operations/webhooks/{webhook}/redeliver", area: "operations", post: s.redeliver, again: s.webhookPage, scope: models.ScopeWrite},
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
	Ways     []shipments.WayNow
	Present  store.Present
}

// Named returns what goes by a way's method, in words, and Kinds by which kinds of ways it leaves.
func (p *operationsPage) Named(w shipments.WayNow) string {
	return p.rq.words.Say("letter_method." + string(w.Method))
}

// Does returns what a part does in words.
func (p *operationsPage) Does(part store.Part) string {
	kinds := strings.Fields(part.Kind)
	for n, kind := range kinds {
		kinds[n] = p.rq.words.Say("operations.part." + kind)
	}
	return strings.Join(kinds, ", ")
}

// Kinds returns the kinds of a way in words.
func (p *operationsPage) Kinds(w shipments.WayNow) string {
	kinds := slices.Clone(w.Kinds)
	for n, kind := range kinds {
		switch kind {
		case models.WayFolder:
			kinds[n] = p.rq.words.Say("operations.way_folder")
		case models.WayNone:
			kinds[n] = p.rq.words.Say("operations.way_none")
		}
	}
	return strings.Join(kinds, ", ")
}

// OperationsTabs returns the tabs of the operations. Three of them lead to lists with a form whose act nothing but its name keeps
// from being done twice (see Form).
func (v *view) OperationsTabs(present string) []link {
	form := "?form=" + rand.Text()
	return v.tabs(present, tab{"health", "operations", "operations.health"}, tab{"webhooks", "operations/webhooks" + form, "webhooks.title"},
		tab{"keys", "operations/keys" + form, "api_keys.title"}, tab{"audits", "operations/audits" + form, "audits.title"})
}

func (s *Server) operationsPage(ctx context.Context, rq *request) (reply, error) {
	p := &operationsPage{view: rq.view("operations.title"), BankDay: calendar.LastBankDayBefore(rq.today())}
	var err error
	if s.cfg.Depth != nil {
		p.Queue, err = s.cfg.Depth(ctx)
		p.QueueErr = err != nil
	}
	err = s.db.View(ctx, func(v store.View) error {
		if p.Runs, p.Verify, err = v.RunsAndProof(ctx, rq.creditor.ID, rq.today()+1, 5); err != nil {
			return err
		}
		if p.Polls, err = v.BankPolls(ctx, 5); err != nil {
			return err
		}
		p.Present, err = v.Present(ctx, s.cfg.Wall.Now())
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
	if p.Ways, err = shipments.WaysNow(ctx, s.db); err != nil {
		return reply{}, err
	}
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
	p.Lead = rq.words.SayHTML("api_keys.lead", "n", len(p.APIKeys))
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
	p := &revokePage{rq.view("api_keys.revoke_title", "name", keys[n].Name), keys[n], id == rq.key.ID}
	if err := p.lookAt(ctx, s.db, models.Thing{Kind: models.ThingKey, ID: id}); err != nil {
		return reply{}, err
	}
	return show("api_key_revoke", p)
}

func (s *Server) revokeKey(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("key")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		return done{to: rq.base + "/operations/keys", message: rq.said("api_keys.revoked")}, register.RevokeKey(ctx, tx, rq.creditor.ID, id, rq.actor(), rq.seen())
	})
}
