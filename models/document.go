package models

import (
	"fmt"
	"strings"
)

// DocumentKind names a kind of document that has a PDF and is sent.
type DocumentKind string

// The kinds of documents.
const (
	InvoiceDocument    DocumentKind = "invoice"
	CreditNoteDocument DocumentKind = "credit_note"
	NoticeDocument     DocumentKind = "overdue_notice"
	StatementDocument  DocumentKind = "statement"
	PlanDocument       DocumentKind = "payment_plan"
	LetterDocument     DocumentKind = "letter" // one for several invoices, each of which has a notice (rule L23)
)

// kindOfDocument is what the trade says of all documents of a kind.
type kindOfDocument struct {
	kind DocumentKind
	// receives is what the network told of whether a business gets such documents as EHF. Nil has no EHF.
	receives func(Reception) Receives
	onlyBy   ShipmentMethod // the one method by which it goes; empty for any
	onlySays string         // what who asks for another is told
	account  bool           // it shows a customer's account and is about no invoice
	joint    bool           // it is about several invoices
}

// kindsOfDocuments are all kinds.
var kindsOfDocuments = []kindOfDocument{
	{kind: InvoiceDocument, receives: func(r Reception) Receives { return r.Invoice }},
	{kind: CreditNoteDocument, receives: func(r Reception) Receives { return r.CreditNote }},
	{kind: NoticeDocument, receives: func(r Reception) Receives { return r.Reminder }, onlyBy: ByPaper, onlySays: "a notice goes on PAPER"},
	{kind: StatementDocument, onlyBy: ByEmail, onlySays: "a statement is sent by EMAIL", account: true},
	{kind: PlanDocument},
	{kind: LetterDocument, onlyBy: ByPaper, onlySays: "a letter for several invoices goes on PAPER", joint: true},
}

// DocumentKinds returns all kinds of documents, in the order in which people are told of them.
func DocumentKinds() []DocumentKind {
	all := make([]DocumentKind, len(kindsOfDocuments))
	for i, of := range kindsOfDocuments {
		all[i] = of.kind
	}
	return all
}

// of returns what the trade says of the kind; nothing of a kind that is none.
func (k DocumentKind) of() kindOfDocument {
	for _, of := range kindsOfDocuments {
		if of.kind == k {
			return of
		}
	}
	return kindOfDocument{}
}

// HasEHF reports whether documents of the kind are expressed as EHF too (rule H1).
func (k DocumentKind) HasEHF() bool { return k.of().receives != nil }

// OnlyBy returns the one method by which documents of the kind go; empty if they go by any that suits (rules D30, L16). A copy of a
// notice may go by EHF besides (rule H1).
func (k DocumentKind) OnlyBy() ShipmentMethod { return k.of().onlyBy }

// WrongBy returns the fault of who asks for another method than OnlyBy, or nil.
func (k DocumentKind) WrongBy(m ShipmentMethod) *Error {
	if of := k.of(); of.onlyBy != "" && of.onlyBy != m {
		return Invalid("invalid_shipment_method", "shipment_method", "%s", of.onlySays)
	}
	return nil
}

// OfAccount reports whether documents of the kind show a customer's account and are about no invoice. Their number is the customer's ID.
func (k DocumentKind) OfAccount() bool { return k.of().account }

// Joint reports whether documents of the kind are about several invoices. Their number is that of their own series (rule L23).
func (k DocumentKind) Joint() bool { return k.of().joint }

// Document points at one invoice, credit note, overdue notice, statement, payment plan or letter.
type Document struct {
	Kind DocumentKind
	ID   int64
}

// String returns kind:id, the document's key in the queue and in logs.
func (d Document) String() string { return fmt.Sprintf("%s:%d", d.Kind, d.ID) }

// Resource returns the document's place in the interface, as in invoice/17. What shows an account stands below its customer, whose ID
// the number is.
func (d Document) Resource(number int64) string {
	if d.Kind.OfAccount() {
		return fmt.Sprintf("customer/%d/%s", number, d.Kind)
	}
	return fmt.Sprintf("%s/%d", d.Kind, d.ID)
}

// Recipient is a name and address, on a customer and on each document. A document keeps them as they were when it was
// sent (rule D17).
type Recipient struct {
	Name1              string
	Name2              string
	Address1           string
	Address2           string
	PostalCode         string
	PostalName         string
	CountryCode        string // ISO 3166-1 alpha-2
	Email              string
	Phone              string // with its country, such as +4791234567 (E.164), or empty (rule E20)
	CustomerNumber     string
	OrganisationNumber string // 9 digits; set for a business (rules E6e, L18)
}

// printed returns the elements of which a letter must show something.
func (r Recipient) printed() []element {
	return []element{{"name1", r.Name1}, {"address1", r.Address1}, {"postal_code", r.PostalCode}, {"postal_name", r.PostalName}}
}

// Unprintable returns the elements of the name and the address, by their names in the interface, of which nothing can be printed
// (rule D111). Older versions took such customers: nothing is issued to them until they are changed.
func (r Recipient) Unprintable() []string { return unprintable(r.printed()) }

// Addressed reports whether a letter to the recipient has an address that can be read (rules L6, D111).
func (r Recipient) Addressed() bool { return r.Address1 != "" && len(r.Unprintable()) == 0 }

// Person reports whether the recipient is a consumer, as far as is known: not a business.
func (r Recipient) Person() bool { return r.OrganisationNumber == "" }

// NetworkID returns the identifier of a Norwegian business in the network of e-invoices, empty without an organisation number.
func (r Recipient) NetworkID() string {
	if r.OrganisationNumber == "" {
		return ""
	}
	return "0192:" + r.OrganisationNumber
}

// Lines returns the postal address in lines, without the names and the country.
func (r Recipient) Lines() (lines []string) {
	for _, line := range []string{r.Address1, r.Address2, strings.TrimSpace(r.PostalCode + " " + r.PostalName)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Address returns the postal address alone, without the names.
func (r Recipient) Address() Recipient {
	return Recipient{Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, PostalName: r.PostalName, CountryCode: r.CountryCode}
}
