package api

import (
	"context"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// closeInvoice closes the invoice in the path (rule E2).
func (s *Server) closeInvoice(_ context.Context, rq *request, body []byte) (effect, error) {
	f, err := form.Parse(body, "close")
	if err != nil {
		return nil, err
	}
	closing := dunning.Closing{Actor: rq.actor()}
	f.Require("reason")
	reason, _ := f.Token("reason")
	closing.Reason = models.Closing(reason)
	closing.Comment, _ = f.Text("comment")
	if err := f.Done(closing.Validate()); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.CloseInvoice(ctx, tx, rq.creditor, id, closing)
	})
}

// reopenInvoice takes back that the invoice in the path was closed or handed over (rule E2).
func (s *Server) reopenInvoice(_ context.Context, rq *request, body []byte) (effect, error) {
	if err := form.ParseEmpty(body, "reopen"); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.ReopenInvoice(ctx, tx, rq.creditor, id, rq.actor())
	})
}

// onInvoice is the effect of an act on the invoice in the path, which is answered with its detail.
func (rq *request) onInvoice(do func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error)) (effect, error) {
	id, err := rq.pathID()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		invoice, err := do(ctx, tx, id)
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.invoiceDetail(ctx, tx.View(), invoice)
		if err != nil {
			return answer{}, err
		}
		return ok(shown)
	}, nil
}
