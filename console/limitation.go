package console

import (
	"context"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// limitationRoutes are the form that sets the day on which a claim was acknowledged, its removal, and the list of the claims that lapse soon (rule
// L26).
func (s *Server) limitationRoutes() []route {
	const one = "/c/{creditor}/invoices/{number}/acknowledged"
	return []route{
		{path: one, area: "invoices", get: s.acknowledgedPage, post: s.acknowledge, scope: models.ScopeWrite},
		{path: one + "/remove", area: "invoices", post: s.removeAcknowledgement, again: s.invoicePage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/lapsing", area: "today", get: s.lapsingPage, csv: s.lapsingCSV},
	}
}

// acknowledgedPage asks for the day on which a claim was acknowledged, or taken to court.
type acknowledgedPage struct {
	view
	Invoice models.Invoice
	Today   models.Date
	Seen    models.Seen
}

func (s *Server) acknowledgedPage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	p := &acknowledgedPage{view: rq.view("lapse.title", "number", numberOf(i)), Invoice: i, Today: rq.today()}
	p.Lead = rq.words.SayHTML("lapse.lead", "customer", i.Recipient.Name1, "owed", i.Claimed(), "date", i.LapsesOn)
	if p.Seen, err = s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingAcknowledged, ID: i.ID}); err != nil {
		return reply{}, err
	}
	return show("acknowledged", p)
}

func (s *Server) acknowledge(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	a := models.Acknowledgement{Date: f.date("date")}
	if err := f.done(a.Validate(rq.today())); err != nil {
		return reply{}, err
	}
	return s.onAcknowledgement(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (message, error) {
		is, err := dunning.AcknowledgeInvoice(ctx, tx, rq.creditor, was.ID, a, rq.actor(), rq.seen())
		if err != nil {
			return message{}, err
		}
		return rq.undoable(rq.pathOf(was)+"/acknowledged/remove", "lapse.done", "number", numberOf(was), "date", is.LapsesOn), nil
	})
}

func (s *Server) removeAcknowledgement(ctx context.Context, rq *request) (reply, error) {
	return s.onAcknowledgement(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (message, error) {
		if err := dunning.RemoveAcknowledgement(ctx, tx, rq.creditor, was.ID, rq.actor(), rq.seen()); err != nil {
			return message{}, err
		}
		return rq.said("lapse.removed", "number", numberOf(was)), nil
	})
}

// onAcknowledgement does an act on the day that is set for the invoice in the path, which do gets locked, as it was. The Undo of its message sets
// the day again that was set before, if one was.
func (s *Server) onAcknowledgement(ctx context.Context, rq *request, do func(context.Context, *store.Tx, models.Invoice) (message, error)) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		said, err := do(ctx, tx, i)
		if err != nil {
			return done{}, err
		}
		if i.Acknowledged != 0 {
			said.Undo = rq.pathOf(i) + "/acknowledged"
			said = said.carrying("date", i.Acknowledged.String())
		}
		if said.Undo != "" {
			if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingAcknowledged, i.ID); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

// lapsingPage lists the claims that lapse soon, or have lapsed.
type lapsingPage struct {
	view
	Rows  []store.LapsingInvoice
	Today models.Date
	Pager pager
}

func (s *Server) lapsingPage(ctx context.Context, rq *request) (reply, error) {
	p := &lapsingPage{view: rq.view("lapse.list"), Today: rq.today()}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	err := s.db.View(ctx, func(v store.View) error {
		found, total, sum, err := v.InvoicesLapsing(ctx, rq.creditor.ID, p.Today+models.LapseNoticeDays, page)
		if err != nil {
			return err
		}
		p.Rows, p.Pager = found, p.pages(page, total)
		p.Lead = rq.words.SayHTML("lapse.list_lead", "n", total, "sum", sum)
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return show("lapsing", p)
}

func (s *Server) lapsingCSV(_ context.Context, rq *request) (reply, error) {
	header := rq.words.Header("invoices.number", "customers.id", "customers.name", "invoices.due", "lapse.acknowledged", "customers.owed", "lapse.on")
	return rq.csv("lapsing", header, func(write func(values ...any) error) error {
		for page := (store.Page{Number: 1, Size: csvBatch}); ; page.Number++ {
			found, total, _, err := s.db.InvoicesLapsing(rq.r.Context(), rq.creditor.ID, rq.today()+models.LapseNoticeDays, page)
			if err != nil {
				return err
			}
			for _, i := range found {
				if err := write(i.Number, i.CustomerID, i.Name1, i.DueDate, i.Acknowledged, i.Claimed(), i.LapsesOn); err != nil {
					return err
				}
			}
			if int64(page.Number) >= page.Pages(total) {
				return nil
			}
		}
	})
}

// claimsLapse returns that claims lapse soon, or have lapsed (rule L26).
func (rq *request) claimsLapse(told store.ForToday) []waits {
	if told.Lapses == 0 {
		return nil
	}
	say := rq.words.Say
	return []waits{{"triangle-alert", say("today.lapses", "n", told.Lapses), say("today.lapses_hint", "amount", told.Lapsing), say("today.see_lapses"), rq.base + "/lapsing", false}}
}
