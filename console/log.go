package console

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/store"
)

func (s *Server) logRoutes() []route {
	return []route{
		{path: "/c/{creditor}/log", area: "log", get: s.logPage},
		{path: "/c/{creditor}/log.csv", get: s.logCSV, long: true},
	}
}

// logPage shows who did what, newest first (rule O8).
type logPage struct {
	view
	Events []told
	Pager  pager
}

// Types returns the field that narrows the log to a type of event.
func (p *logPage) Types() input {
	in := p.Select("type", "log.type", p.Asked("type"), "", "log.any")
	for _, f := range models.EventFacts {
		if f.Type != models.EventPaymentReceived { // which is written by nobody
			in.Options = append(in.Options, option{string(f.Type), p.rq.kindOfEvent(f.Type), string(f.Type) == p.Asked("type")})
		}
	}
	slices.SortFunc(in.Options[1:], func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return in
}

// kindOfEvent returns the name of a type of event, or the type itself.
func (rq *request) kindOfEvent(t models.EventType) string {
	if name := "kind." + string(t); rq.words.knows(name) {
		return rq.words.say(name)
	}
	return string(t)
}

func (rq *request) eventFilter() store.EventFilter {
	return store.EventFilter{Type: models.EventType(rq.query("type")), Actor: rq.query("by")}
}

func (s *Server) logPage(ctx context.Context, rq *request) (reply, error) {
	p := &logPage{view: rq.view("log.title")}
	f := rq.eventFilter()
	p.Lead = rq.words.sayHTML("log.lead")
	var what []string
	if f.Type != "" {
		what = append(what, rq.kindOfEvent(f.Type))
	}
	if f.Actor != "" {
		what = append(what, rq.words.say("log.lead_by", "who", f.Actor))
	}
	if len(what) > 0 {
		p.Lead = rq.words.sayHTML("log.lead_narrow", "what", strings.Join(what, ", "))
	}
	before, err := afterIn(rq, false)
	if err != nil {
		return reply{}, err
	}
	events, err := s.db.NewestEvents(ctx, rq.creditor.ID, f, before.ID, perPage+1)
	if err != nil {
		return reply{}, err
	}
	if len(events) > perPage {
		events = events[:perPage]
		p.Pager.Next = p.With("after", strconv.FormatInt(events[perPage-1].ID, 10))
	}
	for _, e := range events {
		p.Events = append(p.Events, rq.tell(e))
	}
	return show("log", p)
}

func (s *Server) logCSV(ctx context.Context, rq *request) (reply, error) {
	f, say := rq.eventFilter(), rq.words.say
	header := []string{"id", say("log.when"), say("log.type"), say("log.invoice"), say("log.what"), say("log.comment"), say("log.who")}
	return rq.csv("log", header, func(write func(...any) error) error {
		for before := int64(0); ; {
			events, err := s.db.NewestEvents(ctx, rq.creditor.ID, f, before, 500)
			if err != nil || len(events) == 0 {
				return err
			}
			for _, e := range events {
				t := rq.tell(e)
				if err := write(e.ID, e.At.In(rq.zone).Format("2006-01-02 15:04:05"), string(e.Type), t.Invoice, plainText(t.Text), t.Comment, e.Actor); err != nil {
					return err
				}
				before = e.ID
			}
		}
	})
}
