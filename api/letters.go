package api

import (
	"context"
	"encoding/xml"

	"purr/law"
	"purr/models"
	"purr/store"
)

// letterDetail is a letter for several invoices of a customer (rule L23).
type letterDetail struct {
	XMLName    xml.Name      `xml:"letter"`
	URI        string        `xml:"uri,attr"`
	Number     int64         `xml:"number,attr"`
	Withdrawn  flag          `xml:"withdrawn,attr,omitempty"`
	ReplacedBy string        `xml:"replaced_by,attr,omitempty"` // the letter that took its place
	IssueDate  models.Date   `xml:"issue_date"`
	DueDate    models.Date   `xml:"due_date"`
	Warning    flag          `xml:"is_incasso_notice"`
	Charge     models.Amount `xml:"overdue_charge"`
	Gross      models.Amount `xml:"gross_amount"`
	KID        string        `xml:"ocr_kid_number,omitempty"` // absent where none was left
	Recipient  recipientXML  `xml:"recipient"`
	Notices    letterParts   `xml:"overdue_notices"`
	Shipments  shipmentsXML  `xml:"shipments"`
}

type letterParts struct {
	Parts []letterPart `xml:"overdue_notice"`
}

// letterPart is the notice that one of the letter's invoices has.
type letterPart struct {
	URI       string        `xml:"uri,attr"`
	Withdrawn flag          `xml:"withdrawn,attr,omitempty"`
	Invoice   link          `xml:"related_invoice"`
	Number    int64         `xml:"invoice_number"`
	DueDate   models.Date   `xml:"due_date"` // the invoice's
	Principal models.Amount `xml:"principal"`
	Interest  models.Amount `xml:"interest"`
	Fees      models.Amount `xml:"overdue_charge"`
	Gross     models.Amount `xml:"gross_amount"`
	KID       string        `xml:"ocr_kid_number"` // the invoice's
}

// letterLink returns a link to the letter that a notice shares; nil if it shares none.
func (rq *request) letterLink(n models.Notice) *link {
	if n.LetterID == 0 {
		return nil
	}
	return &link{rq.uri("letter", n.LetterID)}
}

// letterDetail shows a letter with its notices as it says them, and its shipments.
func (rq *request) letterDetail(ctx context.Context, v store.View, l models.Letter) (letterDetail, error) {
	d := letterDetail{
		URI: rq.uri("letter", l.ID), Number: l.Number, Withdrawn: l.Withdrawn != 0, IssueDate: l.IssueDate, DueDate: l.DueDate, Warning: flag(l.Warning),
		Gross: l.Gross, KID: l.KID, Recipient: recipientOf(l.Recipient),
	}
	d.Recipient.URI = rq.uri("customer", l.CustomerID)
	if l.ReplacedBy != 0 {
		d.ReplacedBy = rq.uri("letter", l.ReplacedBy)
	}
	shipments, err := v.ShipmentsOf(ctx, l.Document())
	if err != nil {
		return letterDetail{}, err
	}
	d.Shipments = rq.shipmentsOf(shipments)
	return d, rq.addParts(ctx, v, l, &d)
}

// addParts adds what the letter says of each of its invoices, and the fee that it charges.
func (rq *request) addParts(ctx context.Context, v store.View, l models.Letter, d *letterDetail) error {
	notices, err := v.NoticesOfLetters(ctx, l.CreditorID, []int64{l.ID})
	if err != nil {
		return err
	}
	ids, about := make([]int64, 0, models.MostJoint), make([]int64, 0, models.MostJoint)
	for _, n := range notices[l.ID] {
		ids, about = append(ids, n.ID), append(about, n.InvoiceID)
	}
	lines, err := v.LinesOfNotices(ctx, ids)
	if err != nil {
		return err
	}
	found, err := v.InvoicesByID(ctx, l.CreditorID, about)
	if err != nil {
		return err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	for _, n := range notices[l.ID] {
		var entries []models.Entry
		for _, line := range lines[n.ID] {
			entries = append(entries, models.Entry{Type: line.Type, Amount: line.Gross})
		}
		owed, i := law.Allocate(entries), invoices[n.InvoiceID]
		d.Charge += n.Fee
		d.Notices.Parts = append(d.Notices.Parts, letterPart{
			URI: rq.uri("overdue_notice", n.ID), Withdrawn: n.Withdrawn != 0, Invoice: link{rq.uri("invoice", i.ID)}, Number: i.Number, DueDate: i.DueDate,
			Principal: owed.Principal, Interest: owed.Interest, Fees: owed.Fees, Gross: n.Gross, KID: n.KID,
		})
	}
	return nil
}

// letterPDF shows the letter in the path as a PDF. It returns the document, and its number for the file's name.
func letterPDF(_ context.Context, _ *request, id int64) (models.Document, int64, error) {
	return models.Document{Kind: models.LetterDocument, ID: id}, id, nil
}
