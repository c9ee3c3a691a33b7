package api

import (
	"context"
	"fmt"
	"net/http"

	"purr/models"
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
