package api

import (
	"context"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// moreTimeXML is the time that a customer was given for an invoice (rule N11).
type moreTimeXML struct {
	Until         models.Date `xml:"until"`
	Reason        string      `xml:"reason"`
	WaiveInterest flag        `xml:"waive_interest"` // 1 or 0
	Since         models.Date `xml:"since"`
}

// moreTimeXML returns the time that runs for an invoice today as XML, nil if none does.
func (rq *request) moreTimeXML(i models.Invoice) *moreTimeXML {
	if !i.MoreTime.Active(rq.today()) {
		return nil
	}
	return &moreTimeXML{i.MoreTime.Until, i.MoreTime.Reason, flag(i.InterestFree.Has(i.MoreTime.Until)), i.MoreTime.Since}
}

// giveMoreTime gives the customer of the invoice in the path more time for it.
func giveMoreTime(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "more_time")
	if err != nil {
		return nil, err
	}
	f.Require("until")
	var r models.MoreTimeRequest
	r.Until, _ = f.Date("until")
	r.Reason, _ = f.Text("reason")
	r.WaiveInterest, _ = f.Flag("waive_interest")
	if err := f.Done(faultsOf(r.Validate(rq.today()))); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return dunning.GiveMoreTime(ctx, tx, rq.creditor, id, r, rq.actor())
	}), nil
}

// endMoreTime ends the time that was given for the invoice in the path.
func endMoreTime(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return dunning.EndMoreTime(ctx, tx, rq.creditor, id, rq.actor())
}
