package api

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"

	"purr/api/form"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// customerStatementXML is the statement of a customer (rule L16).
type customerStatementXML struct {
	XMLName  xml.Name      `xml:"statement"`
	From     models.Date   `xml:"from_date,attr,omitempty"`
	To       models.Date   `xml:"to_date,attr"`
	Customer customerItem  `xml:"customer"`
	Opening  models.Amount `xml:"opening_balance"`
	Entries  []customerStatementLine
	Closing  models.Amount    `xml:"closing_balance"`
	Open     openDocumentsXML `xml:"open"`
}

// customerStatementLine is an entry with the customer's balance after it.
type customerStatementLine struct {
	XMLName xml.Name `xml:"ar_transaction"`
	documentEntry
	Invoice          link          `xml:"invoice"`
	InvoiceNumber    int64         `xml:"invoice_number"`
	CreditNote       *link         `xml:"credit_note"`
	CreditNoteNumber int64         `xml:"credit_note_number,omitempty"`
	Balance          models.Amount `xml:"balance"`
}

// openDocumentsXML are the documents whose balance is not zero. Their balances add up to the closing balance.
type openDocumentsXML struct {
	Documents []openDocumentXML
}

type openDocumentXML struct {
	XMLName   xml.Name
	URI       string        `xml:"uri,attr"`
	Number    int64         `xml:"number"`
	IssueDate models.Date   `xml:"issue_date"`
	DueDate   *models.Date  `xml:"due_date"` // of an invoice
	Balance   models.Amount `xml:"balance"`
	Repayment models.Amount `xml:"repayment_owed,omitempty"`
	Written   models.Amount `xml:"written_off,omitempty"`
}

func (rq *request) customerStatement(s receivables.Statement) customerStatementXML {
	shown := customerStatementXML{From: s.From, To: s.To, Customer: rq.customerItem(s.Customer), Opening: s.Opening, Closing: s.Closing}
	for _, l := range s.Lines {
		shown.Entries = append(shown.Entries, customerStatementLine{
			documentEntry: rq.documentEntry(l.Entry), Invoice: link{rq.uri("invoice", l.InvoiceID)}, InvoiceNumber: l.InvoiceNumber,
			CreditNote: rq.creditNoteOf(l.Entry), CreditNoteNumber: l.CreditNoteNumber, Balance: l.Balance,
		})
	}
	for _, d := range s.Open {
		x := openDocumentXML{XMLName: xml.Name{Local: "invoice"}, URI: rq.uri("invoice", d.InvoiceID), Number: d.Number, IssueDate: d.IssueDate, Balance: d.Balance, Repayment: d.RepaymentOwed, Written: d.WrittenOff}
		if d.CreditNoteID != 0 {
			x.XMLName.Local, x.URI = "credit_note", rq.uri("credit_note", d.CreditNoteID)
		} else {
			x.DueDate = &d.DueDate
		}
		shown.Open.Documents = append(shown.Open.Documents, x)
	}
	return shown
}

// showCustomerStatement shows the statement of the customer in the path for a period: the opening balance, each transaction,
// the closing balance, and the documents that are open at its end. Without from_date it begins with the first transaction.
// Without to_date it ends with today.
func (s *Server) showCustomerStatement(ctx context.Context, rq *request) (answer, error) {
	statement, err := s.readCustomerStatement(ctx, rq)
	if err != nil {
		return answer{}, err
	}
	return rq.ok(rq.customerStatement(statement))
}

// customerStatementPDF shows the same statement as a PDF, in the customer's language.
func (s *Server) customerStatementPDF(ctx context.Context, rq *request) (answer, error) {
	statement, err := s.readCustomerStatement(ctx, rq)
	if err != nil {
		return answer{}, err
	}
	made, err := s.cfg.Documents.Statement(rq.creditor, statement, rq.today())
	if err != nil {
		return answer{}, err
	}
	return file("application/pdf", "inline", fmt.Sprintf("statement-%d-%s.pdf", statement.Customer.ID, statement.To), made), nil
}

// sendCustomerStatement sends the statement of the customer in the path by e-mail: to the customer, or to the address of the
// element email. from_date and to_date are as in the GET. The answer is the shipment. The statement shows the account as it
// is when the e-mail is made.
func (s *Server) sendCustomerStatement(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
	var period store.Dates
	var email string
	if !body.Empty() {
		f, err := form.Parse(body, "statement")
		if err != nil {
			return nil, err
		}
		period.From, _ = f.Date("from_date")
		period.To, _ = f.Date("to_date")
		email, _ = f.Token("email")
		if err := f.Done(nil); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		sent, err := receivables.Send(ctx, tx, rq.creditor, id, period, email, rq.actor())
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.shipmentDetail(ctx, tx.View(), sent)
		if err != nil {
			return answer{}, err
		}
		return rq.createdDocument(shown.URI, shown, sent.Document())
	}, nil
}

// readCustomerStatement reads the statement that a request asks for.
func (s *Server) readCustomerStatement(ctx context.Context, rq *request) (statement receivables.Statement, err error) {
	id, err := rq.pathID()
	if err != nil {
		return statement, err
	}
	q := rq.query()
	period := q.dates()
	if err := q.done(); err != nil {
		return statement, err
	}
	err = s.db.View(ctx, func(v store.View) error {
		statement, err = receivables.ReadStatement(ctx, v, rq.creditor.ID, id, period, rq.today())
		return err
	})
	if fault, is := errors.AsType[*models.Error](err); is && fault.Kind == models.KindInvalid {
		return statement, fault.AsMalformed()
	}
	return statement, err
}
