package api

import (
	"context"
	"slices"

	"purr/api/form"
	"purr/api/once"
	"purr/billing"
	"purr/models"
	"purr/store"
)

// issuedTogether is the most invoices that one transaction issues.
const issuedTogether = 64

// issuance is a request that waits for its invoice.
type issuance struct {
	act    once.Act
	rq     *request
	order  billing.InvoiceRequest
	answer answer
}

// createInvoice issues an invoice and sends it. One transaction also issues the invoices that other requests of the
// creditor ask for at the same time. They would wait for each other anyhow: the next number is free only after the
// last one is committed (rule D18).
func (s *Server) createInvoice(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
	order, err := s.readOrder(ctx, rq, body)
	if err != nil {
		return answer{}, err
	}
	wanted := &issuance{act: once.Act{Key: key}, rq: rq, order: order}
	if err := s.issuing.Do(ctx, rq.creditor.ID, wanted); err != nil {
		return answer{}, err
	}
	return wanted.answer.unless(wanted.act.Answer, wanted.act.Fresh, wanted.act.Err)
}

// issue issues the invoices that requests of one creditor ask for. It stores the answers for their Idempotency-Keys
// (rule D9).
func (s *Server) issue(ctx context.Context, tx *store.Tx, asked []*issuance) error {
	creditor, err := tx.Creditor(ctx, asked[0].rq.creditor.ID) // read again: it may have changed since the first request
	if err != nil {
		return err
	}
	acts := make([]*once.Act, len(asked))
	for i, a := range asked {
		acts[i] = &a.act
	}
	if err := once.Begin(ctx, tx, acts...); err != nil {
		return err
	}
	fresh := slices.DeleteFunc(slices.Clone(asked), func(a *issuance) bool { return !a.act.Fresh })
	orders := make([]billing.InvoiceRequest, len(fresh))
	for i, a := range fresh {
		orders[i] = a.order
	}
	issued, err := billing.Issue(ctx, tx, creditor, orders)
	if err != nil {
		return err
	}
	for i, a := range fresh {
		if err := a.finish(issued[i]); err != nil {
			return err
		}
	}
	return once.Finish(ctx, tx, acts...)
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
	a.act.Answer = a.answer.toKeep()
	return err
}
