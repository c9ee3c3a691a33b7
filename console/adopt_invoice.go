package console

import (
	"context"
	"fmt"
	"strconv"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// adoptPage is the form of an invoice that another system has issued (rule L17).
type adoptPage struct {
	view
	whom
	Notices []int // the rows for notices of the other system, from 1
}

func (s *Server) adoptPage(ctx context.Context, rq *request) (reply, error) {
	to, err := s.whom(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &adoptPage{view: rq.view("adopt.title"), whom: to}
	for n := range models.MaxAdoptedNotices {
		p.Notices = append(p.Notices, n+1)
	}
	return show("adopt_invoice", p)
}

// adopt follows the invoice from now on.
func (s *Server) adopt(ctx context.Context, rq *request) (reply, error) {
	a, err := rq.adoptionAsked()
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		all, err := billing.Adopt(ctx, tx, rq.creditor.ID, []billing.Adoption{a})
		if err != nil {
			return done{}, err
		}
		if all[0].Err != nil {
			return done{}, all[0].Err
		}
		i := all[0].Invoice
		made := i.Document()
		return done{to: rq.pathOf(i), made: &made, message: rq.said("adopt.done", "number", numberOf(i), "balance", i.Balance, "name", i.Recipient.Name1)}, nil
	})
}

// adoptionAsked reads the form.
func (rq *request) adoptionAsked() (a billing.Adoption, err error) {
	f := rq.fields()
	a = billing.Adoption{
		IssueDate: f.date("issue_date"), DueDate: f.date("due_date"), Gross: f.amount("gross_amount"), Balance: f.amount("balance"),
		KID: withoutBlanks(f.text("kid")), BankAccount: withoutBlanks(f.text("bank_account")), Actor: rq.actor(),
	}
	a.Number, err = strconv.ParseInt(f.text("invoice_number"), 10, 64)
	if err != nil {
		a.Number = 0 // which is refused
	}
	if a.CustomerID, a.NewCustomer, err = f.whom(); err != nil {
		return a, err
	}
	var rows adoptedRows
	for n := 1; n <= models.MaxAdoptedNotices; n++ {
		if notice, filled := f.adoptedNotice(n); filled {
			a.Notices, rows = append(a.Notices, notice), append(rows, n)
		}
	}
	rq.fieldOf = rows.fieldOf
	return a, f.done(a.Validate(rq.creditor, rq.today()))
}

// adoptedNotice reads the row of a notice, and reports false if it is empty.
func (f *fields) adoptedNotice(row int) (n billing.AdoptedNotice, filled bool) {
	named := func(name string) string { return rowOf(name, row) }
	for _, name := range []string{"issue_date", "due_date", "charge", "interest"} {
		filled = filled || f.has(named(name))
	}
	if !filled {
		return n, false
	}
	n = billing.AdoptedNotice{IssueDate: f.date(named("issue_date")), DueDate: f.date(named("due_date")), Warning: f.has(named("is_incasso_notice"))}
	for name, to := range map[string]*models.Amount{"charge": &n.Charge, "interest": &n.Interest} {
		if f.has(named(name)) {
			*to = f.amount(named(name))
		}
	}
	return n, true
}

// rowOf returns the name of a field of a row.
func rowOf(name string, row int) string { return fmt.Sprintf("%s-%d", name, row) }

// adoptedRows are the rows of the form that the notices of its invoice stand in.
type adoptedRows []int

// fieldOf returns the form's field for a fault.
func (rows adoptedRows) fieldOf(e *models.Error) string {
	at := e.Place
	switch {
	case len(at) > 2 && at[0].Name == "notices" && at[1].Nth > 0 && at[1].Nth <= len(rows):
		return rowOf(at[2].Name, rows[at[1].Nth-1])
	case len(at) > 1 && at[0].Name == "recipient":
		return at[1:].String()
	}
	return fieldAtPlace(e)
}

// Of returns a field of a notice's row.
func (p *adoptPage) Of(name, label string, row int, options ...string) input {
	return p.Input(rowOf(name, row), label, "", options...)
}
