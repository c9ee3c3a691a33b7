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

func (rq *request) eventFilter() store.EventFilter {
	return store.EventFilter{Type: models.EventType(rq.query("type")), Actor: rq.query("by")}
}

func (s *Server) logPage(ctx context.Context, rq *request) (reply, error) {
	p := &logPage{view: rq.view("log.title")}
	f := rq.eventFilter()
	p.Lead = rq.words.SayHTML("log.lead")
	var what []string
	if f.Type != "" {
		what = append(what, rq.words.KindOfEvent(f.Type))
	}
	if f.Actor != "" {
		what = append(what, rq.words.Say("log.lead_by", "who", rq.words.Actor(f.Actor)))
	}
	if len(what) > 0 {
		p.Lead = rq.words.SayHTML("log.lead_narrow", "what", strings.Join(what, ", "))
	}
	before, err := afterIn(rq, false)
	if err != nil {
		return reply{}, err
	}
	events, err := s.db.NewestEvents(ctx, rq.creditor.ID, f, before.ID, perPage+1)
	if err != nil {
		return reply{}, err
	}
	for _, e := range onPage(events, &p.Pager, func(last models.Event) string { return p.With("after", toPath(last.ID)) }) {
		p.Events = append(p.Events, rq.words.Tell(e, rq.zone))
	}
	return show("log", p)
}

func (s *Server) logCSV(ctx context.Context, rq *request) (reply, error) {
	f, say := rq.eventFilter(), rq.words.Say
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
