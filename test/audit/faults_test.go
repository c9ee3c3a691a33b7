package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/audit"
	"purr/models"
	"purr/test/testkit"
)

// fault is something wrong that is planted into the rows.
type fault struct {
	what    string   // a sentence for the table
	do      []string // statements; see world.sql
	invoice string   // on which it is found
	code    string   // of the finding
	back    string   // of the whole audit
}

// charge are the statements that raise what a notice charges in all its rows alike, as a program would that reckons wrongly: by øre of the fee
// or the interest.
func charge(kind, name string, step int, by models.Amount) []string {
	column, path, segment := "fee", "$.overdue_charge.amount", ""
	if kind == "INTEREST" {
		column, path = "interest", "$.interest.amount"
		segment = ", '$.interest.segments[0].amount', printf('%.2f', json_extract(sheet, '$.interest.segments[0].amount') + @by/100.0)"
	}
	at := fmt.Sprintf("{%s %d}", name, step)
	return in(by,
		"UPDATE overdue_notices SET "+column+" = "+column+" + @by, gross = gross + @by, sheet = json_set(sheet, '"+path+"', printf('%.2f', ("+column+" + @by)/100.0)"+segment+") WHERE id = "+at,
		"UPDATE entries SET amount = amount + @by WHERE notice_id = "+at+" AND type = '"+kind+"' AND amount > 0",
		"UPDATE overdue_notice_lines SET gross = gross + @by WHERE id = (SELECT MAX(id) FROM overdue_notice_lines WHERE notice_id = "+at+" AND type = '"+kind+"')",
		"UPDATE invoices SET balance = balance + @by WHERE id = {"+name+"}")
}

func in(by models.Amount, statements ...string) []string {
	for i := range statements {
		statements[i] = strings.ReplaceAll(statements[i], "@by", fmt.Sprint(int64(by)))
	}
	return statements
}

// newFee are the statements by which a notice that charges no fee charges one, in all its rows alike.
func newFee(name string, step int, by models.Amount) []string {
	at := fmt.Sprintf("{%s %d}", name, step)
	return in(by,
		"UPDATE overdue_notices SET fee = @by, gross = gross + @by, sheet = json_set(sheet, '$.overdue_charge.amount', printf('%.2f', @by/100.0)) WHERE id = "+at,
		"INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number, notice_id, payment_file_id, created_at) "+
			"SELECT creditor_id, customer_id, invoice_id, 0, 'OVERDUE_CHARGE', @by, issue_date, '', '', id, 0, created_at FROM overdue_notices WHERE id = "+at,
		"INSERT INTO overdue_notice_lines (notice_id, position, text, gross, type, transaction_date) SELECT id, 99, '', @by, 'OVERDUE_CHARGE', issue_date FROM overdue_notices WHERE id = "+at,
		"UPDATE invoices SET balance = balance + @by WHERE id = {"+name+"}")
}

const fee, interest = "OVERDUE_CHARGE", "INTEREST"

// sql fills in the IDs: {name} is an invoice's, {name 1} that of its first notice, {name to} that of its customer.
func (w *world) sql(statement string) string {
	w.Helper()
	for name, at := range w.invoices {
		statement = strings.ReplaceAll(statement, "{"+name+"}", fmt.Sprint(at.id))
		statement = strings.ReplaceAll(statement, "{"+name+" to}", fmt.Sprint(at.customer))
		for step := 1; step <= 2; step++ {
			if of := fmt.Sprintf("{%s %d}", name, step); strings.Contains(statement, of) {
				statement = strings.ReplaceAll(statement, of, fmt.Sprint(w.notice(name, step)))
			}
		}
	}
	return statement
}

// classOf returns the class of the questions with a name.
func classOf(code string) audit.Class {
	for _, c := range audit.Kinds() {
		if c.String() == code {
			return c.Class()
		}
	}
	return ""
}

// TestReferenceFaultsU10 plants each fault alone, and finds it: with its code, on its invoice, and with what is to be given back in all. It
// writes the table of docs/audit-faults.md. Without the tag "whole" a fifth of them is planted.
func TestReferenceFaultsU10(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kept := w.keep()
	rows := []string{"| fault | code | class | back |", "|---|---|---|---|"}
	clean := w.audited(t, kept)
	for _, f := range clean.Findings {
		t.Errorf("nothing is planted, and found is %s on invoice %d: %s %v", f.Code, f.Invoice, f.Text("en"), f.Rows)
	}
	for n, f := range faults {
		rows = append(rows, fmt.Sprintf("| %s | `%s` | %s | %s |", f.what, f.code, classOf(f.code), f.back))
		if !testkit.Whole && n%5 != 0 {
			continue
		}
		t.Run(f.what, func(t *testing.T) {
			var statements []string
			for _, s := range f.do {
				statements = append(statements, w.sql(s))
			}
			v := w.audited(t, kept, statements...)
			var told []string
			found := false
			for _, is := range v.Findings {
				told = append(told, fmt.Sprintf("%s (%s) on invoice %d of creditor %d, %s to give back: %s", is.Code, is.Class(), is.Invoice, is.CreditorID, is.Back.Sum(), is.Text("en")))
				found = found || is.Code.String() == f.code && is.InvoiceID == w.invoices[f.invoice].id
			}
			slices.Sort(told)
			if !found || v.Back().String() != f.back {
				t.Errorf("want %s on %q with %s to give back, found %s:\n%s", f.code, f.invoice, f.back, v.Back(), strings.Join(told, "\n"))
			}
		})
	}
	t.Run("put right", func(t *testing.T) { w.allPutRight(t, kept) })
	t.Run("by night", w.foundByNight)
	if len(faults) < 60 {
		t.Errorf("%d kinds of faults are planted, and 60 are asked for", len(faults))
	}
	if t.Failed() {
		return
	}
	path := filepath.Join("..", "..", "docs", "audit-faults.md")
	before, err := os.ReadFile(path)
	testkit.Must(t, err)
	head, _, _ := strings.Cut(string(before), "\n| fault |")
	after := head + "\n" + strings.Join(rows, "\n") + "\n"
	if os.Getenv("PURR_UPDATE_DOCS") != "" {
		testkit.Must(t, os.WriteFile(path, []byte(after), 0o644)) //nolint:gosec // a page of the docs
	} else if after != string(before) {
		t.Errorf("the table of %s is not the one of the faults: PURR_UPDATE_DOCS=1 writes it", path)
	}
}
