package collection

import (
	"cmp"
	"strings"
	"time"

	"purr/models"
)

// tables returns the files that tell of the claim: all of it as XML, and as tables in CSV.
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
		Debtor: debtorXML{
			OrganisationNumber: c.customer.OrganisationNumber, Language: cmp.Or(c.customer.Language, "nb"), recipientXML: recipientOf(c.customer.Recipient),
			Business: flag(c.customer.OrganisationNumber != ""),
		},
		Sums: sumsXML{
			Principal: c.owed.Principal, Interest: c.owed.Interest, Fees: c.owed.Fees, Total: c.total(),
			Further: furtherXML{c.further.From, c.further.Rate}, KID: c.invoice.KID, Account: cmp.Or(c.invoice.BankAccount, c.creditor.BankAccount),
		},
		Invoice: invoiceXML{
			Number: c.invoice.Number, IssueDate: c.invoice.IssueDate, DueDate: c.invoice.DueDate, Gross: c.invoice.Gross, Net: c.invoice.Net,
			Recipient: recipientOf(c.invoice.Recipient),
		},
		Notices: c.noticesXML(), Sendings: c.shipmentsXML(),
	}
	if hold, is := c.disputed(); is {
		x.Sums.Dispute = &objectionXML{hold.Comment}
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
		charge := c.sheets[i].OverdueCharge
		shown[i] = noticeXML{
			Sequence: n.Sequence, Warning: flag(n.Warning), IssueDate: n.IssueDate, DueDate: n.DueDate,
			Fee: n.Fee, FeeMaximum: charge.Maximum, FeeRule: charge.Rule, Interest: n.Interest, Gross: n.Gross,
		}
		for _, s := range c.sheets[i].Interest.Segments {
			shown[i].Calculations = append(shown[i].Calculations, segmentXML{s.From, s.To, s.Days, s.YearDays, s.Principal, s.Rate, s.Amount})
		}
	}
	return shown
}

func (c *claim) shipmentsXML() []shipmentXML {
	var shown []shipmentXML
	for _, d := range c.documents {
		for _, s := range d.shipments {
			x := shipmentXML{File: d.name, Type: "original", Method: s.Method, State: s.State, To: s.Recipient.Email}
			if s.Copy {
				x.Type = "copy"
			}
			if s.Method == models.ByPaper {
				x.To = onPaper(s.Recipient)
			}
			if s.SentAt != nil {
				x.SentAt = s.SentAt.In(c.zone).Format(time.RFC3339)
			}
			shown = append(shown, x)
		}
	}
	return shown
}

// onPaper returns a name and address in one line.
func onPaper(r models.Recipient) string {
	var parts []string
	for _, part := range []string{r.Name1, r.Name2, r.Address1, r.Address2, strings.TrimSpace(r.PostalCode + " " + r.PostalName), r.CountryCode} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
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
			x.Sums.Principal, x.Sums.Interest, x.Sums.Fees, x.Sums.Total, x.Sums.Further.From, x.Sums.Further.Rate, x.Sums.KID, x.Sums.Account,
			flag(x.Sums.Dispute != nil), x.Creditor.Name, x.Creditor.OrganisationNumber, x.Debtor.Business, x.Debtor.OrganisationNumber,
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
	for _, s := range x.Sendings {
		rows = append(rows, []any{s.File, s.Type, s.Method, s.State, s.SentAt, s.To})
	}
	return rows
}
