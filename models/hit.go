package models

// HitKind says of what a hit of a search is.
type HitKind string

// The kinds of hits, as the interface names them, in the order in which they are shown (rule N3).
const (
	HitCustomer   HitKind = "customer"
	HitInvoice    HitKind = "invoice"
	HitCreditNote HitKind = "credit_note"
	HitNotice     HitKind = "overdue_notice"
	HitUnmatched  HitKind = "unmatched_payment" // a payment that found no invoice by itself
	HitPayment    HitKind = "ar_transaction"    // a payment on an invoice
	HitLetter     HitKind = "shipment"
)

// HitKinds are all kinds in order.
var HitKinds = []HitKind{HitCustomer, HitInvoice, HitCreditNote, HitNotice, HitUnmatched, HitPayment, HitLetter}

// Hit is one thing that a search finds, with what tells it apart from others.
type Hit struct {
	Kind       HitKind
	ID         int64
	Number     int64        // of the invoice or the credit note that it is, or is of; zero for none
	CustomerID int64        // zero where nobody knows
	OfKind     DocumentKind // what a letter sends, or a payment is on
	OfID       int64        // the invoice of a notice, the document of a letter, the entry of a payment that was matched; else zero
	Name1      string       // of the customer, the recipient or the payer
	Name2      string
	Place      string
	Code       string // the customer's number; the KID of a document or a payment; the method of a letter
	Account    string // that a payment came from; the e-mail address of a customer, or that a letter goes to
	Text       string // of a payment
	Date       Date   // of issue; of a payment the day of the transaction
	DueDate    Date
	Amount     Amount // of a document its gross; of a payment what came in
	Balance    Amount // what is owed on it; of a customer on all invoices
	State      string
	Deadline   Date // of an invoice, for its status
}

// Status returns the state of the hit on a day, as the interface names it; empty of a customer.
func (h Hit) Status(today Date) string {
	if h.Kind == HitInvoice {
		return string(statusOf(Stage(h.State), h.Deadline, today))
	}
	return h.State
}

// Document returns the document that the hit is, or that the letter sends; the zero Document if it is none.
func (h Hit) Document() Document {
	switch h.Kind {
	case HitInvoice:
		return Document{InvoiceDocument, h.ID}
	case HitCreditNote:
		return Document{CreditNoteDocument, h.ID}
	case HitNotice:
		return Document{NoticeDocument, h.ID}
	case HitLetter:
		return Document{h.OfKind, h.OfID}
	case HitCustomer, HitUnmatched, HitPayment:
	}
	return Document{}
}
