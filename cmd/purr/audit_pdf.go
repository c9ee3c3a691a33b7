package main

import (
	"io"
	"strconv"

	"purr/audit/foreign"
	"purr/audit/reckoning"
	"purr/documents/pdf"
	"purr/models"
)

// mostInPDF is how many findings a PDF shows. A document of more is read by nobody; the CSV file has all.
const mostInPDF = 2000

// writePDF writes what one hands to an inspector of another system's letters.
func (a *foreignAudit) writePDF(out io.Writer, set *foreign.Set, figures *reckoning.Law) error {
	answer := set.Judge(figures, a.language)
	in := pdf.AuditInput{
		Creditor: models.Creditor{Name: a.name}, Date: today(), Language: a.language, Table: lawTable(figures),
		Counts: auditCounts(a.language, answer.Letters, answer.Checks, answer.Kinds, answer.Unknown, answer.ByClass),
	}
	in.From, in.To = set.Days()
	for _, f := range set.Files {
		in.Data = append(in.Data, pdf.AuditFile{Name: f.Name, SHA256: f.SHA256})
	}
	for _, c := range answer.Customers {
		in.Customers = append(in.Customers, pdf.AuditSum{Customer: string(c.Customer), Findings: c.Findings, Back: c.Back})
	}
	for f := range answer.Findings {
		if len(in.Findings) == mostInPDF {
			in.More++
			continue
		}
		in.Findings = append(in.Findings, pdf.AuditFinding{
			Class: f.Class, Place: string(f.Customer) + ", " + string(f.Invoice) + ", " + string(f.Notice), Text: f.Text, Law: f.Law,
			Working: f.Working, Timeline: f.Timeline, Back: f.Back,
		})
	}
	file, err := pdf.Audit(in)
	if err != nil {
		return err
	}
	_, err = out.Write(file)
	return err
}

// lawTable returns every figure of the law that an audit uses.
func lawTable(figures *reckoning.Law) (table []pdf.AuditFigure) {
	for _, kind := range models.RuleKinds {
		for _, f := range figures.Figures(kind) {
			table = append(table, pdf.AuditFigure{Kind: string(f.Kind), Value: f.Value, Source: f.Source, From: f.From})
		}
	}
	return table
}

// auditWords are what the figures of an audit are called.
var auditWords = map[string][7]string{
	"nb": {"Brev", "Spørsmål som er besvart", "Slag av spørsmål", "Spørsmål som ingen kan svare på", "Funn: lovbrudd", "Funn: regelbrudd", "Funn: tvil"},
	"nn": {"Brev", "Spørsmål som er svarte på", "Slag av spørsmål", "Spørsmål som ingen kan svare på", "Funn: lovbrot", "Funn: regelbrot", "Funn: tvil"},
	"en": {"Letters", "Questions that were answered", "Kinds of questions", "Questions that nobody can answer", "Findings: against the law", "Findings: against a rule", "Findings: doubt"},
}

func auditCounts(language string, letters, checks, kinds, unknown int, byClass map[string]int) (counts []pdf.AuditCount) {
	words := auditWords[language]
	for i, n := range []int{letters, checks, kinds, unknown, byClass["law"], byClass["rule"], byClass["doubt"]} {
		counts = append(counts, pdf.AuditCount{What: words[i], Value: strconv.Itoa(n)})
	}
	return counts
}
