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
	Letter        *link       `xml:"shipment"` // the one that tells of it
}

// moreTimeXML returns the time that runs for an invoice today as XML, nil if none does. sent are the invoice's shipments.
func (rq *request) moreTimeXML(i models.Invoice, sent []models.Shipment) *moreTimeXML {
	if !i.MoreTime.Active(rq.today()) {
		return nil
	}
	x := &moreTimeXML{Until: i.MoreTime.Until, Reason: i.MoreTime.Reason, WaiveInterest: flag(i.InterestFree.Has(i.MoreTime.Until)), Since: i.MoreTime.Since}
	for _, s := range sent {
		if s.Role() == models.TellsOfTime && s.State != models.ShipmentWithdrawn && s.MoreTime.SameTime(i) {
			x.Letter = &link{rq.uri("shipment", s.ID)}
		}
	}
	return x
}

// toldOf returns the last day of the time that a shipment tells of, nil if it tells of none.
func toldOf(s models.Shipment) *models.Date {
	if s.Role() != models.TellsOfTime {
		return nil
	}
	return &s.MoreTime.Until
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
	method, _ := f.Token("shipment_method")
	r.Method = models.ShipmentMethod(method)
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
