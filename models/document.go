// Package models holds the words of the trade and their pure rules: money, dates, KIDs, creditors,
// customers, invoices, credit notes, notices, entries, shipments and payments, and errors by kind. It
// knows nothing of databases, queues or HTTP, and imports the standard library only.
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
)

// Document points at one invoice, credit note, overdue notice or statement.
type Document struct {
	Kind DocumentKind
	ID   int64
}

// String returns kind:id, the document's key in the queue and in logs.
func (d Document) String() string { return fmt.Sprintf("%s:%d", d.Kind, d.ID) }

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
