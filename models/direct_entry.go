package models

import "time"

// DirectKind says what an entry is to the debt collector: how it came that less, or more, is owed of a claim than was handed over.
type DirectKind string

// The kinds of what the collector is told of (rule C2).
const (
	DirectBank       DirectKind = "bank"        // a payment from the bank's files
	DirectPayment    DirectKind = "payment"     // a payment that a person or another system registered
	DirectCreditNote DirectKind = "credit_note" // what a credit note takes off the claim
	DirectMoved      DirectKind = "moved"       // credit of the customer's that was moved to the invoice
	DirectReversal   DirectKind = "reversal"    // of a fee or of interest
	DirectPaidBack   DirectKind = "paid_back"   // what had been overpaid was paid back, or moved away
	DirectTakenBack  DirectKind = "taken_back"  // the bank or a person took a payment back
)

// DirectKinds are all kinds.
var DirectKinds = []DirectKind{DirectBank, DirectPayment, DirectCreditNote, DirectMoved, DirectReversal, DirectPaidBack, DirectTakenBack}

// DirectKindOf returns what an entry on a claim is to the collector. It reports false for entries of which the collector is not told: those
// that its own reports booked, those of credit notes, and charges, of which a claim that is handed over gets none.
func DirectKindOf(e Entry) (DirectKind, bool) {
	if e.HandOverID != 0 || e.CreditNoteID != 0 {
		return "", false
	}
	switch e.Type {
	case EntryOCR:
		if e.Amount > 0 {
			return DirectTakenBack, true
		}
		return DirectBank, true
	case EntryPayment:
		switch {
		case e.Amount > 0 && e.Adopted != NotAdopted:
			return DirectTakenBack, true
		case e.Amount > 0:
			return DirectPaidBack, true
		case e.MovedFrom != 0:
			return DirectMoved, true
		}
		return DirectPayment, true
	case EntryRepayment:
		return DirectPaidBack, true
	case EntryCreditNote:
		return DirectCreditNote, true
	case EntryOverdueCharge, EntryInterest:
		return DirectReversal, e.Amount < 0
	case EntryInvoice:
	}
	return "", false
}

// DirectEntry is an entry on a claim that is handed over, of which the debt collector is told, once (rule C2). The transaction that posts
// or deletes the entry writes it. It is in no file until the next one is made.
type DirectEntry struct {
	ID         int64
	CreditorID int64
	HandOverID int64
	InvoiceID  int64
	EntryID    int64
	Deleted    bool // the entry was deleted, after the collector was told of it
	Kind       DirectKind
	Date       Date   // of the transaction
	Amount     Amount // what came; below zero what went back
	Balance    Amount // what is claimed after it; below zero it is overpaid
	FileID     int64  // the file that tells of it, or zero
	CreatedAt  time.Time
}

// CollectorFileState is how far a file for the debt collector has come.
type CollectorFileState string

// The states of a file for the collector.
const (
	CollectorFileOwed      CollectorFileState = "owed"
	CollectorFileDelivered CollectorFileState = "delivered"
)

// CollectorFile tells the debt collector what came on claims that it has, without it (rule C2). It is made once. Its number is one of the
// whole installation, as the collector's folder is.
type CollectorFile struct {
	ID          int64
	CreditorID  int64
	Number      int64
	Day         Date   // the bank day at whose end it was made
	SellerID    int64  // what it shows of the creditor, as an invoice's
	XML         string `gorm:"column:xml_sum"` // SHA-256 of the file in XML, in hex; empty until it is made
	CSV         string `gorm:"column:csv_sum"` // likewise in CSV
	State       CollectorFileState
	Attempts    int
	NextAttempt time.Time // not before this moment, in common time
	TakenBy     string    // the worker that has it in hand; empty if none has
	Way         WayID     // of the collector whom it tells
	Unsure      int       // as a hand-over's
	DeliveredAt *time.Time
	Failure     string // why the last attempt failed
	CreatedAt   time.Time
}
