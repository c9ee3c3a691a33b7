package models

import "fmt"

// DocumentKind names a kind of document that has a PDF and is sent.
type DocumentKind string

// The kinds of documents.
const (
	InvoiceDocument    DocumentKind = "invoice"
	CreditNoteDocument DocumentKind = "credit_note"
	NoticeDocument     DocumentKind = "overdue_notice"
)

// Document points at one invoice, credit note or overdue notice.
type Document struct {
	Kind DocumentKind
	ID   int64
}

// String returns kind:id, the document's key in the queue and in logs.
func (d Document) String() string { return fmt.Sprintf("%s:%d", d.Kind, d.ID) }
