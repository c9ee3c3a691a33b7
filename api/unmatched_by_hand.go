package api

import (
	"context"

	"purr/api/form"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// matchPayment posts the unmatched payment in the path on one invoice or several (rule E5).
func (s *Server) matchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := form.Parse(body, "match")
	if err != nil {
		return nil, err
	}
	uris := invoiceURIs(f)
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	invoiceIDs := make([]int64, len(uris))
	for n, uri := range uris {
		id, found := rq.idIn(uri, "invoice")
		if !found {
			return nil, models.NotFound("invoice")
		}
		invoiceIDs[n] = id
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return ocr.Match(ctx, tx, rq.creditor, id, invoiceIDs, rq.actor())
	})
}

// maxMatched is how many invoices one payment can be matched with.
const maxMatched = 100

// invoiceURIs takes the invoices that a payment is to be matched with, of which there must be one at least.
func invoiceURIs(f *form.Form) (uris []string) {
	invoices := f.Each("invoice")
	for _, invoice := range invoices {
		uri, sent := invoice.Attr("uri")
		if !sent && len(invoices) > 1 {
			invoice.Fault("", "required", "is required: the uri of an invoice")
		}
		if sent {
			uris = append(uris, uri)
		}
	}
	switch {
	case len(uris) == 0 && len(invoices) < 2:
		f.Fault("invoice", "required", "is required: the uri of an invoice")
	case len(uris) > maxMatched:
		f.Fault("invoice", "out_of_range", "must be %d at most", maxMatched)
	}
	return uris
}

// unmatchPayment takes back that the payment in the path was matched by hand.
func (s *Server) unmatchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	if err := form.ParseEmpty(body, "unmatch"); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return ocr.Unmatch(ctx, tx, rq.creditor, id, rq.actor())
	})
}

// dismissPayment closes the unmatched payment in the path without posting it (rule E5).
func (s *Server) dismissPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := form.Parse(body, "dismiss")
	if err != nil {
		return nil, err
	}
	comment, _ := f.Text("comment")
	if err := f.Done(ocr.ValidateDismissal(comment)); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return ocr.Dismiss(ctx, tx, rq.creditor, id, comment, rq.actor())
	})
}

// onPayment is the effect of an act on the unmatched payment in the path, which is answered with its detail.
func (rq *request) onPayment(do func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error)) (effect, error) {
	id, err := rq.pathID()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		u, err := do(ctx, tx, id)
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.unmatchedPaymentDetail(ctx, tx.View(), u)
		if err != nil {
			return answer{}, err
		}
		return ok(shown)
	}, nil
}
