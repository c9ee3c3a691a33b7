package api

import (
	"context"
	"encoding/xml"
	"slices"

	"purr/models"
	"purr/store"
)

// invoiceItem is an invoice in a list.
type invoiceItem struct {
	XMLName   xml.Name      `xml:"invoice"`
	URI       string        `xml:"uri,attr"`
	Status    models.Status `xml:"status,attr"`
	Adopted   string        `xml:"adopted,attr,omitempty"` // 1 of an adopted invoice
	Number    int64         `xml:"invoice_number"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   models.Date   `xml:"due_date"`
	Gross     models.Amount `xml:"gross_amount"`
	Net       models.Amount `xml:"net_amount"`
}

// invoiceDetail is an invoice with everything that belongs to it.
type invoiceDetail struct {
	XMLName       xml.Name            `xml:"invoice"`
	URI           string              `xml:"uri,attr"`
	Status        models.Status       `xml:"status,attr"`
	Adopted       string              `xml:"adopted,attr,omitempty"` // 1 of an adopted invoice (rule L17)
	Number        int64               `xml:"invoice_number"`
	IssueDate     models.Date         `xml:"issue_date"`
	DueDate       models.Date         `xml:"due_date"`
	NumDueDays    int                 `xml:"num_due_days"`
	Gross         models.Amount       `xml:"gross_amount"`
	Net           models.Amount       `xml:"net_amount"`
	Note          string              `xml:"invoice_note"`
	YourReference string              `xml:"your_reference,omitempty"`
	OrderNumber   string              `xml:"order_number,omitempty"`
	DeliveryDate  models.Date         `xml:"delivery_date,omitempty"`
	DeliveryPlace string              `xml:"delivery_place,omitempty"`
	KID           string              `xml:"ocr_kid_number"`
	Recipient     recipientXML        `xml:"recipient"`
	Lines         *linesXML           `xml:"lines"` // absent of an adopted invoice whose lines nobody knows
	Shipments     shipmentsXML        `xml:"shipments"`
	Entries       documentEntries     `xml:"ar_transactions"`
	Notices       invoiceNotices      `xml:"overdue_notices"`
	CreditNotes   invoiceCreditNotes  `xml:"credit_notes"`
	Hold          *holdXML            `xml:"dunning_hold"` // absent if there is none
	MoreTime      *moreTimeXML        `xml:"more_time"`
	Plan          *paymentPlanXML     `xml:"payment_plan"` // absent if none runs
	AvtaleGiro    *avtaleGiroClaimXML `xml:"avtalegiro"`   // absent if it is not drawn
	RepaymentOwed models.Amount       `xml:"repayment_owed,omitempty"`
	Acknowledged  *acknowledgedXML    `xml:"acknowledged"`          // absent if no person has set a day
	LapsesOn      models.Date         `xml:"lapses_on,omitempty"`   // from 180 days before, or with acknowledged (rules L26, L30)
	WrittenOff    models.Amount       `xml:"written_off,omitempty"` // by a run (rule L25)
}

type invoiceNotices struct {
	Notices []invoiceNotice `xml:"overdue_notice"`
}

type invoiceNotice struct {
	noticeHead
	Warning  flag  `xml:"is_incasso_notice"`
	Sequence int   `xml:"sequence_number"`
	Letter   *link `xml:"letter"` // that it shares with notices on other invoices (rule L23)
}

type invoiceCreditNotes struct {
	CreditNotes []invoiceCreditNote `xml:"credit_note"`
}

type invoiceCreditNote struct {
	URI       string        `xml:"uri,attr"`
	Number    int64         `xml:"invoice_number"`
	IssueDate models.Date   `xml:"issue_date"`
	Gross     models.Amount `xml:"gross_amount"`
	Net       models.Amount `xml:"net_amount"`
}

// listInvoices lists the invoices.
func (s *Server) listInvoices(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.InvoiceFilter{CustomerID: rq.customerID, Issued: q.dates(), Today: rq.today()}
	f.Search = q.line("search")
	if values := q.status(); values != nil {
		var known bool
		if f.Statuses, known = models.ParseStatuses(values); !known {
			q.fault("unknown_status", "status", "is not a status of invoices")
		}
	}
	return listed("invoices", q, rq.invoiceItem, func(p store.Page) (found []models.InvoiceSummary, total int64, err error) {
		err = s.db.View(ctx, func(v store.View) error { // a page is found by counts
			found, total, err = v.Invoices(ctx, rq.creditor.ID, f, p)
			return err
		})
		return found, total, err
	})
}

func (rq *request) invoiceItem(i models.InvoiceSummary) invoiceItem {
	return invoiceItem{
		URI: rq.uri("invoice", i.ID), Status: i.Status(rq.today()), Number: i.Number,
		IssueDate: i.IssueDate, DueDate: i.DueDate, Gross: i.Gross, Net: i.Net, Adopted: adoptedMark(i.Adopted),
	}
}

// invoicePDF shows the invoice in the path as a PDF. It returns the document and the number in the file's name.
func (s *Server) invoicePDF(ctx context.Context, rq *request, id int64) (models.Document, int64, error) {
	invoice, err := s.db.Invoice(ctx, rq.creditor.ID, id)
	if err != nil {
		return models.Document{}, 0, err
	}
	return invoice.Document(), invoice.Number, nil
}

// invoiceEHF shows the invoice in the path as EHF, with its PDF inside. It returns what invoicePDF returns.
func (s *Server) invoiceEHF(ctx context.Context, rq *request, id int64) (models.Document, int64, error) {
	return s.invoicePDF(ctx, rq, id)
}

// invoiceDetail shows an invoice with its lines, shipments, entries, overdue notices and credit note.
func (rq *request) invoiceDetail(ctx context.Context, v store.View, i models.Invoice) (invoiceDetail, error) {
	lines, err := v.InvoiceLines(ctx, i.ID)
	if err != nil {
		return invoiceDetail{}, err
	}
	shipments, err := v.ShipmentsOf(ctx, i.Document())
	if err != nil {
		return invoiceDetail{}, err
	}
	entries, err := v.EntriesOfInvoiceAndCreditNote(ctx, i.ID)
	if err != nil {
		return invoiceDetail{}, err
	}
	own := slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return e.CreditNoteID != 0 })
	d := rq.newInvoiceDetail(i, lines, shipments, own)
	if d.Plan, err = rq.runningPlan(ctx, v, i, own); err != nil {
		return invoiceDetail{}, err
	}
	if d.AvtaleGiro, err = rq.claimOf(ctx, v, i); err != nil {
		return invoiceDetail{}, err
	}
	if i.Notices > 0 {
		if d.Notices, err = rq.noticesOf(ctx, v, i); err != nil {
			return invoiceDetail{}, err
		}
	}
	if len(own) < len(entries) {
		if d.CreditNotes, err = rq.creditNotesOf(ctx, v, i); err != nil {
			return invoiceDetail{}, err
		}
	}
	return d, nil
}

// newInvoiceDetail returns the detail of an invoice that has neither notices nor a credit note.
func (rq *request) newInvoiceDetail(i models.Invoice, lines []models.Line, shipments []models.Shipment, entries []models.Entry) invoiceDetail {
	d := invoiceDetail{
		URI: rq.uri("invoice", i.ID), Status: i.Status(rq.today()), Number: i.Number, IssueDate: i.IssueDate, DueDate: i.DueDate,
		NumDueDays: i.NumDueDays, Gross: i.Gross, Net: i.Net, Note: i.Note,
		YourReference: i.Order.YourReference, OrderNumber: i.Order.OrderNumber, DeliveryDate: i.Order.DeliveryDate, DeliveryPlace: i.Order.DeliveryPlace,
		KID: i.KID, Recipient: recipientOf(i.Recipient),
		Hold: rq.holdXML(i.Hold), MoreTime: rq.moreTimeXML(i, shipments), Adopted: adoptedMark(i.Adopted), Shipments: rq.shipmentsOf(shipments), Entries: rq.entriesOf(i.Balance, entries), RepaymentOwed: i.RepaymentOwed, WrittenOff: i.WrittenOff,
		Acknowledged: acknowledgedOf(i), LapsesOn: i.LapseShown(rq.today()),
	}
	if i.Drawn { // of a new one; invoiceDetail asks for others
		d.AvtaleGiro = &avtaleGiroClaimXML{State: models.ClaimOwed}
	}
	if shown := linesOf(lines); len(lines) > 0 || !i.Adopted {
		d.Lines = &shown
	}
	d.Recipient.Parent = &link{rq.uri("customer", i.CustomerID)}
	return d
}

func (rq *request) noticesOf(ctx context.Context, v store.View, i models.Invoice) (shown invoiceNotices, err error) {
	notices, err := v.NoticesOf(ctx, i.ID)
	if err != nil {
		return invoiceNotices{}, err
	}
	for _, n := range notices {
		shown.Notices = append(shown.Notices, invoiceNotice{rq.noticeHead(n), flag(n.Warning), n.Sequence, rq.letterLink(n)})
	}
	return shown, nil
}

func (rq *request) creditNotesOf(ctx context.Context, v store.View, i models.Invoice) (shown invoiceCreditNotes, err error) {
	notes, err := v.CreditNotesOf(ctx, i.ID)
	if err != nil {
		return invoiceCreditNotes{}, err
	}
	for _, n := range notes {
		shown.CreditNotes = append(shown.CreditNotes, invoiceCreditNote{rq.uri("credit_note", n.ID), n.Number, n.IssueDate, n.Gross, n.Net})
	}
	return shown, nil
}

// adoptedMark returns the attribute of an invoice or a calculation that another system has made.
func adoptedMark(adopted bool) string {
	if adopted {
		return "1"
	}
	return ""
}
