package api

import (
	"context"
	"encoding/xml"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// noticeItem is an overdue notice in a list.
type noticeItem struct {
	XMLName   xml.Name      `xml:"overdue_notice"`
	URI       string        `xml:"uri,attr"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   models.Date   `xml:"due_date"`
	Gross     models.Amount `xml:"gross_amount"`
	Warning   flag          `xml:"is_incasso_notice"`
	Invoice   link          `xml:"related_invoice"`
}

// noticeDetail is an overdue notice.
type noticeDetail struct {
	XMLName   xml.Name      `xml:"overdue_notice"`
	URI       string        `xml:"uri,attr"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   models.Date   `xml:"due_date"`
	Gross     models.Amount `xml:"gross_amount"`
	Comment   string        `xml:"comment"`
	KID       string        `xml:"ocr_kid_number"`
	Recipient recipientXML  `xml:"recipient"`
	Lines     noticeLines   `xml:"lines"`
}

type noticeLines struct {
	Lines []noticeLine `xml:"line"`
}

type noticeLine struct {
	Index int           `xml:"index,attr"`
	Text  string        `xml:"line_text"`
	Gross models.Amount `xml:"gross_amount"`
}

func (s *Server) listNotices(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.NoticeFilter{Issued: q.dates()}
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, total, err := s.db.Notices(ctx, rq.creditor.ID, f, p)
	if err != nil {
		return answer{}, err
	}
	return listed("overdue_notices", p, found, total, rq.noticeItem)
}

func (rq *request) noticeItem(n models.Notice) noticeItem {
	return noticeItem{
		URI: rq.uri("overdue_notice", n.ID), IssueDate: n.IssueDate, DueDate: n.DueDate, Gross: n.Gross, Warning: flag(n.Warning),
		Invoice: link{rq.uri("invoice", n.InvoiceID)},
	}
}

// createNotice sends an overdue notice on the invoice in the path (rule D27). A flag that is not sent is 0.
func (s *Server) createNotice(_ context.Context, rq *request, body []byte) (effect, error) {
	invoiceID, err := rq.pathID()
	if err != nil {
		return nil, err
	}
	f, err := parseForm(body, "overdue_notice")
	if err != nil {
		return nil, err
	}
	var ask dunning.Request
	ask.AddFee, _ = f.flag("add_overdue_charge")
	ask.AddInterest, _ = f.flag("add_interest")
	ask.Warning, _ = f.flag("is_incasso_notice")
	ask.Comment, _ = f.string("comment")
	var faults models.Errors
	faults.Prose("comment", ask.Comment, models.MaxComment)
	if err := f.done(faults); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		rules, err := dunning.RulesFor(ctx, s.cfg.Rules, tx, rq.creditor.ID)
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
		return createdDocument(shown.URI, shown, notice.Document())
	}, nil
}

func (s *Server) noticePDF(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	return s.pdf(ctx, rq, models.Document{Kind: models.NoticeDocument, ID: id}, id)
}

func showNotice(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	notice, err := v.Notice(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	return rq.noticeDetail(ctx, v, notice)
}

func (rq *request) noticeDetail(ctx context.Context, v store.View, n models.Notice) (noticeDetail, error) {
	d := noticeDetail{
		URI: rq.uri("overdue_notice", n.ID), IssueDate: n.IssueDate, DueDate: n.DueDate, Gross: n.Gross, Comment: n.Comment,
		KID: n.KID, Recipient: recipientOf(n.Recipient),
	}
	d.Recipient.URI = rq.uri("customer", n.CustomerID)
	lines, err := v.NoticeLines(ctx, n.ID)
	for _, l := range lines {
		d.Lines.Lines = append(d.Lines.Lines, noticeLine{l.Position, l.Text, l.Gross})
	}
	return d, err
}
