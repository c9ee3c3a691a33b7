package models

import "time"

// MaxLines is the most lines an invoice may have.
const MaxLines = 8

// MaxDueDays is the most days from an invoice's issue to its due date (rule D15).
const MaxDueDays = 365

// Closing says how an invoice was closed by hand (rule E2).
type Closing string

// The ways of closing. NotClosed is none.
const (
	NotClosed   Closing = ""
	ClosedLost  Closing = "lost"
	ClosedOther Closing = "other"
)

// Invoice is a demand for payment that was sent to a customer. Only the fields that follow what happens
// to it ever change: Balance, Notices, Warned, Deadline, Closed, HandedOver, Hold and PDF.
type Invoice struct {
	ID          int64
	CreditorID  int64
	CustomerID  int64
	Number      int64 // in the creditor's gapless series (rule D18)
	IssueDate   Date
	DueDate     Date
	NumDueDays  int
	Gross       Amount // including VAT
	Net         Amount // excluding VAT
	Note        string
	KID         string    `gorm:"column:kid"`
	BankAccount string    // the creditor's, as printed; empty where it had none
	Recipient   Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // as it was when sent
	Search      string    // what search looks in: SearchText of the recipient's names
	SearchDigit bool      // a digit is in Search
	Balance     Amount    // the sum of its entries (rule D33)
	Notices     int       // how many overdue notices were sent
	Warned      bool      // the last notice is a debt-collection warning
	Deadline    Date      // due date of the last document: the invoice's or the last notice's
	Closed      Closing
	HandedOver  Date   // the day it went to debt collection; zero where it did not
	Hold        Hold   `gorm:"embedded;embeddedPrefix:hold_"`
	PDF         string // SHA-256 of the stored PDF, in hex; empty until it is made (rule D35)
	CreatedAt   time.Time
}

// Line is one line of an invoice.
type Line struct {
	ID         int64
	InvoiceID  int64
	Position   int // from 1
	Text       string
	UnitPrice  Price
	NumItems   Quantity
	Discount   *Percent // nil where none was given
	VAT        VATName
	VATPercent Percent // as it was when the invoice was made (rule D14)
	Net        Amount  // excluding VAT
	Gross      Amount  // including VAT
}

// Document points at the invoice.
func (i Invoice) Document() Document { return Document{InvoiceDocument, i.ID} }
