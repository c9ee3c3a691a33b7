package console

import (
	"context"
	"html/template"

	"purr/audit"
	"purr/audit/asked"
	"purr/audit/report"
	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// auditRoutes are the audits that a person asks for (rule U5), and the proof of one letter.
func (s *Server) auditRoutes() []route {
	const page = "/c/{creditor}/operations/audits"
	return []route{
		{path: page, area: "operations", get: s.auditsPage, post: s.startAudit, scope: models.ScopeWrite},
		{path: page + "/{audit}", area: "operations", get: s.auditPage},
		{path: page + "/{audit}/findings.csv", area: "operations", get: s.findingsCSV, long: true},
		{path: page + "/{audit}/repay", area: "operations", get: s.auditRepayPage, post: s.repayAudit, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/invoices/{number}/notices/{notice}/proof", area: "invoices", get: s.proofPage},
	}
}

// auditsPage begins an audit, and lists those of before, the latest first.
type auditsPage struct {
	view
	Audits []models.Audit
	Pager  pager
}

func (s *Server) auditsPage(ctx context.Context, rq *request) (reply, error) {
	p := &auditsPage{view: rq.view("audits.title")}
	before, err := rq.idOr("before", "")
	if err != nil {
		return reply{}, err
	}
	audits, err := s.db.LatestAudits(ctx, rq.creditor.ID, before, perPage+1)
	if err != nil {
		return reply{}, err
	}
	p.Audits = onPage(audits, &p.Pager, func(a models.Audit) string { return rq.base + "/operations/audits?before=" + toPath(a.ID) })
	if before != 0 {
		p.Pager.Previous = rq.base + "/operations/audits"
	}
	p.Lead = rq.words.SayHTML("audits.lead")
	return show("audits", p)
}

// startAudit begins an audit as POST /api/v1/audits does, and leads to its page, where it is watched.
func (s *Server) startAudit(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	ask := asked.Request{From: f.date("from"), To: f.date("to"), Actor: rq.actor()}
	if f.text("customer_id") != "" {
		ask.CustomerID = f.number("customer_id")
		_, err := s.db.Customer(ctx, rq.creditor.ID, ask.CustomerID)
		switch {
		case models.KindOf(err) == models.KindNotFound:
			f.faults.Add("no_such_customer", "customer_id", "is no customer's ID")
		case err != nil:
			return reply{}, err
		}
	}
	if err := f.done(ask.Validate().ErrorOrNil()); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		a, err := asked.Start(ctx, tx, rq.creditor.ID, ask)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/operations/audits/" + toPath(a.ID), message: rq.said("audits.begun")}, nil
	})
}

// findingsPerPage is how many findings a page shows, each with its timeline.
const findingsPerPage = 20

// auditPage shows how far an audit is, and what it found, class by class.
type auditPage struct {
	view
	Audit    models.Audit
	Sums     []store.FindingSum // of the classes with findings
	Class    models.FindingClass
	Findings []findingRow
	Pager    pager
}

// findingRow is a finding with its words, and what happened on its invoice.
type findingRow struct {
	models.AuditFinding

	Law, Text string
	Timeline  []string
}

// auditPage shows an audit; with ?part=progress it says how far it is, as JSON.
func (s *Server) auditPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("audit")
	if err != nil {
		return reply{}, err
	}
	p := &auditPage{view: rq.view("audits.one", "number", toPath(id))}
	err = s.db.View(ctx, func(v store.View) (err error) {
		if p.Audit, err = v.Audit(ctx, rq.creditor.ID, id); err != nil || p.Audit.State == models.AuditRunning {
			return err
		}
		return p.read(ctx, v)
	})
	if err != nil {
		return reply{}, err
	}
	if rq.query("part") == "progress" {
		return progress(p.Progressed(), p.Audit.Letters, p.Audit.InAll, p.Audit.State != models.AuditRunning)
	}
	p.Lead = p.lead()
	return show("audit", p)
}

// read reads what a page shows of the findings of an audit that is done.
func (p *auditPage) read(ctx context.Context, v store.View) (err error) {
	rq, id := p.rq, p.Audit.ID
	if p.Sums, err = v.AuditFindingSums(ctx, rq.creditor.ID, id); err != nil || len(p.Sums) == 0 {
		return err
	}
	p.Class = p.Sums[0].Class
	for _, s := range p.Sums {
		if string(s.Class) == rq.query("class") {
			p.Class = s.Class
		}
	}
	page := store.Page{Number: rq.pageNumber(), Size: findingsPerPage}
	found, total, err := v.AuditFindingsOf(ctx, rq.creditor.ID, id, p.Class, page)
	if err != nil {
		return err
	}
	p.Pager = p.pages(page, total)
	invoices := make([]int64, len(found))
	for n, f := range found {
		invoices[n] = f.InvoiceID
	}
	timelines, err := audit.Timelines(ctx, v, rq.creditor, rq.words.Language, invoices)
	if err != nil {
		return err
	}
	for _, f := range found {
		shown := audit.PrintedRow(f, rq.words.Language)
		f.Found, f.Expected = report.Written(f.Found, rq.words.Language), report.Written(f.Expected, rq.words.Language)
		p.Findings = append(p.Findings, findingRow{f, shown.Law, shown.Text, timelines[f.InvoiceID]})
	}
	return nil
}

// lead says what the audit is of, and what it came to.
func (p *auditPage) lead() template.HTML {
	a := p.Audit
	switch {
	case a.State == models.AuditFailed:
		return p.rq.words.SayHTML("audits.failed")
	case a.State == models.AuditRunning:
		return p.rq.words.SayHTML("audits.runs")
	case a.Findings == 0:
		return p.rq.words.SayHTML("audits.clean", "n", a.Letters)
	}
	return p.rq.words.SayHTML("audits.found", "n", a.Findings, "sum", a.Back)
}

// Progressed says how far the audit is.
func (p *auditPage) Progressed() string {
	return p.rq.words.Say("audits.progress", "letters", p.Audit.Letters, "all", p.Audit.InAll)
}

// Tabs leads to the findings of each class.
func (p *auditPage) Tabs() (tabs []link) {
	for _, s := range p.Sums {
		label := p.rq.words.Say("audits.class." + string(s.Class))
		tabs = append(tabs, link{Label: label + " " + locale.Number(toPath(s.Findings)), Path: p.URL("operations", "audits", p.Audit.ID) + "?class=" + string(s.Class), Present: s.Class == p.Class})
	}
	return tabs
}

// Means says what the class of the findings is.
func (p *auditPage) Means() string { return p.rq.words.Say("audits.means." + string(p.Class)) }

// findingsCSV answers with all findings of an audit, in the order in which they were found.
func (s *Server) findingsCSV(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("audit")
	if err != nil {
		return reply{}, err
	}
	a, err := s.db.Audit(ctx, rq.creditor.ID, id)
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("audits.class", "audits.code", "audits.customer", "audits.invoice", "audits.notice", "audits.text", "audits.expected", "audits.is", "audits.back", "audits.law", "audits.rows")
	return rq.csv("audit-"+toPath(a.ID), header, func(write func(...any) error) error {
		for last := int64(0); ; {
			found, err := s.db.AuditFindingsAfter(ctx, rq.creditor.ID, a.ID, last, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			for _, f := range found {
				last = f.ID
				if err := write(rq.findingCells(f)...); err != nil {
					return err
				}
			}
		}
	})
}
