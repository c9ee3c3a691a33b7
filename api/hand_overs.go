package api

import (
	"context"
	"fmt"
	"net/http"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// collectionBundle answers with what the debt collector gets of the invoice in the path. It fails with the conflict
// invoice_not_handed_over.
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
	if err == nil && !found {
		err = fmt.Errorf("invoice %d is handed over without a row that says so", invoice.ID)
	}
	if err != nil {
		return answer{}, err
	}
	file, err := s.cfg.Collection.Bundle(ctx, h)
	if err != nil {
		return answer{}, err
	}
	header := http.Header{"Content-Disposition": {fmt.Sprintf(`attachment; filename="%s"`, file.Name)}}
	return answer{status: http.StatusOK, contentType: "application/zip", header: header, body: file.Content}, nil
}

// handInvoiceOver hands the invoice in the path over to debt collection (rule E2).
func (s *Server) handInvoiceOver(_ context.Context, rq *request, body []byte) (effect, error) {
	if err := form.ParseEmpty(body, "debt_collection"); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.HandOverInvoice(ctx, tx, rq.creditor, id, rq.actor())
	})
}
