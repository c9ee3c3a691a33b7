package report

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteJSON writes the report as one document.
func (r Report) WriteJSON(out io.Writer) error {
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteCSV writes a row for each finding, under the names of the JSON.
func (r Report) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	err := w.Write([]string{"class", "code", "creditor", "customer", "invoice", "notice", "rows", "expected", "found", "back", "law", "text"})
	for _, f := range r.Findings {
		if err != nil {
			return err
		}
		err = w.Write([]string{
			f.Class, f.Code, harmless(f.Creditor), harmless(f.Customer), harmless(f.Invoice), harmless(f.Notice), strings.Join(f.Rows, "; "),
			f.Expected, f.Found, f.Back.String(), f.Law, f.Text,
		})
	}
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}

// harmless returns a name that came from elsewhere so that no spreadsheet takes it for a formula.
func harmless(n Name) string {
	if n != "" && strings.ContainsAny(string(n[:1]), "=+-@\t\r") {
		return "'" + string(n)
	}
	return string(n)
}

// WriteTable writes each finding as a person reads it, and then what is to be paid back to whom.
func (r Report) WriteTable(out io.Writer) error {
	b := bufio.NewWriter(out)
	for _, f := range r.Findings {
		place := "invoice " + string(f.Invoice)
		if f.Notice != "" {
			place += ", notice " + string(f.Notice)
		}
		fmt.Fprintf(b, "%s  %s  %s, customer %s\n  %s (%s)\n", f.Class, f.Code, place, f.Customer, f.Text, f.Law)
		for _, step := range f.Working {
			fmt.Fprintf(b, "    %s\n", step)
		}
		if f.Back != 0 {
			fmt.Fprintf(b, "  back: %s\n", f.Back)
		}
		fmt.Fprintln(b)
	}
	if owed := r.Customers(); len(owed) > 0 {
		w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "CUSTOMER\tFINDINGS\tBACK")
		for _, o := range owed {
			fmt.Fprintf(w, "%s\t%d\t%s\n", o.Customer, o.Findings, o.Back)
		}
		fmt.Fprintln(w)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintln(b, r.LastLine())
	return b.Flush()
}
