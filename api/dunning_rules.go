package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// dunningRulesXML shows the figures of the law that hold on a day and those that begin later. It also shows the rate
// expiry of each figure that the authorities renew from time to time (rule E6h).
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

// showDunningRules shows the figures of the law on a day, and until when each is known.
func (s *Server) showDunningRules(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	date := q.date("date")
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if date == 0 {
		date = rq.today()
	}
	rules, err := s.rules(ctx, s.db, rq)
	if err != nil {
		return answer{}, err
	}
	return rq.ok(dunningRulesOf(rules, rq.creditor.Policy, date))
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

// setDunningRule sets the next figure of a kind for this creditor alone. It cannot change a figure that holds for all
// (rule E6h).
func (s *Server) setDunningRule(rq *request, _ int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "dunning_rule")
	if err != nil {
		return nil, err
	}
	f.Require("kind", "from", "value", "source")
	rule := models.DunningRule{CreditorID: rq.creditor.ID, SetBy: rq.actor()}
	kind, _ := f.Token("kind")
	rule.Kind = models.RuleKind(kind)
	rule.FromDate, _ = f.Date("from")
	rule.Value, _ = f.Token("value")
	rule.Source, _ = f.Line("source")
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		if err := dunning.SetRule(ctx, tx, s.cfg.Rules, rule); err != nil {
			return nil, err
		}
		rules, err := s.rules(ctx, tx, rq)
		if err != nil {
			return nil, err
		}
		return dunningRulesOf(rules, rq.creditor.Policy, rq.today()), nil
	}, nil
}

// ruleReader reads the figures that were set. The database is one, and so is a transaction.
type ruleReader interface {
	DunningRules(ctx context.Context, creditorID int64) ([]models.DunningRule, error)
}

// rules returns the figures of the law for the request's creditor.
func (s *Server) rules(ctx context.Context, from ruleReader, rq *request) (*law.Rules, error) {
	return dunning.RulesFor(ctx, s.cfg.Rules, from, rq.creditor.ID)
}
