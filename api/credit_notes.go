package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/billing"
	"purr/models"
	"purr/store"
)

// creditNoteItem is a credit note in a list. It has no due date (rule D22).
type creditNoteItem struct {
	XMLName   xml.Name      `xml:"credit_note"`
	URI       string        `xml:"uri,attr"`
	Status    string        `xml:"status,attr"`
	Number    int64         `xml:"invoice_number"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   string        `xml:"due_date"`
	Gross     models.Amount `xml:"gross_amount"`
	Net       models.Amount `xml:"net_amount"`
}

// creditNoteDetail is a credit note with everything that belongs to it. Elements that only an invoice has are empty.
type creditNoteDetail struct {
	XMLName    xml.Name        `xml:"credit_note"`
	URI        string          `xml:"uri,attr"`
	Status     string          `xml:"status,attr"`
	Number     int64           `xml:"invoice_number"`
	IssueDate  models.Date     `xml:"issue_date"`
	DueDate    string          `xml:"due_date"`
	NumDueDays string          `xml:"num_due_days"`
	Gross      models.Amount   `xml:"gross_amount"`
	Net        models.Amount   `xml:"net_amount"`
	Note       string          `xml:"invoice_note"`
	KID        string          `xml:"ocr_kid_number"`
	Comment    string          `xml:"comment"`
	Credited   link            `xml:"credited_invoice"`
	Recipient  recipientXML    `xml:"recipient"`
	Lines      linesXML        `xml:"lines"`
	Shipments  shipmentsXML    `xml:"shipments"`
	Entries    documentEntries `xml:"ar_transactions"`
}

// listCreditNotes lists the credit notes.
func (s *Server) listCreditNotes(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.CreditNoteFilter{CustomerID: rq.customerID, Issued: q.dates()}
	f.Search = q.line("search")
	if values := q.status(); values != nil {
		status, known := models.ParseCreditNoteStatuses(values)
		if !known {
			q.fault("unknown_status", "status", "is not a status of credit notes")
		}
		f.Status = &status
	}
	return listed("credit_notes", q, rq.creditNoteItem, func(p store.Page) ([]models.CreditNote, int64, error) {
		return s.db.CreditNotes(ctx, rq.creditor.ID, f, p)
	})
}

func (rq *request) creditNoteItem(c models.CreditNote) creditNoteItem {
	return creditNoteItem{
		URI: rq.uri("credit_note", c.ID), Status: c.Status(), Number: c.Number, IssueDate: c.IssueDate, Gross: c.Gross, Net: c.Net,
	}
}

// createCreditNote issues a credit note on the invoice in the path, or on a part of it (rule L27), and sends it.
func createCreditNote(_ context.Context, rq *request, invoiceID int64, body form.Body) (effect, error) {
	f, err := rq.parse(body, "credit_note", creditNoteDetail{})
	if err != nil {
		return nil, err
	}
	credit := billing.CreditNoteRequest{Actor: rq.actor()}
	credit.Method, _ = readShipments(f, models.CreditNoteDocument)
	credit.Comment, _ = f.Text("comment")
	credit.Lines = readCreditLines(f)
	if err := f.Done(credit.Validate(rq.creditor)); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		note, err := billing.IssueCreditNote(ctx, tx, rq.creditor, invoiceID, credit)
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.creditNoteDetail(ctx, tx.View(), note)
		if err != nil {
			return answer{}, err
		}
		return rq.createdDocument(shown.URI, shown, note.Document())
	}, nil
}

// readCreditLines reads what is to be credited: nil if the request does not say it.
func readCreditLines(f *form.Form) []billing.CreditLine {
	asked := f.Child("lines")
	if asked == nil {
		return nil
	}
	lines := []billing.CreditLine{}
	for _, e := range asked.Each("line") {
		var l billing.CreditLine
		e.Require("net_amount", "vat_rate")
		l.Text, _ = e.Text("line_text")
		l.Net, _ = e.Amount("net_amount")
		vat, _ := e.Token("vat_rate")
		l.VAT = models.VATName(vat)
		lines = append(lines, l)
	}
	return lines
}

// creditNotePDF shows the credit note in the path as a PDF. It returns the document and the number in the file's name.
func (s *Server) creditNotePDF(ctx context.Context, rq *request, id int64) (models.Document, int64, error) {
	note, err := s.db.CreditNote(ctx, rq.creditor.ID, id)
	if err != nil {
		return models.Document{}, 0, err
	}
	return note.Document(), note.Number, nil
}

// creditNoteEHF shows the credit note in the path as EHF, with its PDF inside. It returns what creditNotePDF returns.
func (s *Server) creditNoteEHF(ctx context.Context, rq *request, id int64) (models.Document, int64, error) {
	return s.creditNotePDF(ctx, rq, id)
}

// creditNoteDetail shows a credit note with its lines, shipments and entries.
func (rq *request) creditNoteDetail(ctx context.Context, v store.View, c models.CreditNote) (creditNoteDetail, error) {
	d := creditNoteDetail{
		URI: rq.uri("credit_note", c.ID), Status: c.Status(), Number: c.Number, IssueDate: c.IssueDate, Gross: c.Gross, Net: c.Net,
		KID: c.KID, Comment: c.Comment, Credited: link{rq.uri("invoice", c.InvoiceID)}, Recipient: recipientOf(c.Recipient),
	}
	d.Recipient.URI = rq.uri("customer", c.CustomerID)
	lines, err := v.LinesOfCreditNote(ctx, c)
	if err != nil {
		return creditNoteDetail{}, err
	}
	d.Lines = linesOf(lines)
	shipments, err := v.ShipmentsOf(ctx, c.Document())
	if err != nil {
		return creditNoteDetail{}, err
	}
	d.Shipments = rq.shipmentsOf(shipments)
	entries, err := v.EntriesOfCreditNote(ctx, c)
	if err != nil {
		return creditNoteDetail{}, err
	}
	d.Entries = rq.entriesOf(c.Balance, entries)
	return d, nil
}
