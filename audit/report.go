package audit

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"purr/models"
)

// Report is a verdict as programs read it (rule U12). Amounts are texts.
type Report struct {
	Letters  int64           `json:"letters"`
	Checks   int64           `json:"checks"`
	Kinds    int             `json:"kinds"`
	Unknown  int64           `json:"unknown"`
	Back     models.Amount   `json:"back"`
	Findings []ReportFinding `json:"findings"`
}

// ReportFinding is a finding as programs read it. Notice is 0 if it is of none.
type ReportFinding struct {
	Class    Class         `json:"class"`
	Code     string        `json:"code"`
	Creditor int64         `json:"creditor"`
	Customer int64         `json:"customer"` // its ID
	Invoice  int64         `json:"invoice"`  // its number
	Notice   int64         `json:"notice"`
	HandOver int64         `json:"hand_over,omitempty"`
	Rows     []string      `json:"rows"`
	Expected string        `json:"expected"`
	Found    string        `json:"found"`
	Back     models.Amount `json:"back"`
	Law      string        `json:"law"`
	Text     string        `json:"text"`
}

// Report returns the verdict with its sentences in a language: nb, nn or en.
func (v *Verdict) Report(language string) Report {
	r := Report{v.Letters, v.Checks, v.Kinds(), v.Unknown, v.Back(), []ReportFinding{}}
	for _, f := range v.Findings {
		r.Findings = append(r.Findings, ReportFinding{
			f.Class(), f.Code.String(), f.CreditorID, f.CustomerID, f.Invoice, f.NoticeID, f.HandOverID, f.Rows, f.Expected, f.Found, f.Back.Sum(), f.Source(), f.Text(language),
		})
	}
	return r
}

// Columns are those of the CSV file, as the members of the JSON document are called.
var Columns = []string{"class", "code", "creditor", "customer", "invoice", "notice", "rows", "expected", "found", "back", "law", "text"}

// WriteCSV writes the findings, one a row, under Columns.
func (r Report) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	if err := w.Write(Columns); err != nil {
		return err
	}
	for _, f := range r.Findings {
		number := func(n int64) string { return strconv.FormatInt(n, 10) }
		err := w.Write([]string{
			string(f.Class), f.Code, number(f.Creditor), number(f.Customer), number(f.Invoice), number(f.Notice), strings.Join(f.Rows, "; "),
			models.CSVCell(f.Expected), models.CSVCell(f.Found), f.Back.String(), f.Law, models.CSVCell(f.Text),
		})
		if err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Sentence returns the verdict in one line.
func (r Report) Sentence() string {
	of := make(map[Class]int)
	for _, f := range r.Findings {
		of[f.Class]++
	}
	return fmt.Sprintf("%d letters, %d checks of %d kinds, %d unknown; findings: %d of law, %d of rule, %d in doubt; to give back: %s",
		r.Letters, r.Checks, r.Kinds, r.Unknown, of[Law], of[Rule], of[Doubt], r.Back)
}

// Clean reports whether nothing was found of law or rule.
func (v *Verdict) Clean() bool {
	for _, f := range v.Findings {
		if f.Class() != Doubt {
			return false
		}
	}
	return true
}
