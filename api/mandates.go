package api

import (
	"context"
	"encoding/xml"

	"purr/models"
	"purr/store"
)

// mandateXML is a mandate of AvtaleGiro (rule G2).
type mandateXML struct {
	XMLName  xml.Name    `xml:"mandate"`
	Since    models.Date `xml:"since,attr"`
	EndedOn  models.Date `xml:"ended_on,attr,omitempty"`
	Notice   flag        `xml:"notice,attr"`
	Account  string      `xml:"bank_account,attr"`
	KID      string      `xml:"ocr_kid_number,attr"`
	Customer *link       `xml:"customer"` // absent with a customer, and where the KID names none
}

func mandateOf(m models.Mandate) mandateXML {
	return mandateXML{Since: m.Since, EndedOn: m.EndedOn, Notice: flag(m.Notice), Account: m.Account, KID: m.KID}
}

// listMandates lists the creditor's mandates, those that ended too.
func (s *Server) listMandates(ctx context.Context, rq *request) (answer, error) {
	show := func(m models.Mandate) mandateXML {
		x := mandateOf(m)
		if m.CustomerID != 0 {
			x.Customer = &link{rq.uri("customer", m.CustomerID)}
		}
		return x
	}
	return listed("mandates", rq.query(), show, func(p store.Page) ([]models.Mandate, int64, error) {
		return s.db.Mandates(ctx, rq.creditor.ID, p)
	})
}

// customerWithMandates shows a customer with the mandates by which he pays.
func (rq *request) customerWithMandates(ctx context.Context, v store.View, c models.Customer) (customerDetail, error) {
	d := rq.customerDetail(c)
	if rq.creditor.KIDCustomerDigits == 0 { // then no mandate is anybody's
		return d, nil
	}
	found, err := v.MandatesOfCustomers(ctx, c.CreditorID, []int64{c.ID})
	if err != nil {
		return customerDetail{}, err
	}
	for _, m := range found[c.ID] {
		d.Mandates = append(d.Mandates, mandateOf(m))
	}
	return d, nil
}

// avtaleGiroClaimXML is the claim of an invoice that is drawn by AvtaleGiro (rule G3).
type avtaleGiroClaimXML struct {
	State      models.ClaimState `xml:"state,attr"`
	SentAt     string            `xml:"sent_at,attr,omitempty"`
	AnsweredAt string            `xml:"answered_at,attr,omitempty"`
	Reason     string            `xml:"reason,attr,omitempty"`
	TooLate    string            `xml:"too_late_to_cancel,attr,omitempty"` // 1 or absent
}

// claimOf returns the claim of an invoice, nil if it has none.
func (rq *request) claimOf(ctx context.Context, v store.View, i models.Invoice) (*avtaleGiroClaimXML, error) {
	if !i.Drawn {
		return nil, nil //nolint:nilnil // see above
	}
	claim, there, err := v.BankClaimOf(ctx, i.CreditorID, i.ID)
	if err != nil || !there {
		return nil, err
	}
	x := &avtaleGiroClaimXML{State: claim.State, Reason: claim.Reason}
	if claim.SentAt != nil {
		x.SentAt = rq.stamp(*claim.SentAt)
	}
	if claim.AnsweredAt != nil {
		x.AnsweredAt = rq.stamp(*claim.AnsweredAt)
	}
	if claim.TooLate {
		x.TooLate = "1"
	}
	return x, nil
}
