package report

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"purr/models"
)

// Forms are the forms of an answer, by name.
var Forms = []string{"table", "csv", "json"}

// Write writes the report in one of the forms.
func (r Report) Write(out io.Writer, form string) error {
	switch form {
	case "table":
		return r.WriteTable(out)
	case "csv":
		return r.WriteCSV(out)
	case "json":
		return r.WriteJSON(out)
	}
	return fmt.Errorf("there is no form %q", form)
}

// printer prints on a buffer, and keeps the first error.
type printer struct {
	out *bufio.Writer
	err error
}

func newPrinter(out io.Writer) *printer { return &printer{out: bufio.NewWriter(out)} }

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

// end writes what is left, and returns the first error.
func (p *printer) end() error {
	if p.err != nil {
		return p.err
	}
	return p.out.Flush()
}

// WriteJSON writes the report as one document.
func (r Report) WriteJSON(out io.Writer) error {
	p := newPrinter(out)
	p.printf("{\n  \"letters\": %d,\n  \"checks\": %d,\n  \"kinds\": %d,\n  \"unknown\": %d,\n  \"back\": \"%s\",\n  \"findings\": [",
		r.Letters, r.Checks, r.Kinds, r.Unknown, r.Back)
	separator, end := "\n    ", ""
	for f := range r.Findings {
		text, err := indented(f)
		if err != nil {
			return err
		}
		p.printf("%s%s", separator, text)
		separator, end = ",\n    ", "\n  "
	}
	p.printf("%s]\n}\n", end)
	return p.end()
}

// indented returns a finding as JSON, as it stands in the document.
func indented(f Finding) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("    ", "  ")
	err := e.Encode(f)
	return bytes.TrimSpace(text.Bytes()), err
}

// columns are those of the CSV file, as the members of the JSON document are called.
var columns = []string{"class", "code", "creditor", "customer", "invoice", "notice", "rows", "expected", "found", "back", "law", "text"}

func cell(n Name) string { return models.CSVCell(string(n)) }

// WriteCSV writes a row for each finding, under the names of the JSON.
func (r Report) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	err := w.Write(columns)
	for f := range r.Findings {
		if err != nil {
			return err
		}
		err = w.Write([]string{
			f.Class, f.Code, cell(f.Creditor), cell(f.Customer), cell(f.Invoice), cell(f.Notice), models.CSVCell(strings.Join(f.Rows, "; ")),
			models.CSVCell(f.Expected), models.CSVCell(f.Found), f.Back.String(), models.CSVCell(f.Law), models.CSVCell(f.Text),
		})
	}
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}

// WriteTable writes each finding as a person reads it, then what is to be paid back to whom.
func (r Report) WriteTable(out io.Writer) error {
	p := newPrinter(out)
	for f := range r.Findings {
		place := "invoice " + string(f.Invoice)
		if f.Notice != "" {
			place += ", notice " + string(f.Notice)
		}
		if f.HandOver != "" {
			place += ", hand-over " + string(f.HandOver)
		}
		p.printf("%s  %s  %s, customer %s\n  %s (%s)\n", f.Class, f.Code, place, f.Customer, f.Text, f.Law)
		for _, step := range f.Working {
			p.printf("    %s\n", step)
		}
		if f.Back != 0 {
			p.printf("  back: %s\n", f.Back)
		}
		p.printf("\n")
	}
	if len(r.Customers) > 0 {
		p.printf("%s\n", r.customers())
	}
	return p.end()
}

// customers returns a line for each customer to whom something is to be paid back.
func (r Report) customers() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	p := newPrinter(w)
	p.printf("CUSTOMER\tFINDINGS\tBACK\n")
	for _, o := range r.Customers {
		p.printf("%s\t%d\t%s\n", o.Customer, o.Findings, o.Back)
	}
	_ = errors.Join(p.end(), w.Flush()) // a strings.Builder never fails
	return text.String()
}
