package api

import (
	"context"

	"purr/models"
	"purr/webhook"
)

// listEvents lists the audit log (rule E7).
func (s *Server) listEvents(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	after := q.id("after")
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, total, err := s.db.EventPage(ctx, rq.creditor.ID, after, p)
	if err != nil {
		return answer{}, err
	}
	return listed("events", p, found, total, rq.event)
}

// event shows an event as it is posted to webhooks too.
func (rq *request) event(e models.Event) webhook.Event { return webhook.EventOf(e, rq.base, rq.zone) }
