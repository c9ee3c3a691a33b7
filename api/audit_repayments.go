package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/api/once"
	"purr/dunning/amends"
	"purr/models"
)

// auditRepaymentXML is what was put right of what an audit found (rule U6).
type auditRepaymentXML struct {
	XMLName  xml.Name           `xml:"audit_repayment"`
	Audit    link               `xml:"audit"`
	Back     models.Amount      `xml:"back"`
	Invoices []repaidInvoiceXML `xml:"repaid_invoice"`
}

// repaidInvoiceXML is what was put right on one invoice.
type repaidInvoiceXML struct {
	Invoice   linkedNumber          `xml:"invoice"`
	Charge    models.Amount         `xml:"overdue_charge"`
	Interest  models.Amount         `xml:"interest"`
	Withdrawn flag                  `xml:"warning_withdrawn"`
	TakenBack flag                  `xml:"taken_back_from_collection"`
	Told      models.ShipmentMethod `xml:"shipment_method,omitempty"`
	Entries   []link                `xml:"ar_transaction"`
}

// repayAudit puts right what the audit in the path found. It takes a transaction an invoice; the second time it books nothing.
func (s *Server) repayAudit(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	if err := form.ParseEmpty(body, "repay"); err != nil {
		return answer{}, err
	}
	return s.leased(ctx, rq, key, func(string) (answer, error) {
		shown := auditRepaymentXML{Audit: link{rq.uri("audit", id)}}
		err := amends.Repay(ctx, s.db, s.cfg.Rules, rq.creditor, id, rq.actor(), func(d amends.Done) {
			shown.Back += d.Back()
			i := repaidInvoiceXML{
				Invoice: linkedNumber{rq.uri("invoice", d.Invoice.ID), d.Invoice.Number}, Charge: d.Fee, Interest: d.Interest, Withdrawn: flag(len(d.Warnings) > 0),
				TakenBack: flag(d.HandOver), Told: d.Told,
			}
			for _, e := range d.Entries {
				i.Entries = append(i.Entries, link{rq.uri("ar_transaction", e.ID)})
			}
			shown.Invoices = append(shown.Invoices, i)
		})
		if err != nil {
			return answer{}, err
		}
		return rq.ok(shown)
	})
}
