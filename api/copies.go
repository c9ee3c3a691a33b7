package api

import (
	"context"

	"purr/api/form"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// sendCopy is the handler that has a copy sent of the document in the path, which is of a kind (rule N4). The answer is the shipment.
func (s *Server) sendCopy(kind models.DocumentKind) handler {
	return s.once(func(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
		asked, err := readCopyRequest(body)
		if err != nil {
			return nil, err
		}
		asked.Actor = rq.actor()
		return func(ctx context.Context, tx *store.Tx) (answer, error) {
			sent, err := shipments.SendCopy(ctx, tx, rq.creditor.ID, models.Document{Kind: kind, ID: id}, asked)
			if err != nil {
				return answer{}, err
			}
			shown, err := rq.shipmentDetail(ctx, tx.View(), sent)
			if err != nil {
				return answer{}, err
			}
			return rq.createdDocument(shown.URI, shown, sent.Document())
		}, nil
	})
}

// readCopyRequest reads how a copy is sent.
func readCopyRequest(body form.Body) (asked shipments.CopyRequest, err error) {
	f, err := form.Parse(body, "copy")
	if err != nil {
		return asked, err
	}
	method, _ := f.Token("shipment_method")
	asked.Method = models.ShipmentMethod(method)
	asked.Email, _ = f.Token("email")
	asked.Save, _ = f.Flag("save")
	return asked, f.Done(faultsOf(asked.Validate()))
}
