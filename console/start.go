package console

import (
	"context"

	"purr/console/outlook"
	"purr/models"
	"purr/store"
)

// startPage leads through what a new creditor needs before its first invoice.
type startPage struct {
	view
	Steps   []startStep
	Presets []models.Preset
	Old     int // how many invoices that exist would get a letter under the recommended policy
	Days    int
}

// startStep is one of the steps: its name in the catalogue, where it is done, and whether it is done.
type startStep struct {
	Name, Path string
	Done       bool
}

func (s *Server) startPage(ctx context.Context, rq *request) (reply, error) {
	c := rq.creditor
	p := &startPage{view: rq.view("start.title"), Presets: models.Presets, Days: outlook.SwitchingDays}
	_, invoices, err := s.db.Invoices(ctx, c.ID, store.InvoiceFilter{Today: rq.today()}, store.Page{Number: 1, Size: 1})
	if err != nil {
		return reply{}, err
	}
	who := c.Name != models.UnnamedCreditor && c.OrganisationNumber != "" && c.Address1 != "" && c.PostalCode != "" && c.PostalName != "" && c.Email+c.Phone != ""
	p.Steps = []startStep{
		{"who", "settings/creditor", who},
		{"bank", "settings/creditor", c.BankAccount != ""},
		{"vat", "settings/vat", c.VATKnown || c.VATRegistered},
		{"policy", "settings/policy", c.Policy.Enabled},
		{"invoice", "invoices/new", invoices > 0},
	}
	if invoices > 0 && !c.Policy.Enabled {
		backlog, err := s.switchingOn(ctx, c, &p.view, models.Recommended)
		if err != nil {
			return reply{}, err
		}
		for _, b := range backlog {
			p.Old += b.Written
		}
	}
	p.Lead = rq.words.SayHTML("start.lead")
	return show("start", p)
}

// tour leads through what the demo has to show.
type tour struct {
	Day   int // since the demo began
	Stops []link
}

// Tour returns the bar of the demo, and nil elsewhere.
func (v *view) Tour() *tour {
	if !v.rq.s.cfg.Tour || v.Base == "" || v.rq.zone == nil {
		return nil
	}
	t := &tour{Day: int(v.rq.today()-models.DateOf(v.Creditor.CreatedAt.In(v.rq.zone))) + 1}
	for _, stop := range []struct{ name, path string }{
		{"tour.today", "today"},
		{"tour.bank", "bank"},
		{"tour.invoice", "invoices?status=overdue"},
		{"tour.forecast", "dunning/forecast?with=gentle&with=firm"},
		{"tour.money", "money"},
		{"tour.clock", "clock"},
	} {
		t.Stops = append(t.Stops, link{Label: v.rq.words.Say(stop.name), Path: v.Base + "/" + stop.path})
	}
	return t
}
