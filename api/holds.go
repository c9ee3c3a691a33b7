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
	Until   models.Date       `xml:"until"` // inclusive; empty is until it is taken away
	Reason  models.HoldReason `xml:"reason,omitempty"`
	Comment string            `xml:"comment"`
}

// holdXML returns what is shown of a hold, nil where it stops nothing today.
func (rq *request) holdXML(h models.Hold) *holdXML {
	if !h.Active(rq.today()) {
		return nil
	}
	return &holdXML{h.Until, h.Reason, h.Comment}
}

// readHold reads the path and the body of a PUT that sets a hold.
func (rq *request) readHold() (id int64, h models.Hold, err error) {
	if id, err = rq.pathID(); err != nil {
		return 0, h, err
	}
	body, err := rq.readXML()
	if err != nil {
		return 0, h, err
	}
	f, err := form.Parse(body, "dunning_hold")
	if err != nil {
		return 0, h, err
	}
	if text, _ := f.Token("until"); text != "" {
		h.Until, _ = f.Date("until")
	}
	reason, _ := f.Token("reason")
	h.Reason = models.HoldReason(reason)
	h.Comment, _ = f.Text("comment")
	return id, h, f.Done(faultsOf(h.Validate(rq.today())))
}

// holdInvoice stops automatic dunning of the invoice in the path.
func (s *Server) holdInvoice(ctx context.Context, rq *request) (answer, error) {
	id, hold, err := rq.readHold()
	if err != nil {
		return answer{}, err
	}
	var shown invoiceDetail
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		invoice, err := dunning.HoldInvoice(ctx, tx, rq.creditor, id, hold, rq.actor())
		if err != nil {
			return err
		}
		shown, err = rq.invoiceDetail(ctx, tx.View(), invoice)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return ok(shown)
}

// releaseInvoice lets automatic dunning of the invoice in the path go on.
func (s *Server) releaseInvoice(ctx context.Context, rq *request) (answer, error) {
	return s.release(ctx, rq, dunning.ReleaseInvoice)
}

// holdCustomer stops automatic dunning of all invoices of the customer in the path.
func (s *Server) holdCustomer(ctx context.Context, rq *request) (answer, error) {
	id, hold, err := rq.readHold()
	if err != nil {
		return answer{}, err
	}
	var customer models.Customer
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		customer, err = dunning.HoldCustomer(ctx, tx, rq.creditor, id, hold, rq.actor())
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return ok(rq.customerDetail(customer))
}

// releaseCustomer lets automatic dunning of the invoices of the customer in the path go on.
func (s *Server) releaseCustomer(ctx context.Context, rq *request) (answer, error) {
	return s.release(ctx, rq, dunning.ReleaseCustomer)
}

// release takes away a hold, if there is one, from what has the ID in the path.
func (s *Server) release(
	ctx context.Context, rq *request, do func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64, actor string) error,
) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error { return do(ctx, tx, rq.creditor, id, rq.actor()) })
	return noContent(), err
}
