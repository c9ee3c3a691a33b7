package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// entryItem is an entry in a list. An entry of a credit note shows both the credit note and the invoice that it
// credits (rule D34).
type entryItem struct {
	XMLName    xml.Name         `xml:"ar_transaction"`
	URI        string           `xml:"uri,attr"`
	Date       models.Date      `xml:"transaction_date"`
	Amount     models.Amount    `xml:"amount"`
	Type       models.EntryType `xml:"transaction_type"`
	Invoice    link             `xml:"invoice"`
	CreditNote *link            `xml:"credit_note"`
}

// entryDetail is an entry.
type entryDetail struct {
	XMLName xml.Name `xml:"ar_transaction"`
	documentEntry
	Invoice    link  `xml:"invoice"`
	CreditNote *link `xml:"credit_note"`
}

// listEntries lists the entries.
func (s *Server) listEntries(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := store.EntryFilter{CustomerID: rq.customerID, Dates: q.dates()}
	if text, sent := q.text("transaction_type"); sent {
		var known bool
		if f.Type, known = models.ParseEntryType(text); !known {
			q.fault("unknown_transaction_type", "transaction_type", "is not a type of transaction")
		}
	}
	return listed("ar_transactions", q, rq.entryItem, func(p store.Page) ([]models.Entry, int64, error) {
		return s.db.Entries(ctx, rq.creditor.ID, f, p)
	})
}

func (rq *request) entryItem(e models.Entry) entryItem {
	return entryItem{
		URI: rq.uri("ar_transaction", e.ID), Date: e.TransactionDate, Amount: e.Amount, Type: e.Type,
		Invoice: link{rq.uri("invoice", e.InvoiceID)}, CreditNote: rq.creditNoteOf(e),
	}
}

// entryDetail shows an entry.
func (rq *request) entryDetail(e models.Entry) entryDetail {
	return entryDetail{documentEntry: rq.documentEntry(e), Invoice: link{rq.uri("invoice", e.InvoiceID)}, CreditNote: rq.creditNoteOf(e)}
}

func (rq *request) creditNoteOf(e models.Entry) *link {
	if e.CreditNoteID == 0 {
		return nil
	}
	return &link{rq.uri("credit_note", e.CreditNoteID)}
}

// createInvoiceEntry registers a payment, a payout, or a reversal of a fee or of interest on the invoice in the path (rules D32, E3).
func createInvoiceEntry(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
	return rq.register(id, body, ledger.Payment.Validate, ledger.RegisterOnInvoice, true)
}

// createCreditNoteEntry registers a payout on the credit note in the path (rule D32).
func createCreditNoteEntry(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
	return rq.register(id, body, ledger.Payment.ValidatePayout, ledger.RegisterOnCreditNote, false)
}

// registering posts a payment on a document.
type registering func(ctx context.Context, tx *store.Tx, creditorID, documentID int64, p ledger.Payment, today models.Date) (models.Entry, error)

// checking returns the faults of a payment that need no document to be seen.
type checking func(p ledger.Payment, today models.Date) models.Errors

// register reads an entry and returns the effect that posts it on the document in the path. It reads the entry's type
// only if typed allows one.
func (rq *request) register(documentID int64, body form.Body, check checking, post registering, typed bool) (effect, error) {
	f, err := rq.parse(body, "ar_transaction", entryDetail{})
	if err != nil {
		return nil, err
	}
	p := ledger.Payment{Actor: rq.actor()}
	f.Require("amount", "transaction_date")
	p.Amount, _ = f.Amount("amount")
	p.Date, _ = f.Date("transaction_date")
	p.Comment, _ = f.Text("comment")
	if typed {
		p.Type = readEntryType(f)
	}
	if err := f.Done(check(p, rq.today())); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		e, err := post(ctx, tx, rq.creditor.ID, documentID, p, rq.today())
		if err != nil {
			return answer{}, err
		}
		shown := rq.entryDetail(e)
		return rq.created(shown.URI, shown)
	}, nil
}

// readEntryType reads the type of an entry. It is empty if the request has none (rule E3).
func readEntryType(f *form.Form) models.EntryType {
	text, sent := f.Token("transaction_type")
	if sent {
		f.Require("transaction_type")
	}
	return models.EntryType(text)
}

// deleteEntry deletes a payment that a person registered (rule D31).
func deleteEntry(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return ledger.DeletePayment(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor())
}
