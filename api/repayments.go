package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// repaymentXML is free credit that a customer is paid back (rule N12).
type repaymentXML struct {
	XMLName   xml.Name              `xml:"repayment"`
	URI       string                `xml:"uri,attr"`
	Status    models.RepaymentState `xml:"status,attr"`
	Customer  link                  `xml:"customer"`
	Amount    models.Amount         `xml:"amount"`
	Account   string                `xml:"account"`
	EndToEnd  string                `xml:"end_to_end_id"`
	File      *link                 `xml:"repayment_file"`
	PaidOn    models.Date           `xml:"paid_on,omitempty"`
	OrderedBy string                `xml:"ordered_by"`
	CreatedAt string                `xml:"created_at"`
}

func (rq *request) repayment(r models.Repayment) repaymentXML {
	x := repaymentXML{
		URI: rq.uri("repayment", r.ID), Status: r.State, Customer: link{rq.uri("customer", r.CustomerID)}, Amount: r.Amount, Account: r.Account,
		EndToEnd: ledger.EndToEndID(r), PaidOn: r.PaidOn, OrderedBy: r.OrderedBy, CreatedAt: rq.stamp(r.CreatedAt),
	}
	if r.FileID != 0 {
		x.File = &link{rq.uri("repayment_file", r.FileID)}
	}
	return x
}

// listRepayments lists the repayments.
func (s *Server) listRepayments(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.RepaymentFilter{CustomerID: rq.customerID}
	if text, sent := q.text("status"); sent {
		var known bool
		if f.State, known = models.ParseRepaymentState(text); !known {
			q.fault("unknown_status", "status", "must be waiting, in_file, paid, withdrawn or stopped")
		}
	}
	return listed("repayments", q, rq.repayment, func(p store.Page) ([]models.Repayment, int64, error) {
		return s.db.Repayments(ctx, rq.creditor.ID, f, p)
	})
}

// orderRepayment has free credit of the customer in the path paid back (rule N12).
func orderRepayment(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
	f, err := rq.parse(body, "repayment", repaymentXML{})
	if err != nil {
		return nil, err
	}
	o := ledger.RepaymentOrder{Actor: rq.actor()}
	f.Require("amount", "account")
	o.Amount, _ = f.Amount("amount")
	o.Account, _ = f.Token("account")
	if err := f.Done(o.Validate(rq.creditor)); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		r, err := ledger.OrderRepayment(ctx, tx, rq.creditor, id, o)
		if err != nil {
			return answer{}, err
		}
		shown := rq.repayment(r)
		return rq.created(shown.URI, shown)
	}, nil
}

// withdrawRepayment takes a repayment back that is in no file yet.
func withdrawRepayment(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	_, err := ledger.WithdrawRepayment(ctx, tx, rq.creditor.ID, id, rq.actor())
	return err
}
