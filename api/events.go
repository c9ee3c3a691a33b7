package api

import (
	"context"
	"encoding/xml"

	"purr/models"
)

// eventItem is a line of the audit log (rule E7).
type eventItem struct {
	XMLName  xml.Name         `xml:"event"`
	ID       int64            `xml:"id,attr"`
	At       string           `xml:"at"`
	Type     models.EventType `xml:"type"`
	Invoice  *link            `xml:"invoice"`
	Customer *link            `xml:"customer"`
	Subject  int64            `xml:"subject_id"`
	Text     string           `xml:"text"`
	Data     string           `xml:"data,omitempty"`
}

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
	return listed("events", p, found, total, rq.eventItem)
}

func (rq *request) eventItem(e models.Event) eventItem {
	x := eventItem{ID: e.ID, At: rq.stamp(e.At), Type: e.Type, Subject: e.SubjectID, Text: e.Text, Data: e.Data}
	if e.InvoiceID != 0 {
		x.Invoice = &link{rq.uri("invoice", e.InvoiceID)}
	}
	if e.CustomerID != 0 {
		x.Customer = &link{rq.uri("customer", e.CustomerID)}
	}
	return x
}
