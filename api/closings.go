package api

import (
	"context"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// closeInvoice closes the invoice in the path as lost, or for another reason (rule E2).
func closeInvoice(rq *request, id int64, body form.Body) (act, error) {
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
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return dunning.CloseInvoice(ctx, tx, rq.creditor, id, closing)
	}), nil
}

// reopenInvoice opens the invoice in the path again after it was closed or handed over to debt collection (rule E2).
func reopenInvoice(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "reopen"); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return dunning.ReopenInvoice(ctx, tx, rq.creditor, id, rq.actor())
	}), nil
}

// onInvoice does an act on an invoice and answers with the invoice's detail.
func (rq *request) onInvoice(do func(ctx context.Context, tx *store.Tx) (models.Invoice, error)) act {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		invoice, err := do(ctx, tx)
		if err != nil {
			return nil, err
		}
		return rq.invoiceDetail(ctx, tx.View(), invoice)
	}
}
