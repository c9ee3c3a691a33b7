package documents

import (
	"context"

	"purr/documents/pdf"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// Statement draws the statement of a customer on a day, in the customer's language.
func (s *Store) Statement(creditor models.Creditor, shown receivables.Statement, day models.Date) ([]byte, error) {
	logo, err := s.DrawnLogo(creditor.Seller())
	if err != nil {
		return nil, err
	}
	return statement(creditor, logo, shown, day)
}

func statement(creditor models.Creditor, logo *pdf.Logo, s receivables.Statement, day models.Date) ([]byte, error) {
	s.Customer.Language = creditor.LanguageOf(s.Customer)
	in := pdf.StatementInput{Creditor: creditor, Logo: logo, Customer: s.Customer, Date: day, From: s.From, To: s.To, Opening: s.Opening, Closing: s.Closing}
	for _, l := range s.Lines {
		line := pdf.StatementLine{Date: l.TransactionDate, Type: l.Type, Document: l.InvoiceNumber, Amount: l.Amount, Balance: l.Balance}
		if l.CreditNoteID != 0 {
			line.Document, line.Credit = l.CreditNoteNumber, true
		}
		in.Lines = append(in.Lines, line)
	}
	for _, d := range s.Open {
		in.Open = append(in.Open, pdf.StatementOpen{Number: d.Number, Credit: d.CreditNoteID != 0, IssueDate: d.IssueDate, DueDate: d.DueDate, Balance: d.Balance, Repayment: d.RepaymentOwed, Written: d.WrittenOff})
	}
	return pdf.Statement(in)
}

// drawStatement draws a statement that was sent, as the account is now.
func drawStatement(ctx context.Context, db *store.DB, in drawing) ([]byte, error) {
	c, sent := in.creditor, in.Statement
	day, err := c.Today(sent.CreatedAt)
	if err != nil {
		return nil, err
	}
	var shown receivables.Statement
	err = db.View(ctx, func(v store.View) error {
		shown, err = receivables.ReadStatement(ctx, v, c.ID, sent.CustomerID, store.Dates{From: sent.FromDate, To: sent.ToDate}, day)
		return err
	})
	if err != nil {
		return nil, err
	}
	return statement(c, in.logo, shown, day)
}
