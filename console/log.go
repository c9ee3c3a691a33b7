package console

import (
	"context"
	"slices"
	"strings"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

func (s *Server) logRoutes() []route {
	return []route{
		{path: "/c/{creditor}/log", area: "log", get: s.logPage, csv: s.logCSV},
	}
}

// logPage shows who did what, newest first (rule O8).
type logPage struct {
	view
	Events []locale.Told
	Pager  pager
}

// Types returns the field that narrows the log to a type of event.
func (p *logPage) Types() input {
	in := p.Select("type", "log.type", p.Asked("type"), "", "log.any")
	for _, f := range models.EventFacts {
		if f.Type != models.EventPaymentReceived { // which is written by nobody
			in.Options = append(in.Options, option{string(f.Type), p.rq.words.KindOfEvent(f.Type), string(f.Type) == p.Asked("type")})
		}
	}
	slices.SortFunc(in.Options[1:], func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return in
}

// eventFilter reads what narrows the log. By names an actor as the column shows it, or as it stands in the event.
func (s *Server) eventFilter(ctx context.Context, rq *request) (f store.EventFilter, err error) {
	f.Type = models.EventType(rq.query("type"))
	by := rq.query("by")
	if by == "" {
		return f, nil
	}
	f.Actors = append(f.Actors, by)
	if stored, is := rq.words.CommandLineActor(by); is {
		f.Actors = append(f.Actors, stored)
	}
	keys, err := s.db.Keys(ctx, rq.creditor.ID)
	if err != nil {
		return f, err
	}
	for _, k := range keys {
		for _, actor := range []string{k.Actor(), models.ActorAtConsole + k.Actor()} {
			if rq.words.Actor(actor) == by {
				f.Actors = append(f.Actors, actor)
			}
		}
	}
	return f, nil
}

func (s *Server) logPage(ctx context.Context, rq *request) (reply, error) {
	p := &logPage{view: rq.view("log.title")}
	f, err := s.eventFilter(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	var what []string
	if f.Type != "" {
		what = append(what, rq.words.KindOfEvent(f.Type))
	}
	if by := rq.query("by"); by != "" {
		what = append(what, rq.words.Say("log.lead_by", "who", rq.words.Actor(by)))
	}
	before, err := afterIn(rq, false)
	if err != nil {
		return reply{}, err
	}
	events, err := s.db.NewestEvents(ctx, rq.creditor.ID, f, before.ID, perPage+1)
	if err != nil {
		return reply{}, err
	}
	n, all, err := s.db.ListedEvents(ctx, rq.creditor.ID, f)
	if err != nil {
		return reply{}, err
	}
	if p.Lead = rq.numbered("log.lead", "log.lead_many", n, all); len(what) > 0 {
		p.Lead = rq.numbered("log.lead_narrow", "log.lead_narrow_many", n, all, "what", strings.Join(what, ", "))
	}
	for _, e := range onPage(events, &p.Pager, func(last models.Event) string { return p.With("after", toPath(last.ID)) }) {
		p.Events = append(p.Events, rq.words.Tell(e, rq.zone))
	}
	return show("log", p)
}

func (s *Server) logCSV(ctx context.Context, rq *request) (reply, error) {
	f, err := s.eventFilter(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	say := rq.words.Say
	header := []string{"id", say("log.when"), say("log.type"), say("log.invoice"), say("log.what"), say("log.comment"), say("log.who")}
	return rq.csv("log", header, func(write func(...any) error) error {
		for before := int64(0); ; {
			events, err := s.db.NewestEvents(ctx, rq.creditor.ID, f, before, 500)
			if err != nil || len(events) == 0 {
				return err
			}
			for _, e := range events {
				t := rq.words.Tell(e, rq.zone)
				if err := write(e.ID, e.At.In(rq.zone).Format("2006-01-02 15:04:05"), string(e.Type), t.Invoice, plainText(t.Text), t.Comment, t.Actor); err != nil {
					return err
				}
				before = e.ID
			}
		}
	})
}
