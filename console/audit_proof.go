package console

import (
	"context"
	"strings"

	"purr/audit"
	"purr/audit/report"
	"purr/models"
)

// findingCells returns the cells of a finding in a CSV file.
func (rq *request) findingCells(f models.AuditFinding) []any {
	shown := audit.PrintedRow(f, rq.words.Language)
	return []any{
		rq.words.Say("audits.class." + string(f.Class)), f.Code, f.CustomerID, f.Invoice, string(shown.Notice), shown.Text, f.Expected, f.Found, f.Back(), shown.Law, strings.Join(f.Rows, " "),
	}
}

// proofPage proves one letter, question by question (rule U5).
type proofPage struct {
	view
	Invoice models.Invoice
	Notice  models.Notice
	Answers []proofRow
	Verdict *audit.Verdict
	Against int // questions that are answered with no
}

// proofRow is a question with what it was answered from.
type proofRow struct {
	audit.Answer

	Question, Law, Rows string
}

// proofPage proves the notice in the path from its rows as they are now.
func (s *Server) proofPage(ctx context.Context, rq *request) (reply, error) {
	i, n, err := s.noticeIn(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	auditor, err := audit.New(ctx, s.db, s.cfg.Rules, rq.creditor)
	if err != nil {
		return reply{}, err
	}
	p := &proofPage{Invoice: i, Notice: n}
	if p.Verdict, err = auditor.Explain(ctx, i.ID, audit.Options{Notice: n.ID}); err != nil {
		return reply{}, err
	}
	for _, a := range p.Verdict.Answers {
		if !a.Holds && !a.Unknown {
			p.Against++
		}
		a.Found, a.Expected = report.Written(a.Found, rq.words.Language), report.Written(a.Expected, rq.words.Language)
		p.Answers = append(p.Answers, proofRow{a, a.Question(rq.words.Language), a.Source(), strings.Join(a.Rows, ", ")})
	}
	p.view = rq.view("proof.title")
	kind := "fact.reminder"
	if n.Warning {
		kind = "fact.warning"
	}
	p.Lead = rq.words.SayHTML("reckoned.lead", "notice", rq.words.Say(kind), "number", numberOf(i), "issued", n.IssueDate)
	return show("audit_proof", p)
}

// Back returns what of the letter's charges is to be paid back.
func (p *proofPage) Back() models.Amount { return p.Verdict.Back() }
