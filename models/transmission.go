package models

// Transmission is one account's part of an imported transmission of OCR giro or an imported message of camt.054
// (rule E4).
type Transmission struct {
	ID            int64
	PaymentFileID int64
	OwnerID       int64 // the creditor whose key posted the file; zero if the file came for all creditors
	CreditorID    int64 // the creditor who has the account; zero if no creditor has it
	Sender        string
	Recipient     string
	Number        string // as the sender wrote it
	Serial        int64  // the number in its series, or zero if there is no series
	Account       string // empty for a transmission without an account
	Content       string // hash of its content
	Version       int    // 1 for the first content; higher for content that a person accepted later
}

// SkippedTransmission is a number that was missing in a series of transmissions. The transmission may have come
// later.
type SkippedTransmission struct {
	ID            int64
	PaymentFileID int64 // the file that showed the gap
	OwnerID       int64 // that file's owner
	Sender        string
	Recipient     string
	Serial        int64
	Dismissed     bool // a person says that the transmission will not come
}
