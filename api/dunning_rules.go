package api

import (
	"context"
	"encoding/xml"

	"purr/dunning"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// dunningRulesXML is the figures of the law that dunning reckons with: those that hold on a day and those that
// begin later, and until when those are known that are set anew (rule E6h).
type dunningRulesXML struct {
	XMLName  xml.Name     `xml:"dunning_rules"`
	Date     models.Date  `xml:"date,attr"`
	Figures  []figureXML  `xml:"figure"`
	Horizons []horizonXML `xml:"known"`
	Warnings []string     `xml:"warning"`
}

type figureXML struct {
	Kind   models.RuleKind `xml:"kind,attr"`
	From   models.Date     `xml:"from,attr"`
	Value  string          `xml:"value,attr"`
	Source string          `xml:"source,attr"`
	SetBy  law.Origin      `xml:"set_by,attr"`
}

type horizonXML struct {
	Kind  models.RuleKind `xml:"kind,attr"`
	Until models.Date     `xml:"until,attr"`
}

func (s *Server) showDunningRules(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	date := q.date("date")
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if date == 0 {
		date = rq.today()
	}
	rules, err := s.rules(ctx, rq)
	if err != nil {
		return answer{}, err
	}
	return ok(dunningRulesOf(rules, rq.creditor.Policy, date))
}

func dunningRulesOf(rules *law.Rules, p models.Policy, date models.Date) dunningRulesXML {
	shown := dunningRulesXML{Date: date}
	for _, f := range rules.Figures(date) {
		shown.Figures = append(shown.Figures, figureXML{f.Kind, f.From, f.Value, f.Source, f.Origin})
	}
	for _, h := range rules.Expiries(date) {
		shown.Horizons = append(shown.Horizons, horizonXML{h.Kind, h.Until})
	}
	for _, w := range rules.Warnings(date, p) {
		shown.Warnings = append(shown.Warnings, w.Text)
	}
	return shown
}

// setDunningRule sets the next figure of a kind for the creditor alone: one that is known to all cannot be changed
// (rule E6h).
func (s *Server) setDunningRule(ctx context.Context, rq *request) (answer, error) {
	body, err := rq.readXML()
	if err != nil {
		return answer{}, err
	}
	f, err := parseForm(body, "dunning_rule")
	if err != nil {
		return answer{}, err
	}
	f.require("kind", "from", "value", "source")
	rule := models.DunningRule{CreditorID: rq.creditor.ID, SetBy: rq.actor()}
	kind, _ := f.token("kind")
	rule.Kind = models.RuleKind(kind)
	rule.FromDate, _ = f.date("from")
	rule.Value, _ = f.token("value")
	rule.Source, _ = f.string("source")
	if err := f.done(nil); err != nil {
		return answer{}, err
	}
	var rules *law.Rules
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := dunning.SetRule(ctx, tx, s.cfg.Rules, rule); err != nil {
			return err
		}
		rules, err = dunning.RulesFor(ctx, s.cfg.Rules, tx, rq.creditor.ID)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return ok(dunningRulesOf(rules, rq.creditor.Policy, rq.today()))
}

// rules returns the figures of the law as they stand for the request's creditor.
func (s *Server) rules(ctx context.Context, rq *request) (*law.Rules, error) {
	return dunning.RulesFor(ctx, s.cfg.Rules, s.db, rq.creditor.ID)
}
