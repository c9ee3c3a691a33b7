package console

import (
	"context"

	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// wayGroups are the headings of the settings of a creditor's own ways, by method.
var wayGroups = []struct {
	method models.ShipmentMethod
	title  string
}{{models.ByEmail, "ways.email"}, {models.ByPaper, "ways.paper"}, {models.Bundles, "ways.collector"}}

// waysPage shows by which ways of its own the creditor's documents leave (rule Q7). Only an administrator sees the values, and nobody a secret.
func (s *Server) waysPage(ctx context.Context, rq *request) (reply, error) {
	if !rq.key.Scope.Allows(models.ScopeAdmin) {
		return reply{}, rq.mayNot(models.ScopeAdmin)
	}
	rows, err := s.db.CreditorWays(ctx, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	p := settingsPage{view: rq.view("settings.title"), Present: "ways", Seen: string(own.SeenOf(rows))}
	values := own.Show(rows)
	for _, g := range wayGroups {
		shown := group{Title: rq.words.Say(g.title)}
		for _, v := range values {
			if v.Method == g.method {
				shown.Fields = append(shown.Fields, p.wayField(v))
			}
		}
		p.Groups = append(p.Groups, shown)
	}
	return show("settings", &p)
}

// wayField returns the field of a setting. What was typed comes back without its secret.
func (p *settingsPage) wayField(v own.Value) input {
	if typed := p.rq.form.Get(v.Element()); typed != "" {
		p.rq.form.Set(v.Element(), v.Setting.Shown(typed))
	}
	var options []string
	switch {
	case v.Secret:
		options = []string{"type=password", "autocomplete=off"}
	case v.OnMachine:
		options = []string{"readonly", "hint=ways.on_machine"}
	}
	return p.Setting(v.Element(), "ways.setting."+v.Element(), v.Shown, options...)
}

// changeWays changes the creditor's own ways: an empty field is the installation's again.
func (s *Server) changeWays(ctx context.Context, rq *request) (reply, error) {
	f, change := rq.fields(), map[string]string{}
	for _, setting := range own.Settings() {
		if f.has(setting.Element()) {
			change[setting.Key] = f.text(setting.Element())
		}
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		_, err := s.cfg.Ways.Change(ctx, tx, rq.creditor.ID, change, own.Who{Actor: rq.actor(), Public: s.cfg.PublicWebhooks, Seen: rq.seen()})
		return done{to: rq.back(rq.s.prefix + rq.r.URL.Path), message: rq.said("settings.saved")}, err
	})
}
