package api

import (
	"context"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// issuedTogether is how many invoices are issued with one transaction at most.
const issuedTogether = 64

// issuance is a request that waits for its invoice.
type issuance struct {
	rq       *request
	order    billing.InvoiceRequest
	key      *store.Answer      // the request's Idempotency-Key, nil where it has none
	reserved *store.Reservation // the key's reservation
	answer   answer
	err      error // of this request alone
}

// createInvoice issues an invoice and sends it. Invoices that other requests of the creditor ask for meanwhile are issued with it:
// the next number cannot be taken before the last one is committed (rule D18), so they share the wait.
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

// issue issues the invoices that a creditor's requests ask for, and keeps the answers for their Idempotency-Keys
// (rule D9).
func (s *Server) issue(ctx context.Context, tx *store.Tx, asked []*issuance) error {
	creditor, err := tx.Creditor(ctx, asked[0].rq.creditor.ID) // as it is now, not as the first request saw it
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

// reserve reserves the requests' Idempotency-Keys, and returns the requests that have no answer yet.
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

// finish answers with the invoice, or with the refusal of the order.
func (a *issuance) finish(made billing.Issued) error {
	var err error
	if made.Err != nil {
		a.answer = problem(a.rq, made.Err)
	} else {
		shown := a.rq.newInvoiceDetail(made.Invoice, made.Lines, made.Shipments, []models.Entry{made.Entry})
		a.answer, err = createdDocument(shown.URI, shown, made.Invoice.Document())
	}
	return err
}
