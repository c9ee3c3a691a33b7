package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/audit"
	"purr/audit/reckoning"
	"purr/documents/pdf"
	"purr/models"
)

// auditPaper gathers what the PDF of an audit shows, while it is made: the timelines of invoices with findings, and the SHA-256 of the rows.
type auditPaper struct {
	asked    operator.Audit
	language string
	findings []pdf.AuditFinding
	more     int
	sums     map[string]*pdf.AuditSum
	order    []string // of sums
	rows     hash.Hash
	err      error // the first one of writing rows
}

// placeWords are what an invoice and a letter on it are called.
var placeWords = map[string][2]string{"nb": {"faktura", "brev"}, "nn": {"faktura", "brev"}, "en": {"invoice", "letter"}}

func newAuditPaper(asked operator.Audit) *auditPaper {
	p := &auditPaper{asked: asked, language: "en", sums: make(map[string]*pdf.AuditSum), rows: sha256.New()}
	if asked.Creditor != nil && asked.Creditor.Language != "" {
		p.language = asked.Creditor.Language
	}
	return p
}

// judged keeps what was found of an invoice.
func (p *auditPaper) judged(c *audit.Case, found []audit.Finding) {
	p.err = errors.Join(p.err, c.WriteRows(p.rows))
	if len(found) == 0 {
		return
	}
	timeline := c.Timeline(p.language)
	for _, f := range found {
		shown := f.Printed(p.language, timeline)
		if shown.Back != 0 {
			name := fmt.Sprintf("%s (%s)", c.Customer.Recipient.Name1, shown.Customer)
			if p.sums[name] == nil {
				p.sums[name], p.order = &pdf.AuditSum{Customer: name}, append(p.order, name)
			}
			p.sums[name].Back += shown.Back
			p.sums[name].Findings++
		}
		if len(p.findings) == mostInPDF {
			p.more++
			continue
		}
		words := placeWords[p.language]
		place := fmt.Sprintf("%s, %s %s", c.Customer.Recipient.Name1, words[0], shown.Invoice)
		if shown.Notice != "" {
			place += fmt.Sprintf(", %s %s", words[1], shown.Notice)
		}
		p.findings = append(p.findings, pdf.AuditFinding{
			Class: shown.Class, Place: place, Text: shown.Text, Law: shown.Law, Rows: shown.Rows, Timeline: shown.Timeline, Back: shown.Back,
		})
	}
}

// print writes the PDF, and says in words what the audit came to. It fails if there are findings of law or rule.
func (p *auditPaper) print(cmd *cobra.Command, o *operator.Operator, v *audit.Verdict, out string) error {
	in, err := p.input(o, v)
	if err = errors.Join(err, p.err); err != nil {
		return err
	}
	file, err := pdf.Audit(in)
	if err != nil {
		return err
	}
	err = writeOutput(cmd.Context(), out, true, func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, v.Report("en").LastLine())
	if !v.Clean() {
		return errSaid
	}
	return nil
}

func (p *auditPaper) input(o *operator.Operator, v *audit.Verdict) (pdf.AuditInput, error) {
	of := models.Creditor{Name: "purr"} // of all creditors
	day, err := models.BankDay(o.Clock.Now())
	if p.asked.Creditor != nil {
		of = *p.asked.Creditor
		day, err = o.Today(of)
	}
	if err != nil {
		return pdf.AuditInput{}, err
	}
	figures, err := reckoning.New(o.Rules.All())
	if err != nil {
		return pdf.AuditInput{}, err
	}
	byClass := make(map[string]int)
	for _, f := range v.Findings {
		byClass[string(f.Class())]++
	}
	in := pdf.AuditInput{
		Creditor: of, Date: day, From: p.asked.Filter.Letters.From, To: p.asked.Filter.Letters.To, Language: p.language, Findings: p.findings, More: p.more,
		Counts: auditCounts(p.language, int(v.Letters), int(v.Checks), v.Kinds(), int(v.Unknown), byClass), Table: lawTable(figures),
		Data: []pdf.AuditFile{{Name: "rows of " + strconv.FormatInt(v.Letters, 10) + " letters", SHA256: hex.EncodeToString(p.rows.Sum(nil))}},
	}
	for _, name := range p.order {
		in.Customers = append(in.Customers, *p.sums[name])
	}
	return in, nil
}
