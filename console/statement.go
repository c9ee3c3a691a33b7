package console

import (
	"context"
	"fmt"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// statementPage is the statement of a customer for a period.
type statementPage struct {
	view
	receivables.Statement
	Period string // the query of the period, for the statement's files
}

func (s *Server) statementPage(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	statement, period, err := s.statement(ctx, rq, c.ID)
	if kind := models.KindOf(err); kind == models.KindInvalid {
		rq.refused = err
	} else if err != nil {
		return reply{}, err
	}
	p := &statementPage{view: rq.view("statement.title", "name", c.Recipient.Name1), Statement: statement}
	p.From, p.To = period.From, period.To
	p.Period = periodOf(period)
	a, err := show("statement", p)
	if err != nil {
		return reply{}, err
	}
	if rq.refused != nil {
		a.refuse(rq.refused)
	}
	return a, nil
}

// periodOf returns the query that asks for a period.
func periodOf(d store.Dates) string {
	return "?from_date=" + d.From.String() + "&to_date=" + d.To.String()
}

// statement reads the statement of a customer for the period that the URL asks for: a year up to today unless it says
// otherwise. A refusal of the period is an error of models.KindInvalid.
func (s *Server) statement(ctx context.Context, rq *request, customerID int64) (receivables.Statement, store.Dates, error) {
	d, err := rq.days(store.Dates{From: rq.today() - 365, To: rq.today()})
	if err != nil {
		for _, e := range faultsIn(err) {
			e.Kind = models.KindInvalid // the page shows it with nothing below
		}
		return receivables.Statement{}, d, err
	}
	var statement receivables.Statement
	err = s.db.View(ctx, func(v store.View) (err error) {
		statement, err = receivables.ReadStatement(ctx, v, rq.creditor.ID, customerID, d, rq.today())
		return err
	})
	return statement, d, err
}

// sendStatement has the statement sent by e-mail (rule L16).
func (s *Server) sendStatement(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	_, period, err := s.statement(ctx, rq, id)
	if err != nil {
		return reply{}, err
	}
	f := rq.fields()
	email := f.text("email")
	if email == "" {
		f.faults.Add("required", "email", "is required")
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		sent, err := receivables.Send(ctx, tx, rq.creditor, id, period, email, rq.actor())
		if err != nil {
			return done{}, err
		}
		made := sent.Document()
		return done{to: rq.ofCustomer(id, "/statement") + periodOf(period), message: rq.said("statement.sent", "address", sent.Recipient.Email), made: &made}, nil
	})
}

// statementOf reads the statement that a file is to show.
func (s *Server) statementOf(ctx context.Context, rq *request) (receivables.Statement, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return receivables.Statement{}, err
	}
	statement, _, err := s.statement(ctx, rq, id)
	return statement, err
}

func (s *Server) statementPDF(ctx context.Context, rq *request) (reply, error) {
	statement, err := s.statementOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	made, err := s.cfg.Documents.Statement(rq.creditor, statement, rq.today())
	if err != nil {
		return reply{}, err
	}
	return pdf(fmt.Sprintf("statement-%d-%s.pdf", statement.Customer.ID, statement.To), made), nil
}

func (s *Server) statementCSV(ctx context.Context, rq *request) (reply, error) {
	statement, err := s.statementOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("statement.date", "statement.what", "statement.invoice", "statement.credit_note", "statement.comment", "statement.amount", "statement.balance")
	return rq.csv(fmt.Sprintf("statement-%d", statement.Customer.ID), header, func(write func(values ...any) error) error {
		if err := write(statement.From, rq.words.Say("statement.opening"), "", "", "", "", statement.Opening); err != nil {
			return err
		}
		for _, l := range statement.Lines {
			creditNote := ""
			if l.CreditNoteNumber != 0 {
				creditNote = fmt.Sprint(l.CreditNoteNumber)
			}
			if err := write(l.TransactionDate, rq.entry(l.StatementEntry), l.InvoiceNumber, creditNote, l.Comment, l.Amount, l.Balance); err != nil {
				return err
			}
		}
		return write(statement.To, rq.words.Say("statement.closing"), "", "", "", "", statement.Closing)
	})
}

// Entry returns what an entry is, in words.
func (p *statementPage) Entry(e store.StatementEntry) string { return p.rq.entry(e) }

// entry returns what an entry is, in words.
func (rq *request) entry(e store.StatementEntry) string {
	switch e.Type {
	case models.EntryInvoice:
		return rq.words.Say("statement.is_invoice")
	case models.EntryCreditNote:
		return rq.words.Say("statement.is_credit_note")
	case models.EntryOverdueCharge:
		return rq.words.Say("statement.is_fee")
	case models.EntryInterest:
		return rq.words.Say("statement.is_interest")
	case models.EntryPayment, models.EntryOCR, models.EntryRepayment:
		switch {
		case e.MovedFrom != 0:
			return rq.words.Say("statement.is_moved")
		case e.Amount > 0:
			return rq.words.Say("statement.is_payout")
		case e.Type == models.EntryOCR:
			return rq.words.Say("statement.is_from_bank")
		}
		return rq.words.Say("statement.is_payment")
	}
	return string(e.Type)
}
