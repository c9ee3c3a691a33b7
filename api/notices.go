package api

import (
	"context"
	"encoding/xml"
	"fmt"

	"purr/api/form"
	"purr/dunning"
	"purr/dunning/collection"
	"purr/models"
	"purr/store"
)

// noticeItem is an overdue notice in a list.
type noticeItem struct {
	XMLName xml.Name `xml:"overdue_notice"`
	noticeHead
	Warning flag  `xml:"is_incasso_notice"`
	Invoice link  `xml:"related_invoice"`
	Letter  *link `xml:"letter"` // that it shares with notices on other invoices (rule L23)
}

// noticeDetail is an overdue notice.
type noticeDetail struct {
	XMLName xml.Name `xml:"overdue_notice"`
	noticeHead
	Withdrawn  flag         `xml:"withdrawn,attr,omitempty"`   // rule L13a
	ReplacedBy string       `xml:"replaced_by,attr,omitempty"` // the notice that took its place
	Comment    string       `xml:"comment"`
	KID        string       `xml:"ocr_kid_number"`
	Recipient  recipientXML `xml:"recipient"`
	Lines      noticeLines  `xml:"lines"`
	Letter     *link        `xml:"letter"` // that it shares with notices on other invoices (rule L23)
}

// noticeHead holds the elements of a notice that every answer with a notice shows.
type noticeHead struct {
	URI       string        `xml:"uri,attr"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   models.Date   `xml:"due_date"`
	Until     *models.Date  `xml:"counts_until"` // absent unless the letter left late (rule D94)
	Gross     models.Amount `xml:"gross_amount"`
}

func (rq *request) noticeHead(n models.Notice) noticeHead {
	head := noticeHead{URI: rq.uri("overdue_notice", n.ID), IssueDate: n.IssueDate, DueDate: n.DueDate, Gross: n.Gross}
	if n.CountsUntil != 0 {
		head.Until = &n.CountsUntil
	}
	return head
}

type noticeLines struct {
	Lines []noticeLine `xml:"line"`
}

type noticeLine struct {
	Index int           `xml:"index,attr"`
	Text  string        `xml:"line_text"`
	Gross models.Amount `xml:"gross_amount"`
}

// listNotices lists the overdue notices.
func (s *Server) listNotices(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.NoticeFilter{Issued: q.dates()}
	return listed("overdue_notices", q, rq.noticeItem, func(p store.Page) ([]models.Notice, int64, error) {
		return s.db.Notices(ctx, rq.creditor.ID, f, p)
	})
}

func (rq *request) noticeItem(n models.Notice) noticeItem {
	return noticeItem{noticeHead: rq.noticeHead(n), Warning: flag(n.Warning), Invoice: link{rq.uri("invoice", n.InvoiceID)}, Letter: rq.letterLink(n)}
}

// createNotice issues an overdue notice on the invoice in the path, and sends it (rule D27). The default of each flag
// is 0.
func (s *Server) createNotice(_ context.Context, rq *request, invoiceID int64, body form.Body) (effect, error) {
	f, err := rq.parse(body, "overdue_notice", noticeDetail{})
	if err != nil {
		return nil, err
	}
	ask := dunning.Request{Actor: rq.actor()}
	ask.AddFee, _ = f.Flag("add_overdue_charge")
	ask.AddInterest, _ = f.Flag("add_interest")
	ask.Warning, _ = f.Flag("is_incasso_notice")
	ask.Comment, _ = f.Text("comment")
	method, _ := f.Token("shipment_method")
	ask.Method = models.ShipmentMethod(method)
	if err := f.Done(ask.Validate()); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		rules, err := s.rules(ctx, tx, rq)
		if err != nil {
			return answer{}, err
		}
		notice, err := dunning.IssueNotice(ctx, tx, rules, rq.creditor, invoiceID, ask)
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.noticeDetail(ctx, tx.View(), notice)
		if err != nil {
			return answer{}, err
		}
		return rq.createdDocument(shown.URI, shown, notice.Document())
	}, nil
}

// noticePreviewPDF shows the reminder, or with is_incasso_notice the debt-collection warning, that would be sent on the invoice in the path
// today, as a PDF (rule L24). Nothing is booked or kept.
func (s *Server) noticePreviewPDF(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	q := rq.query()
	warning := q.flag("is_incasso_notice")
	if err := q.done(); err != nil {
		return answer{}, err
	}
	rules, err := s.rules(ctx, s.db, rq)
	if err != nil {
		return answer{}, err
	}
	var p dunning.Preview
	err = s.db.View(ctx, func(v store.View) error {
		p, err = dunning.PreviewOf(ctx, v, rules, rq.creditor, id, warning, rq.today())
		return err
	})
	if err != nil {
		return answer{}, err
	}
	drawn, err := s.cfg.Documents.PreviewNotice(ctx, p.Invoice, p.Notice, p.Lines, p.Earlier)
	if err != nil {
		return answer{}, err
	}
	return file("application/pdf", "inline", fmt.Sprintf("preview-%d.pdf", p.Invoice.Number), drawn), nil
}

// noticePDF shows the overdue notice in the path as a PDF. It returns the document, and its ID for the file's name.
func noticePDF(_ context.Context, _ *request, id int64) (models.Document, int64, error) {
	return models.Document{Kind: models.NoticeDocument, ID: id}, id, nil
}

// noticeEHF shows the overdue notice in the path as EHF Reminder. It returns what noticePDF returns.
func noticeEHF(ctx context.Context, rq *request, id int64) (models.Document, int64, error) {
	return noticePDF(ctx, rq, id)
}

// noticeDetail shows an overdue notice with its lines.
func (rq *request) noticeDetail(ctx context.Context, v store.View, n models.Notice) (noticeDetail, error) {
	d := noticeDetail{noticeHead: rq.noticeHead(n), Comment: n.Comment, KID: n.KID, Recipient: recipientOf(n.Recipient), Letter: rq.letterLink(n)}
	d.Recipient.URI = rq.uri("customer", n.CustomerID)
	if d.Withdrawn = n.Withdrawn != 0; d.Withdrawn {
		anew, found, err := v.ReplacementOf(ctx, n)
		if err != nil {
			return noticeDetail{}, err
		}
		if found {
			d.ReplacedBy = rq.uri("overdue_notice", anew.ID)
		}
	}
	lines, err := v.NoticeLines(ctx, n.ID)
	if err != nil {
		return noticeDetail{}, err
	}
	for _, l := range lines {
		d.Lines.Lines = append(d.Lines.Lines, noticeLine{l.Position, l.Text, l.Gross})
	}
	return d, nil
}

// showCalculation shows how the amounts of an overdue notice were calculated (rule E6c).
func showCalculation(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	notice, err := v.Notice(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	recalculations, err := v.RecalculationsOf(ctx, notice.ID)
	if err != nil {
		return nil, err
	}
	return collection.CalculationOf(notice, recalculations, rq.zone)
}
