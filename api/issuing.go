package api

import (
	"context"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// issuedTogether is the most invoices that one transaction issues.
const issuedTogether = 64

// issuance is a request that waits for its invoice.
type issuance struct {
	rq       *request
	order    billing.InvoiceRequest
	key      *store.Answer      // the request's Idempotency-Key, nil if it has none
	reserved *store.Reservation // the key's reservation
	answer   answer
	err      error // concerns this request alone
}

// createInvoice issues an invoice and sends it. One transaction also issues the invoices that other requests of the
// creditor ask for at the same time. They would wait for each other anyhow: the next number is free only after the
// last one is committed (rule D18).
func (s *Server) createInvoice(ctx context.Context, rq *request, body []byte, key *store.Answer) (answer, error) {
	order, err := s.readOrder(ctx, rq, body)
	if err != nil {
		return answer{}, err
	}
	wanted := &issuance{rq: rq, order: order, key: key}
	if err := s.issuing.Do(ctx, rq.creditor.ID, wanted); err != nil {
		return answer{}, err
	}
	return wanted.answer, wanted.err
}

// issue issues the invoices that requests of one creditor ask for. It stores the answers for their Idempotency-Keys
// (rule D9).
func (s *Server) issue(ctx context.Context, tx *store.Tx, asked []*issuance) error {
	creditor, err := tx.Creditor(ctx, asked[0].rq.creditor.ID) // read again: it may have changed since the first request
	if err != nil {
		return err
	}
	fresh, err := reserve(ctx, tx, asked)
	if err != nil {
		return err
	}
	orders := make([]billing.InvoiceRequest, len(fresh))
	for i, a := range fresh {
		orders[i] = a.order
	}
	issued, err := billing.Issue(ctx, tx, creditor, orders)
	if err != nil {
		return err
	}
	var answers []store.Answer
	for i, a := range fresh {
		if err := a.finish(issued[i]); err != nil {
			return err
		}
		if a.reserved != nil {
			kept := a.reserved.Answer
			kept.Status, kept.Location, kept.Body = a.answer.status, a.answer.location, string(a.answer.body)
			answers = append(answers, kept)
		}
	}
	return tx.FinishAnswers(ctx, answers)
}

// reserve reserves the requests' Idempotency-Keys. It returns the requests that have no answer yet.
func reserve(ctx context.Context, tx *store.Tx, asked []*issuance) (fresh []*issuance, err error) {
	var claims []*store.Reservation
	for _, a := range asked {
		a.answer, a.err = answer{}, nil
		if a.key != nil {
			a.reserved = &store.Reservation{Answer: *a.key}
			claims = append(claims, a.reserved)
		}
	}
	if err := tx.ReserveKeys(ctx, claims); err != nil {
		return nil, err
	}
	for _, a := range asked {
		switch c := a.reserved; {
		case c == nil || c.Fresh:
			fresh = append(fresh, a)
		case c.Err != nil:
			a.err = c.Err
		default:
			a.answer, a.err = replay(c.Answer, a.key.RequestHash)
		}
	}
	return fresh, nil
}

// finish answers with the invoice, or with the refusal of the request.
func (a *issuance) finish(made billing.Issued) error {
	var err error
	if made.Err != nil {
		a.answer = problem(a.rq, made.Err)
	} else {
		shown := a.rq.newInvoiceDetail(made.Invoice, made.Lines, made.Shipments, []models.Entry{made.Entry})
		a.answer, err = a.rq.createdDocument(shown.URI, shown, made.Invoice.Document())
	}
	return err
}
