package models

// Transmission is one delivery of the bank that was imported, as far as it concerns one account: a transmission of
// OCR giro, a message of camt.054 (rule E4).
type Transmission struct {
	ID            int64
	PaymentFileID int64
	OwnerID       int64 // the creditor whose key posted the file; zero where it came for all
	CreditorID    int64 // in whose part of the file the account is; zero for nobody
	Sender        string
	Recipient     string
	Number        string // as the sender wrote it
	Serial        int64  // the number where it is one of a series, zero where it is none
	Account       string // empty for a transmission that concerns none
	Content       string // hash of what it says
	Version       int    // 1 for the first content, more for those that a person accepted beside it
}

// SkippedTransmission is a number that a series of transmissions has skipped. It may have come since.
type SkippedTransmission struct {
	ID            int64
	PaymentFileID int64 // the file that showed it
	OwnerID       int64 // of that file
	Sender        string
	Recipient     string
	Serial        int64
	Dismissed     bool // a person knows that it will not come
}

// EventTransmissionsMissing is logged when a payment file shows that others before it have not come.
const EventTransmissionsMissing EventType = "payment_file.gap"

// EventTransmissionDismissed is logged when a person says that a skipped transmission will not come.
const EventTransmissionDismissed EventType = "transmission.dismissed"
