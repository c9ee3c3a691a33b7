package api

import (
	"context"
	"encoding/xml"
	"unicode/utf8"

	"purr/models"
)

// searchXML is what a search finds: by kind, the best of each first (rule N3).
type searchXML struct {
	XMLName xml.Name `xml:"search"`
	Query   string   `xml:"q,attr"`
	More    string   `xml:"more,attr,omitempty"` // 1 if there are more of some kind
	Hits    []hitXML
}

// hitXML is one thing that a search finds. Its element has the name of its kind.
type hitXML struct {
	XMLName        xml.Name
	URI            string         `xml:"uri,attr"`
	Status         string         `xml:"status,attr,omitempty"`
	More           string         `xml:"more,attr,omitempty"` // 1 on the last of its kind if there are more
	InvoiceNumber  int64          `xml:"invoice_number,omitempty"`
	Name1          string         `xml:"name1,omitempty"`
	Name2          string         `xml:"name2,omitempty"`
	PostalName     string         `xml:"postal_name,omitempty"`
	Email          string         `xml:"email,omitempty"`
	CustomerNumber string         `xml:"customer_number,omitempty"`
	KID            string         `xml:"kid,omitempty"`
	FromAccount    string         `xml:"from_account_number,omitempty"`
	Method         string         `xml:"shipment_method,omitempty"`
	Text           string         `xml:"text,omitempty"`
	Date           *models.Date   `xml:"date"`
	DueDate        *models.Date   `xml:"due_date"`
	Amount         *models.Amount `xml:"amount"`
	Balance        *models.Amount `xml:"balance"`
	Customer       *link          `xml:"customer"`
}

// search finds what the creditor has by a number, a sum or a name.
func (s *Server) search(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	text := q.line("q")
	switch {
	case text == "":
		q.fault("required", "q", "must say what is sought")
	case utf8.RuneCountInString(text) > models.MaxQuery:
		q.fault("too_long", "q", "must have at most 100 characters")
	}
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, err := s.db.Search(ctx, rq.creditor.ID, models.ReadQuery(text))
	if err != nil {
		return answer{}, err
	}
	shown := searchXML{Query: text}
	for _, kind := range models.HitKinds {
		for _, h := range found.Hits[kind] {
			shown.Hits = append(shown.Hits, rq.hit(h))
		}
		if found.More[kind] {
			shown.More, shown.Hits[len(shown.Hits)-1].More = "1", "1"
		}
	}
	return rq.ok(shown)
}

// hit shows one thing that was found.
func (rq *request) hit(h models.Hit) hitXML {
	shown := hitXML{
		XMLName: xml.Name{Local: string(h.Kind)}, URI: rq.uri(string(h.Kind), h.ID), Status: h.Status(rq.today()), InvoiceNumber: h.Number,
		Name1: h.Name1, Name2: h.Name2, PostalName: h.Place, Text: h.Text,
	}
	if h.Date != 0 {
		shown.Date = &h.Date
	}
	if h.DueDate != 0 {
		shown.DueDate = &h.DueDate
	}
	switch h.Kind {
	case models.HitCustomer:
		shown.CustomerNumber, shown.Email, shown.Balance = h.Code, h.Account, &h.Balance
		return shown
	case models.HitInvoice, models.HitCreditNote, models.HitNotice:
		shown.KID, shown.Amount, shown.Balance = h.Code, &h.Amount, &h.Balance
	case models.HitUnmatched, models.HitPayment:
		shown.KID, shown.FromAccount, shown.Amount = h.Code, h.Account, &h.Amount
	case models.HitLetter:
		shown.Method, shown.Email = h.Code, h.Account
	}
	if h.CustomerID != 0 {
		shown.Customer = &link{URI: rq.uri("customer", h.CustomerID)}
	}
	return shown
}
