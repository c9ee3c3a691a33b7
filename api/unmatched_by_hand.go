package api

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/unmatched"
)

// matchPayment posts the unmatched payment in the path on one invoice or several (rule E5).
func (s *Server) matchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := parseForm(body, "match")
	if err != nil {
		return nil, err
	}
	uris := f.invoiceURIs()
	if err := f.done(nil); err != nil {
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
		return unmatched.Match(ctx, tx, rq.creditor, id, invoiceIDs, rq.actor())
	})
}

// maxMatched is how many invoices one payment can be matched with.
const maxMatched = 100

// invoiceURIs takes the invoices that a payment is to be matched with, of which there must be one at least.
func (f *form) invoiceURIs() (uris []string) {
	invoices := f.each("invoice")
	for _, invoice := range invoices {
		uri, sent := invoice.attr("uri")
		if !sent && len(invoices) > 1 {
			f.add("required", invoice.path(), "is required: the uri of an invoice")
		}
		if sent {
			uris = append(uris, uri)
		}
	}
	switch {
	case len(uris) == 0 && len(invoices) < 2:
		f.add("required", "invoice", "is required: the uri of an invoice")
	case len(uris) > maxMatched:
		f.add("out_of_range", "invoice", "must be %d at most", maxMatched)
	}
	return uris
}

// unmatchPayment takes back that the payment in the path was matched by hand.
func (s *Server) unmatchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	if err := parseEmptyForm(body, "unmatch"); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return unmatched.Unmatch(ctx, tx, rq.creditor, id, rq.actor())
	})
}

// dismissPayment closes the unmatched payment in the path without posting it (rule E5).
func (s *Server) dismissPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := parseForm(body, "dismiss")
	if err != nil {
		return nil, err
	}
	comment, _ := f.string("comment")
	if err := f.done(unmatched.ValidateDismissal(comment)); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return unmatched.Dismiss(ctx, tx, rq.creditor, id, comment, rq.actor())
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
