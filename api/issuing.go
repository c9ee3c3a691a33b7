package api

import (
	"context"
	"errors"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// issuedTogether is how many invoices are issued with one transaction at most.
const issuedTogether = 64

// issuance is an invoice that a request waits for.
type issuance struct {
	rq     *request
	order  billing.Order
	key    *store.Answer // the request's Idempotency-Key, nil where it has none
	answer answer
	err    error // of this request alone
}

// createInvoice issues an invoice, together with those that other requests of the creditor ask for meanwhile:
// while a number is taken and not committed the next one cannot be (rule D18), so what is asked for at the
// same time shares the wait.
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

// issue issues the invoices that a creditor's requests ask for, each together with the answer that is kept
// for its Idempotency-Key (rule D9).
func (s *Server) issue(ctx context.Context, tx *store.Tx, asked []*issuance) error {
	creditor, err := tx.Creditor(ctx, asked[0].rq.creditor.ID) // as it is now, not as the first of them saw it
	if err != nil {
		return err
	}
	var fresh []*issuance
	var orders []billing.Order
	for _, a := range asked {
		a.answer, a.err = answer{}, nil
		isFresh, err := a.claim(ctx, tx)
		if err != nil {
			return err
		}
		if isFresh {
			fresh, orders = append(fresh, a), append(orders, a.order)
		}
	}
	issued, err := billing.Issue(ctx, tx, creditor, orders)
	if err != nil {
		return err
	}
	for i, a := range fresh {
		if err := a.finish(ctx, tx, issued[i]); err != nil {
			return err
		}
	}
	return nil
}

// claim claims the request's Idempotency-Key, and reports false where the request has its answer already.
func (a *issuance) claim(ctx context.Context, tx *store.Tx) (fresh bool, err error) {
	if a.key == nil {
		return true, nil
	}
	requestHash := a.key.RequestHash
	kept := *a.key
	fresh, err = tx.ClaimAnswer(ctx, &kept)
	if errors.Is(err, store.ErrInProgress) {
		a.err = err
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !fresh {
		a.answer, a.err = replay(kept, requestHash)
	}
	a.key.ID = kept.ID
	return fresh, nil
}

// finish answers with what became of the order, and keeps the answer. A refusal is an answer too.
func (a *issuance) finish(ctx context.Context, tx *store.Tx, made billing.Issued) error {
	if made.Err != nil {
		a.answer = problem(a.rq, made.Err)
	} else {
		shown := a.rq.newInvoiceDetail(made.Invoice, made.Lines, made.Shipments, []models.Entry{made.Entry})
		var err error
		if a.answer, err = createdDocument(shown.URI, shown, made.Invoice.Document()); err != nil {
			return err
		}
	}
	if a.key == nil {
		return nil
	}
	kept := *a.key
	kept.Status, kept.Location, kept.Body = a.answer.status, a.answer.location, string(a.answer.body)
	return tx.FinishAnswer(ctx, kept)
}
