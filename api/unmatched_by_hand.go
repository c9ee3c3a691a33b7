package api

import (
	"context"

	"purr/models"
	"purr/ocr"
	"purr/store"
)

// matchPayment posts the unmatched payment in the path on an invoice (rule E5).
func (s *Server) matchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := parseForm(body, "match")
	if err != nil {
		return nil, err
	}
	uri, sent := f.child("invoice").attr("uri")
	if !sent {
		f.add("required", "invoice", "is required: the uri of an invoice")
	}
	if err := f.done(nil); err != nil {
		return nil, err
	}
	invoiceID, found := rq.idIn(uri, "invoice")
	if !found {
		return nil, models.NotFound("invoice")
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return ocr.Match(ctx, tx, rq.creditor, id, invoiceID, rq.actor())
	})
}

// unmatchPayment takes back that the payment in the path was matched by hand.
func (s *Server) unmatchPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	if err := parseEmptyForm(body, "unmatch"); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return ocr.Unmatch(ctx, tx, rq.creditor, id, rq.actor())
	})
}

// dismissPayment closes the unmatched payment in the path without posting it (rule E5).
func (s *Server) dismissPayment(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := parseForm(body, "dismiss")
	if err != nil {
		return nil, err
	}
	comment, _ := f.string("comment")
	if err := f.done(ocr.ValidateDismissal(comment)); err != nil {
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
