package api

import (
	"context"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// holdXML is a hold on automatic dunning (rule E2).
type holdXML struct {
	Until   models.Date       `xml:"until"` // inclusive; empty for a hold without end
	Reason  models.HoldReason `xml:"reason,omitempty"`
	Comment string            `xml:"comment"`
}

// holdXML returns a hold as XML, nil if it stops nothing today.
func (rq *request) holdXML(h models.Hold) *holdXML {
	if !h.Active(rq.today()) {
		return nil
	}
	return &holdXML{h.Until, h.Reason, h.Comment}
}

// readHold reads the body of a PUT that sets a hold.
func (rq *request) readHold(body form.Body) (models.Hold, error) {
	f, err := form.Parse(body, "dunning_hold")
	if err != nil {
		return models.Hold{}, err
	}
	var h models.Hold
	if text, _ := f.Token("until"); text != "" {
		h.Until, _ = f.Date("until")
	}
	reason, _ := f.Token("reason")
	h.Reason = models.HoldReason(reason)
	h.Comment, _ = f.Text("comment")
	if err := f.Done(faultsOf(h.Validate(rq.today()))); err != nil {
		return models.Hold{}, err
	}
	return h, nil
}

// holdInvoice stops automatic dunning of the invoice in the path. The hold lasts until a day, or until it is deleted.
func holdInvoice(rq *request, id int64, body form.Body) (act, error) {
	hold, err := rq.readHold(body)
	if err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return dunning.HoldInvoice(ctx, tx, rq.creditor, id, hold, rq.actor())
	}), nil
}

// releaseInvoice ends the hold of the invoice in the path.
func releaseInvoice(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return dunning.ReleaseInvoice(ctx, tx, rq.creditor, id, rq.actor())
}

// holdCustomer stops automatic dunning of all invoices of the customer in the path.
func holdCustomer(rq *request, id int64, body form.Body) (act, error) {
	hold, err := rq.readHold(body)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		customer, err := dunning.HoldCustomer(ctx, tx, rq.creditor, id, hold, rq.actor())
		if err != nil {
			return nil, err
		}
		return rq.customerWithMandates(ctx, tx.View(), customer)
	}, nil
}

// releaseCustomer ends the hold of the customer in the path.
func releaseCustomer(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return dunning.ReleaseCustomer(ctx, tx, rq.creditor, id, rq.actor())
}
