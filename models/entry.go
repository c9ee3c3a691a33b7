package models

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"time"
)

// EntryType says what an entry is.
type EntryType string

// The types of entries, as the interface names them.
const (
	EntryInvoice       EntryType = "INVOICE"
	EntryCreditNote    EntryType = "CREDIT_NOTE"
	EntryOverdueCharge EntryType = "OVERDUE_CHARGE"
	EntryInterest      EntryType = "INTEREST"
	EntryPayment       EntryType = "PAYMENT"   // registered by the user
	EntryOCR           EntryType = "OCR"       // from the bank, matched by KID
	EntryRepayment     EntryType = "REPAYMENT" // free credit that was paid back by a file for the bank (rule N12)
)

// ParseEntryType reads the interface's name of a type.
func ParseEntryType(s string) (EntryType, bool) {
	switch t := EntryType(s); t {
	case EntryInvoice, EntryCreditNote, EntryOverdueCharge, EntryInterest, EntryPayment, EntryOCR, EntryRepayment:
		return t, true
	}
	return "", false
}

// Entry is one row of the customer ledger, which the interface calls a transaction. A positive amount is in the
// creditor's favour, a negative one in the customer's. An entry never changes (rule D31).
type Entry struct {
	ID                int64
	CreditorID        int64
	CustomerID        int64
	InvoiceID         int64 // for an entry of a credit note the credited invoice (rule D34)
	CreditNoteID      int64 // zero for an entry of the invoice itself
	Type              EntryType
	Amount            Amount // including VAT
	TransactionDate   Date   // for OCR the settlement or booking date (rule E4)
	BankDate          Date   // for OCR the day the payer's order reached the bank, if known
	Comment           string
	FromAccountNumber string  // the payer's account, for OCR, if known
	NoticeID          int64   // the notice that charged the fee or interest, or zero
	MovedFrom         int64   // the entry that moved this credit away from another document, or zero (rule L5)
	MovedTo           int64   // the customer to whom the entry moved credit from another customer, or zero (rule N12)
	PaymentFileID     int64   // the file it came with, for OCR
	LineKey           LineKey // nil if it did not come from a file
	Adopted           Adoption
	HandOverID        int64 // the hand-over of which the debt collector reported the payment, or zero (rule C1)
	CreatedAt         time.Time
}

// Repays reports whether the entry pays out what was overpaid on an invoice, or moves it away (rules D32, L5). It is no part of
// the claim: if the money that it was made of is taken back, it is owed as a repayment (rule D96). What another system took back
// of its own payments pays nothing out (rule L17).
func (e Entry) Repays() bool {
	return (e.Type == EntryPayment || e.Type == EntryRepayment) && e.Amount > 0 && e.CreditNoteID == 0 && e.Adopted == NotAdopted
}

// TakesBack reports whether the entry takes money back from an invoice, or pays it out.
func (e Entry) TakesBack() bool {
	return (e.Type == EntryPayment || e.Type == EntryOCR || e.Type == EntryRepayment) && e.Amount > 0 && e.CreditNoteID == 0
}

// LineKey identifies a file line of the bank. It is unique for a creditor.
type LineKey []byte

// Value gives the key to a database: NULL if there is no key, so that only real keys are unique.
func (k LineKey) Value() (driver.Value, error) {
	if len(k) == 0 {
		return nil, nil //nolint:nilnil // NULL is what driver.Valuer returns for it.
	}
	return []byte(k), nil
}

// Scan takes the key from a database, nil for NULL.
func (k *LineKey) Scan(src any) error {
	key, is := src.([]byte)
	if !is && src != nil {
		return fmt.Errorf("a %T is not a line's key", src)
	}
	*k = bytes.Clone(key)
	return nil
}
