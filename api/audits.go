package api

import (
	"context"
	"encoding/xml"
	"net/http"

	"purr/api/form"
	"purr/audit"
	"purr/audit/asked"
	"purr/models"
	"purr/store"
)

// auditHead is how far an audit is, and what it came to so far (rule U12).
type auditHead struct {
	URI        string            `xml:"uri,attr"`
	State      models.AuditState `xml:"state"`
	AskedBy    string            `xml:"asked_by"`
	CustomerID int64             `xml:"customer_id,omitempty"` // of whose letters it is; absent for all
	From       models.Date       `xml:"from,omitempty"`        // only letters from this day on; absent for no limit
	To         models.Date       `xml:"to,omitempty"`          // only letters until this day, inclusive; absent for no limit
	CreatedAt  string            `xml:"created_at"`
	DoneAt     string            `xml:"done_at,omitempty"`
	InAll      int64             `xml:"in_all"` // how many letters there were when it began
	Letters    int64             `xml:"letters"`
	Checks     int64             `xml:"checks"`
	Kinds      int               `xml:"kinds"`
	Unknown    int64             `xml:"unknown"`
	Back       models.Amount     `xml:"back"`
	Found      int64             `xml:"number_of_findings"`
}

// auditItem is an audit in a list.
type auditItem struct {
	XMLName xml.Name `xml:"audit"`
	auditHead
}

// auditDetail is an audit with a page of its findings.
type auditDetail struct {
	XMLName    xml.Name `xml:"audit"`
	Page       int      `xml:"page,attr"`
	TotalPages int64    `xml:"total_pages,attr"`
	PerPage    int      `xml:"per_page,attr"`
	auditHead
	ByClass  auditClasses `xml:"by_class"`
	Findings findingsXML  `xml:"findings"`
}

// auditClasses say how many findings there are of each class (rule U4).
type auditClasses struct {
	Law   int64 `xml:"law,attr"`
	Rule  int64 `xml:"rule,attr"`
	Doubt int64 `xml:"doubt,attr"`
}

type findingsXML struct {
	Findings []findingXML `xml:"finding"`
}

// findingXML is a question that was answered with no. Its text is in the creditor's language.
type findingXML struct {
	Class    models.FindingClass `xml:"class"`
	Code     string              `xml:"code"`
	Creditor int64               `xml:"creditor"`
	Customer linkedNumber        `xml:"customer"`
	Invoice  linkedNumber        `xml:"invoice"`             // its number
	Notice   *linkedNumber       `xml:"notice"`              // absent if it is of no notice
	HandOver int64               `xml:"hand_over,omitempty"` // absent if it is of no hand-over
	Rows     rowNames            `xml:"rows"`
	Expected string              `xml:"expected"`
	Found    string              `xml:"found"`
	Back     models.Amount       `xml:"back"`
	Law      string              `xml:"law"`
	Text     string              `xml:"text"`
}

// linkedNumber is a number or an ID, with the address of what it names.
type linkedNumber struct {
	URI    string `xml:"uri,attr"`
	Number int64  `xml:",chardata"`
}

// rowNames name rows, as in "overdue_notices 17".
type rowNames struct {
	Rows []string `xml:"row"`
}

func (rq *request) auditHead(a models.Audit) auditHead {
	h := auditHead{
		URI: rq.uri("audit", a.ID), State: a.State, AskedBy: a.AskedBy, CustomerID: a.CustomerID, From: a.From, To: a.To, CreatedAt: rq.stamp(a.CreatedAt),
		InAll: a.InAll, Letters: a.Letters, Checks: a.Checks, Kinds: len(a.Kinds), Unknown: a.Unknown, Back: a.Back, Found: a.Findings,
	}
	if a.DoneAt != nil {
		h.DoneAt = rq.stamp(*a.DoneAt)
	}
	return h
}

func (rq *request) auditItem(a models.Audit) auditItem { return auditItem{auditHead: rq.auditHead(a)} }

// findingXML returns a finding that is kept, in the creditor's language.
func (rq *request) findingXML(f models.AuditFinding) findingXML {
	shown := audit.PrintedRow(f, rq.creditor.Language)
	x := findingXML{
		Class: f.Class, Code: f.Code, Creditor: f.CreditorID, Customer: linkedNumber{rq.uri("customer", f.CustomerID), f.CustomerID},
		Invoice: linkedNumber{rq.uri("invoice", f.InvoiceID), f.Invoice}, HandOver: f.HandOverID, Rows: rowNames{f.Rows}, Expected: f.Expected, Found: f.Found,
		Back: f.Back(), Law: shown.Law, Text: shown.Text,
	}
	if f.NoticeID != 0 {
		x.Notice = &linkedNumber{rq.uri("overdue_notice", f.NoticeID), f.NoticeID}
	}
	return x
}

// listAudits lists the audits that were asked for.
func (s *Server) listAudits(ctx context.Context, rq *request) (answer, error) {
	return listed("audits", rq.query(), rq.auditItem, func(p store.Page) ([]models.Audit, int64, error) {
		return s.db.Audits(ctx, rq.creditor.ID, p)
	})
}

// showAudit shows an audit with a page of its findings, in the order in which they were found.
func (s *Server) showAudit(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	q := rq.query()
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	var shown auditDetail
	err = s.db.View(ctx, func(v store.View) error {
		shown, err = rq.auditDetail(ctx, v, id, p)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return rq.ok(shown)
}

// auditReader is a view of the database, or a transaction.
type auditReader interface {
	Audit(ctx context.Context, creditorID, id int64) (models.Audit, error)
	AuditFindings(ctx context.Context, creditorID, auditID int64, p store.Page) ([]models.AuditFinding, int64, error)
	AuditFindingSums(ctx context.Context, creditorID, auditID int64) ([]store.FindingSum, error)
}

func (rq *request) auditDetail(ctx context.Context, from auditReader, id int64, p store.Page) (auditDetail, error) {
	a, err := from.Audit(ctx, rq.creditor.ID, id)
	if err != nil {
		return auditDetail{}, err
	}
	found, total, err := from.AuditFindings(ctx, rq.creditor.ID, id, p)
	if err != nil {
		return auditDetail{}, err
	}
	sums, err := from.AuditFindingSums(ctx, rq.creditor.ID, id)
	if err != nil {
		return auditDetail{}, err
	}
	shown := auditDetail{Page: p.Number, TotalPages: p.Pages(total), PerPage: p.Size, auditHead: rq.auditHead(a)}
	for _, s := range sums {
		switch s.Class {
		case models.FindingLaw:
			shown.ByClass.Law = s.Findings
		case models.FindingRule:
			shown.ByClass.Rule = s.Findings
		case models.FindingDoubt:
			shown.ByClass.Doubt = s.Findings
		}
	}
	for _, f := range found {
		shown.Findings.Findings = append(shown.Findings.Findings, rq.findingXML(f))
	}
	return shown, nil
}

// startAudit begins an audit of the creditor's letters, which a task does (rule U5). It answers 202 with the audit's address.
func (s *Server) startAudit(_ context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	ask := asked.Request{Actor: rq.actor()}
	if !body.Empty() {
		f, err := form.Parse(body, "audit")
		if err != nil {
			return nil, err
		}
		if text, _ := f.Token("customer_id"); text != "" {
			ask.CustomerID, _ = f.Number("customer_id")
			if ask.CustomerID <= 0 {
				f.Fault("customer_id", "invalid_number", "must be the ID of a customer")
			}
		}
		for name, day := range map[string]*models.Date{"from": &ask.From, "to": &ask.To} {
			if text, _ := f.Token(name); text != "" {
				*day, _ = f.Date(name)
			}
		}
		if err := f.Done(ask.Validate()); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		a, err := asked.Start(ctx, tx, rq.creditor.ID, ask)
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.auditDetail(ctx, tx, a.ID, store.Page{Number: 1, Size: defaultPerPage})
		if err != nil {
			return answer{}, err
		}
		begun, err := rq.shown(http.StatusAccepted, shown)
		if err != nil {
			return answer{}, err
		}
		begun.location = shown.URI
		return begun, nil
	}, nil
}
