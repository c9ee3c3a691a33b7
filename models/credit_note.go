package models

import "time"

// CreditNote credits one whole invoice (rule D21), or the lines of its own (rule L27).
type CreditNote struct {
	ID          int64
	CreditorID  int64
	CustomerID  int64
	InvoiceID   int64 // the credited invoice
	Partial     bool  // it has lines of its own; else it shows the invoice's
	Number      int64 // in the series it shares with the invoices (rule D18)
	IssueDate   Date
	Gross       Amount // what is credited, positive
	Net         Amount
	Comment     string
	KID         string `gorm:"column:kid"`
	BankAccount string
	SellerID    int64     // as an invoice's
	Language    string    // as an invoice's
	Recipient   Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // the customer when it was made
	Search      string    // the text that searches read: SearchText of the recipient's names
	SearchDigit bool      // Search contains a digit
	Balance     Amount    // the sum of its entries: negative while credit is outstanding
	PDF         string    // SHA-256 of the stored PDF, in hex; empty until it is made
	EHF         string    `gorm:"column:ehf"` // SHA-256 of the stored EHF, likewise (rule H2)
	CreatedAt   time.Time
}

// Document points at the credit note.
func (c CreditNote) Document() Document { return Document{CreditNoteDocument, c.ID} }

// Status returns paid, or not_paid while credit is outstanding (rule D22).
func (c CreditNote) Status() string {
	if c.Balance < 0 {
		return "not_paid"
	}
	return "paid"
}

// CreditNoteLine is one line of a partial credit note (rule L27).
type CreditNoteLine struct {
	ID           int64
	CreditNoteID int64
	Position     int // from 1
	Text         string
	VAT          VATName
	VATPercent   Percent      // the invoice's
	VATExemption VATExemption `gorm:"column:vat_exemption"` // the invoice's
	Net          Amount       // excluding VAT; below zero only where a discount on the invoice is credited with the rest
	Gross        Amount       // including VAT
}

// Line returns the line as one of an invoice: one item of its net amount.
func (l CreditNoteLine) Line() Line {
	return Line{
		Position: l.Position, Text: l.Text, UnitPrice: Price(l.Net) * 100, NumItems: 1000, VAT: l.VAT, VATPercent: l.VATPercent,
		VATExemption: l.VATExemption, Net: l.Net, Gross: l.Gross,
	}
}

// CreditNoteFilter says which credit notes a list shows.
type CreditNoteFilter struct{ Paid, NotPaid bool }

// ParseCreditNoteStatuses reads a filter value for credit notes (rule D22). It reports false for an
// unknown value. A credit note is never overdue, so "overdue" adds none.
func ParseCreditNoteStatuses(values []string) (CreditNoteFilter, bool) {
	var f CreditNoteFilter
	for _, v := range values {
		switch v {
		case "all":
			f.Paid, f.NotPaid = true, true
		case "credit_note_paid", "paid":
			f.Paid = true
		case "credit_note_sent", "waiting", "not_paid":
			f.NotPaid = true
		case "overdue":
		default:
			return CreditNoteFilter{}, false
		}
	}
	return f, true
}
