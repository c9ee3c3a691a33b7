package collection

import (
	"cmp"
	"strings"
	"time"

	"purr/models"
)

// tables returns the claim as files: all of it in XML, and its parts as tables in CSV.
func (c *claim) tables() ([]File, error) {
	x := c.xml()
	all, err := asXML(x)
	if err != nil {
		return nil, err
	}
	files := []File{{"claim.xml", all}}
	for _, t := range []struct {
		name string
		rows [][]any
	}{
		{"claim.csv", claimRows(x)}, {"transactions.csv", entryRows(x)}, {"shipments.csv", shipmentRows(x)},
	} {
		content, err := asCSV(t.rows)
		if err != nil {
			return nil, err
		}
		files = append(files, File{t.name, content})
	}
	return files, nil
}

func (c *claim) xml() claimXML {
	x := claimXML{
		HandOver: c.handOver.ID, Date: c.handOver.HandedOver, Creditor: partyOf(c.creditor),
		Forced: flag(c.handOver.Forced), Unnoticed: flag(len(c.notices) == 0),
		Debtor: debtorXML{
			OrganisationNumber: c.customer.Recipient.OrganisationNumber, Language: c.creditor.LanguageOf(c.customer), recipientXML: recipientOf(c.customer.Recipient),
			Business: flag(c.customer.Recipient.OrganisationNumber != ""),
		},
		Claim: amountsXML{
			Principal: c.owed.Principal, Interest: c.owed.Interest, Fees: c.owed.Fees, Total: c.total(),
			Further: furtherXML{c.interest.From, c.interest.Rate, freeOf(c.interest.Free)}, KID: c.invoice.KID, Account: cmp.Or(c.invoice.BankAccount, c.creditor.BankAccount),
		},
		Invoice: invoiceXML{
			Number: c.invoice.Number, IssueDate: c.invoice.IssueDate, DueDate: c.invoice.DueDate, Gross: c.invoice.Gross, Net: c.invoice.Net,
			YourReference: c.invoice.Order.YourReference, OrderNumber: c.invoice.Order.OrderNumber,
			DeliveryDate: c.invoice.Order.DeliveryDate, DeliveryPlace: c.invoice.Order.DeliveryPlace, Recipient: recipientOf(c.invoice.Recipient),
		},
		Notices: c.noticesXML(), Shipments: c.shipmentsXML(),
	}
	if hold, is := c.disputed(); is {
		x.Claim.Dispute = &objectionXML{hold.Comment}
	}
	for _, l := range c.lines {
		x.Invoice.Lines = append(x.Invoice.Lines, lineXML{l.Text, l.UnitPrice, l.NumItems, l.Gross})
	}
	for _, e := range c.entries {
		on := models.InvoiceDocument
		if e.CreditNoteID != 0 {
			on = models.CreditNoteDocument
		}
		x.Entries = append(x.Entries, entryXML{e.TransactionDate, e.Type, string(on), e.Amount, e.Comment})
	}
	return x
}

func (c *claim) noticesXML() []noticeXML {
	shown := make([]noticeXML, len(c.notices))
	for i, n := range c.notices {
		calculation := c.calculations[i]
		shown[i] = noticeXML{
			Sequence: n.Sequence, Warning: flag(n.Warning), IssueDate: n.IssueDate, DueDate: n.DueDate,
			Fee: n.Fee, FeeMaximum: calculation.Charge.Maximum, FeeRule: calculation.Charge.Rule, Interest: n.Interest, Gross: n.Gross,
			Recalculated: calculation.Recalculated,
		}
		if n.CountsUntil != 0 {
			shown[i].CountsUntil = &n.CountsUntil
		}
		for _, s := range calculation.Interest.Segments {
			s.Outdated = 0
			shown[i].Segments = append(shown[i].Segments, s)
		}
	}
	return shown
}

func (c *claim) shipmentsXML() []shipmentXML {
	var shown []shipmentXML
	for _, d := range c.documents {
		for _, s := range d.shipments {
			x := shipmentXML{File: d.name, Type: s.Role().Shown(), Method: s.Method, State: s.State, To: s.Recipient.Email}
			if s.Role() == models.Friendly {
				x.Type = string(models.Friendly)
			}
			switch s.Method { //nolint:exhaustive // the others go to the e-mail address, if they show one
			case models.ByPaper:
				x.To = onPaper(s.Recipient)
			case models.ByEFaktura:
				x.To = s.Method.Address(s.Recipient)
			}
			if s.SentAt != nil {
				x.SentAt = s.SentAt.In(c.zone).Format(time.RFC3339)
			}
			shown = append(shown, x)
		}
	}
	return shown
}

// onPaper returns a name and an address in one line.
func onPaper(r models.Recipient) string {
	var parts []string
	for _, part := range []string{r.Name1, r.Name2, r.Address1, r.Address2, strings.TrimSpace(r.PostalCode + " " + r.PostalName), r.CountryCode} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func claimRows(x claimXML) [][]any {
	return [][]any{
		{
			"hand_over", "handed_over", "invoice_number", "issue_date", "due_date", "gross_amount", "principal", "interest", "overdue_charges", "total",
			"further_interest_from", "further_interest_rate", "ocr_kid_number", "bank_account", "disputed",
			"creditor_name", "creditor_organisation_number", "business", "organisation_number", "customer_number",
			"name1", "name2", "address1", "address2", "postal_code", "postal_name", "country_code", "email", "language",
		},
		{
			x.HandOver, x.Date, x.Invoice.Number, x.Invoice.IssueDate, x.Invoice.DueDate, x.Invoice.Gross,
			x.Claim.Principal, x.Claim.Interest, x.Claim.Fees, x.Claim.Total, x.Claim.Further.From, x.Claim.Further.Rate, x.Claim.KID, x.Claim.Account,
			flag(x.Claim.Dispute != nil), x.Creditor.Name, x.Creditor.OrganisationNumber, x.Debtor.Business, x.Debtor.OrganisationNumber,
			x.Debtor.CustomerNumber, x.Debtor.Name1, x.Debtor.Name2, x.Debtor.Address1, x.Debtor.Address2, x.Debtor.PostalCode, x.Debtor.PostalName,
			x.Debtor.CountryCode, x.Debtor.Email, x.Debtor.Language,
		},
	}
}

func entryRows(x claimXML) [][]any {
	rows := [][]any{{"transaction_date", "transaction_type", "document", "amount", "comment"}}
	for _, e := range x.Entries {
		rows = append(rows, []any{e.Date, e.Type, e.Document, e.Amount, e.Comment})
	}
	return rows
}

func shipmentRows(x claimXML) [][]any {
	rows := [][]any{{"file", "type", "shipment_method", "state", "sent_at", "to"}}
	for _, s := range x.Shipments {
		rows = append(rows, []any{s.File, s.Type, s.Method, s.State, s.SentAt, s.To})
	}
	return rows
}
