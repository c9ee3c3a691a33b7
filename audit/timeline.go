package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"purr/audit/report"
	"purr/models"
	"purr/store"
)

// Timeline tells what happened on the invoice, oldest first, in a language: a line for each entry that is no charge, each notice and each
// hand-over.
func (c *Case) Timeline(language string) []string {
	i := c.Invoice
	number := strconv.FormatInt(i.Number, 10)
	events := []report.Event{
		{Day: i.IssueDate, What: "invoice", Name: number, Sums: []report.Sum{{Amount: i.Gross}}},
		{Day: i.DueDate, What: "due"},
	}
	for _, e := range c.Entries {
		what := ""
		switch {
		case e.Type == models.EntryCreditNote && e.Amount < 0:
			what = "credit"
		case e.Repays():
			what = "paid_out"
		case e.TakesBack():
			what = "taken_back"
		case e.Type == models.EntryPayment || e.Type == models.EntryOCR:
			what = "payment"
		}
		if what != "" && e.CreditNoteID == 0 {
			events = append(events, report.Event{Day: e.TransactionDate, What: what, Sums: []report.Sum{{Amount: max(e.Amount, -e.Amount)}}})
		}
	}
	for _, n := range c.Notices {
		fee := report.Sum{What: "fee", Amount: n.Fee}
		if n.Compensation {
			fee.What = "compensation"
		}
		name := strconv.FormatInt(n.ID, 10)
		events = append(events, report.Event{Day: n.IssueDate, What: string(n.kind()), Name: name, Sums: []report.Sum{fee, {What: "interest", Amount: n.Interest}}, Till: n.DueDate})
		if n.Withdrawn != 0 {
			events = append(events, report.Event{Day: n.Withdrawn, What: "withdrawn", Name: name})
		}
	}
	for _, h := range c.HandOvers {
		events = append(events, report.Event{Day: h.HandedOver, What: "hand_over"})
	}
	return report.Timeline(language, events)
}

// WriteRows writes the rows of the invoice that are judged, as JSON: so that what was looked at can be known again by its SHA-256.
func (c *Case) WriteRows(to io.Writer) error {
	notices := make([]models.Notice, len(c.Notices))
	for i, n := range c.Notices {
		notices[i] = n.Notice
	}
	return json.NewEncoder(to).Encode(map[string]any{
		"invoice": c.Invoice, "entries": c.Entries, "notices": notices, "hand_overs": c.HandOvers, "credit_notes": c.Credits, "standstills": c.Stops, "plans": c.Plans,
	})
}

// Printed returns a finding as documents show it, in a language.
func (f Finding) Printed(language string, timeline []string) report.Finding {
	return report.Finding{
		Class: string(f.Class()), Code: f.Code.String(), Creditor: name(f.CreditorID), Customer: name(f.CustomerID), Invoice: name(f.Invoice), Notice: name(f.NoticeID),
		HandOver: name(f.HandOverID), Rows: f.Rows, Expected: f.Expected, Found: f.Found, Back: f.Back.Sum(), Law: cmp.Or(f.Source(), "-"), Text: f.Text(language), Timeline: timeline,
	}
}

// PrintedRow returns a finding that is kept as documents show it, in a language. One of a kind that this release does not know has its code for
// a text.
func PrintedRow(f models.AuditFinding, language string) report.Finding {
	p := Finding{
		CreditorID: f.CreditorID, CustomerID: f.CustomerID, Invoice: f.Invoice, NoticeID: f.NoticeID, HandOverID: f.HandOverID,
		Rows: f.Rows, Expected: f.Expected, Found: f.Found, Back: Charges{f.BackFee, f.BackInterest},
	}
	code, known := Named(f.Code)
	p.Code = code
	shown := p.Printed(language, nil)
	shown.Class, shown.Code = string(f.Class), f.Code // as they were kept
	if !known {
		shown.Law, shown.Text = "-", f.Code
	}
	return shown
}

// Timelines tells what happened on some invoices of a creditor, in a language: see Case.Timeline. It reads no more than that shows.
func Timelines(ctx context.Context, from TimelineReader, c models.Creditor, language string, invoiceIDs []int64) (map[int64][]string, error) {
	invoices, err := from.AuditedInvoices(ctx, c.ID, 0, len(invoiceIDs), store.AuditFilter{InvoiceIDs: invoiceIDs})
	if err != nil {
		return nil, err
	}
	rows, err := from.AuditTimelineRows(ctx, c.ID, invoices)
	if err != nil {
		return nil, err
	}
	lines := make(map[int64][]string, len(invoices))
	for _, i := range invoices {
		one := &Case{Invoice: i, Entries: rows.Entries[i.ID], HandOvers: rows.HandOvers[i.ID]}
		for _, n := range rows.Notices[i.ID] {
			one.Notices = append(one.Notices, Notice{Notice: n})
		}
		lines[i.ID] = one.Timeline(language)
	}
	return lines, nil
}

// TimelineReader is a database, or a view of one.
type TimelineReader interface {
	AuditedInvoices(ctx context.Context, creditorID, after int64, limit int, f store.AuditFilter) ([]models.Invoice, error)
	AuditTimelineRows(ctx context.Context, creditorID int64, invoices []models.Invoice) (store.AuditRows, error)
}

// name returns a number as a name: none for zero.
func name(n int64) report.Name {
	if n == 0 {
		return ""
	}
	return report.Name(strconv.FormatInt(n, 10))
}
