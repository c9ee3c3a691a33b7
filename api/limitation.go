package api

import (
	"context"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// acknowledgedXML is the day that a person has set on which the claim on an invoice was acknowledged, or taken to court (rule L26).
type acknowledgedXML struct {
	Date models.Date `xml:"date"`
}

// acknowledgedOf returns the day that is set for an invoice as XML, nil if none is.
func acknowledgedOf(i models.Invoice) *acknowledgedXML {
	if i.Acknowledged == 0 {
		return nil
	}
	return &acknowledgedXML{i.Acknowledged}
}

// acknowledgeInvoice sets the day on which the claim on the invoice in the path was acknowledged.
func acknowledgeInvoice(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "acknowledged")
	if err != nil {
		return nil, err
	}
	f.Require("date")
	var a models.Acknowledgement
	a.Date, _ = f.Date("date")
	if err := f.Done(a.Validate(rq.today())); err != nil {
		return nil, err
	}
	rq.form = f
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return dunning.AcknowledgeInvoice(ctx, tx, rq.creditor, id, a, rq.actor())
	}), nil
}

// removeAcknowledgement removes the day that is set for the invoice in the path.
func removeAcknowledgement(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return dunning.RemoveAcknowledgement(ctx, tx, rq.creditor, id, rq.actor())
}
