package api

import (
	"context"
	"fmt"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// collectionBundle shows the collection bundle of an invoice that is handed over, as a zip file. It fails with the
// conflict invoice_not_handed_over if the invoice is not.
func (s *Server) collectionBundle(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	invoice, err := s.db.Invoice(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	if invoice.HandedOver == 0 {
		return answer{}, models.Conflict("invoice_not_handed_over", "the invoice is not handed over to debt collection")
	}
	h, found, err := s.db.LastHandOver(ctx, invoice.ID)
	if err != nil {
		return answer{}, err
	}
	if !found {
		return answer{}, fmt.Errorf("invoice %d is handed over without a row that says so", invoice.ID)
	}
	bundle, err := s.cfg.Collection.Bundle(ctx, h)
	if err != nil {
		return answer{}, err
	}
	return file("application/zip", "attachment", bundle.Name, bundle.Content), nil
}

// handInvoiceOver hands the invoice in the path over to debt collection (rule E2), with force also while the deadline of
// its warning runs (rule L10).
func handInvoiceOver(rq *request, id int64, body form.Body) (act, error) {
	handOver := dunning.HandOverInvoice
	if !body.Empty() {
		f, err := form.Parse(body, "debt_collection")
		if err != nil {
			return nil, err
		}
		if force, _ := f.Flag("force"); force {
			handOver = dunning.ForceHandOver
		}
		if err := f.Done(nil); err != nil {
			return nil, err
		}
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return handOver(ctx, tx, rq.creditor, id, rq.actor())
	}), nil
}
