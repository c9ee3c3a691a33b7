package api

import (
	"context"
	"encoding/xml"
	"strings"

	"purr/models"
	"purr/store"
	"purr/unmatched"
)

// unmatchedPaymentXML is money that waits for a person, or waited (rule E5).
type unmatchedPaymentXML struct {
	XMLName     xml.Name               `xml:"unmatched_payment"`
	URI         string                 `xml:"uri,attr"`
	Status      string                 `xml:"status,attr"`
	Amount      models.Amount          `xml:"amount"`
	Date        models.Date            `xml:"transaction_date"`
	KID         string                 `xml:"kid"`
	FromAccount string                 `xml:"from_account_number"`
	PayerName   string                 `xml:"payer_name,omitempty"`
	Text        string                 `xml:"text"`
	PaymentFile link                   `xml:"payment_file"`
	Reason      models.UnmatchedReason `xml:"reason"`
	Entries     []link                 `xml:"ar_transaction"`
	Comment     string                 `xml:"comment,omitempty"`
	Suggestions *suggestionsXML        `xml:"suggestions"`
}

// suggestionsXML is what a payment that is open may be meant for. Lists are without.
type suggestionsXML struct {
	Suggestions []suggestionXML `xml:"suggestion"`
}

type suggestionXML struct {
	Rank     int    `xml:"rank,attr"`   // from 1, the best
	Reason   string `xml:"reason,attr"` // hints with blanks between, the weightiest first
	Customer link   `xml:"customer"`
	Invoices []link `xml:"invoice"`
}

func (rq *request) unmatchedPayment(u models.UnmatchedPayment) unmatchedPaymentXML {
	x := unmatchedPaymentXML{
		URI: rq.uri("unmatched_payment", u.ID), Status: u.Status, Amount: u.Amount, Date: u.TransactionDate, KID: u.KID,
		FromAccount: u.FromAccountNumber, PayerName: u.PayerName, Text: u.Text, PaymentFile: link{rq.uri("payment_file", u.PaymentFileID)}, Reason: u.Reason,
		Comment: u.Comment,
	}
	for _, id := range u.EntryIDs() {
		x.Entries = append(x.Entries, link{rq.uri("ar_transaction", id)})
	}
	return x
}

func (s *Server) listUnmatchedPayments(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	open, resolved := true, true
	switch status, sent := q.text("status"); {
	case !sent || status == "all":
	case status == "open":
		resolved = false
	case status == "resolved":
		open = false
	default:
		q.fault("unknown_status", "status", "must be open, resolved or all")
	}
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, total, err := s.db.UnmatchedPayments(ctx, rq.creditor.ID, open, resolved, p)
	if err != nil {
		return answer{}, err
	}
	return listed("unmatched_payments", p, found, total, rq.unmatchedPayment)
}

func showUnmatchedPayment(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	u, err := v.UnmatchedPayment(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	return rq.unmatchedPaymentDetail(ctx, v, u)
}

// unmatchedPaymentDetail is an unmatched payment with what it may be meant for, where it is open.
func (rq *request) unmatchedPaymentDetail(ctx context.Context, v store.View, u models.UnmatchedPayment) (unmatchedPaymentXML, error) {
	x := rq.unmatchedPayment(u)
	if u.Status != models.PaymentOpen {
		return x, nil
	}
	found, err := unmatched.Suggest(ctx, v, rq.creditor, u)
	x.Suggestions = &suggestionsXML{}
	for n, s := range found {
		shown := suggestionXML{Rank: n + 1, Customer: link{rq.uri("customer", s.CustomerID)}}
		for _, hint := range s.Reasons {
			shown.Reason = strings.TrimSpace(shown.Reason + " " + string(hint))
		}
		for _, i := range s.Invoices {
			shown.Invoices = append(shown.Invoices, link{rq.uri("invoice", i.ID)})
		}
		x.Suggestions.Suggestions = append(x.Suggestions.Suggestions, shown)
	}
	return x, err
}
