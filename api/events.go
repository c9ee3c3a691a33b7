package api

import (
	"context"

	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
)

// listEvents lists what happened (rule E7).
func (s *Server) listEvents(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	after := q.id("after")
	return listed("events", q, rq.event, func(p store.Page) ([]models.Event, int64, error) {
		return s.db.EventPage(ctx, rq.creditor.ID, after, p)
	})
}

// event returns an event in the form that webhooks get too.
func (rq *request) event(e models.Event) webhook.Event {
	return webhook.EventOf(e, rq.base, rq.creditor)
}
