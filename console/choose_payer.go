package console

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// payer is a customer who may have paid.
type payer struct {
	ID                int64
	Name, Place, Code string
	Why               string // in words; empty where the name says it
	Owed              models.Amount
	Known             bool // Owed is all that the customer owes
}

// suggest takes the customers of the suggestions.
func (p *choosePage) suggest(ctx context.Context, v store.View) error {
	best, err := unmatched.Suggest(ctx, v, p.Creditor, p.Payment)
	if err != nil {
		return err
	}
	for _, s := range best {
		var why []string
		for _, h := range s.Reasons {
			why = append(why, p.rq.words.Say("hint."+string(h)))
		}
		to := s.Invoices[0].Recipient
		p.add(payer{ID: s.CustomerID, Name: to.Name1, Place: to.PostalName, Code: to.CustomerNumber, Why: strings.Join(why, " · ")})
	}
	return nil
}

// find takes the customers that a search finds (rule N3), and those of what else it finds: first of all of invoices.
func (p *choosePage) find(ctx context.Context, v store.View) error {
	if utf8.RuneCountInString(p.Sought) > models.MaxQuery {
		return models.Malformed("too_long", "payer", "must have at most %d characters", models.MaxQuery)
	}
	q := models.ReadQuery(p.Sought)
	if len(q.Kinds) == 0 {
		q.Kinds = []models.HitKind{models.HitCustomer, models.HitInvoice}
	}
	found, err := v.Search(ctx, p.Creditor.ID, q)
	if err != nil {
		return err
	}
	for _, kind := range models.HitKinds {
		for _, h := range found.Hits[kind] {
			one := payer{ID: h.CustomerID, Name: h.Name1, Place: h.Place}
			if kind == models.HitCustomer {
				one.Code, one.Owed, one.Known = h.Code, h.Balance, true
			} else if h.Number != 0 {
				one.Why = p.rq.words.Say("fact.invoice", "number", toPath(h.Number))
			}
			p.add(one)
		}
		p.More = p.More || found.More[kind]
	}
	return nil
}

// add adds a payer, each once.
func (p *choosePage) add(one payer) {
	if one.ID != 0 && !slices.ContainsFunc(p.Payers, func(o payer) bool { return o.ID == one.ID }) {
		p.Payers = append(p.Payers, one)
	}
}
