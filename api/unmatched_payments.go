package api

import (
	"context"
	"encoding/xml"

	"purr/models"
	"purr/store"
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
	Text        string                 `xml:"text"`
	PaymentFile link                   `xml:"payment_file"`
	Reason      models.UnmatchedReason `xml:"reason"`
	Entry       *link                  `xml:"ar_transaction"`
	Comment     string                 `xml:"comment,omitempty"`
}

func (rq *request) unmatchedPayment(u models.UnmatchedPayment) unmatchedPaymentXML {
	x := unmatchedPaymentXML{
		URI: rq.uri("unmatched_payment", u.ID), Status: u.Status, Amount: u.Amount, Date: u.TransactionDate, KID: u.KID,
		FromAccount: u.FromAccountNumber, Text: u.Text, PaymentFile: link{rq.uri("payment_file", u.PaymentFileID)}, Reason: u.Reason,
		Comment: u.Comment,
	}
	if u.EntryID != 0 {
		x.Entry = &link{rq.uri("ar_transaction", u.EntryID)}
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
	return rq.unmatchedPayment(u), err
}
