package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// UnmatchedReason says why a payment was not posted.
type UnmatchedReason string

// The reasons (rule E5).
const (
	ReasonUnknownKID   UnmatchedReason = "unknown_kid"
	ReasonInvalidKID   UnmatchedReason = "invalid_kid"
	ReasonNoKID        UnmatchedReason = "no_kid"
	ReasonReversal     UnmatchedReason = "reversal"
	ReasonOtherAccount UnmatchedReason = "other_account"
)

// UnmatchedPayment is money in a bank file that the ledger could not take by itself. It keeps all that
// the bank said.
type UnmatchedPayment struct {
	ID                int64
	CreditorID        int64 // zero while nobody has the account
	PaymentFileID     int64
	Line              int // in the file, from 1
	LineKey           LineKey
	Account           string // the account that was paid to
	TransactionType   int    // of OCR giro, 10 to 21
	Amount            Amount // negative for money out
	TransactionDate   Date   // settlement or booking date
	BankDate          Date
	KID               string `gorm:"column:kid"` // as received
	FromAccountNumber string
	PayerName         string // only camt.054 says it
	ArchiveReference  string
	Text              string
	Reason            UnmatchedReason
	Status            string // PaymentOpen, PaymentMatched or PaymentDismissed
	EntryID           int64  // the entry it was posted as, when matched
	FurtherEntryIDs   IDs    `gorm:"column:further_entries;type:text"` // the others, when matched with several invoices
	Comment           string // why it was dismissed
	// SuggestedCustomerID is the customer at whom the best suggestion points, zero for nobody, nil while nobody
	// has looked. While the payment is young and open, that customer is not dunned (rule E6g).
	SuggestedCustomerID *int64
	CreatedAt           time.Time
}

// EntryIDs returns the entries that the payment was posted as, none unless it is matched.
func (u UnmatchedPayment) EntryIDs() []int64 {
	if u.EntryID == 0 {
		return nil
	}
	return append([]int64{u.EntryID}, u.FurtherEntryIDs...)
}

// FileState is how far a payment file has come.
type FileState string

// The states of a payment file. The last three are its end (rule E4).
const (
	FileReceived  FileState = "received"  // the bytes are kept, nothing is decided
	FileImporting FileState = "importing" // found right; its lines are being posted
	FileImported  FileState = "imported"
	FileDuplicate FileState = "duplicate"
	FileRejected  FileState = "rejected"
)

// FileNote is something that is wrong or odd at a line of a payment file.
type FileNote struct {
	Line int    `json:"line"` // from 1; 0 where it is the file as a whole
	Code string `json:"code"`
	Text string `json:"text"`
}

// FileNotes are kept in the database as JSON.
type FileNotes []FileNote

// Value gives the notes to a database: JSON, empty for none.
func (ns FileNotes) Value() (driver.Value, error) {
	if len(ns) == 0 {
		return "", nil
	}
	text, err := json.Marshal([]FileNote(ns))
	return string(text), err
}

// Scan takes the notes from a database.
func (ns *FileNotes) Scan(src any) error {
	*ns = nil
	var text []byte
	switch v := src.(type) {
	case string:
		text = []byte(v)
	case []byte:
		text = v
	default:
		return fmt.Errorf("a %T is not the notes of a file", src)
	}
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, (*[]FileNote)(ns))
}

// PaymentFile is one file from the bank: its raw bytes are in the archive, this says what became of it.
type PaymentFile struct {
	ID                 int64
	OwnerID            int64 // the creditor whose key posted it; zero from the inbox and the command line
	Filename           string
	Source             string // api, inbox, command or sftp
	SHA256             string // of the raw bytes, in hex; their name in the archive
	Size               int64  // bytes
	Format             string // ocr_giro, camt.054; empty where it is neither
	Sender             string
	TransmissionNumber string
	RecipientUnit      string
	State              FileState
	Arrival            *string   // unique mark of one arrival in the inbox; nil where it came another way
	AcceptConflict     bool      // import it although one of its transmissions came before with other content
	DuplicateOf        int64     // the file that was first
	Identity           *string   // unique while the file is importing or imported, so that it comes once
	Faults             FileNotes // of a rejected file
	Warnings           FileNotes
	LinesDone          int  // transactions posted, so that a broken import goes on
	HasStatement       bool // its statement lines are kept; false after an import by a release that kept none
	LatestDate         Date // latest settlement or booking date
	ReceivedAt         time.Time
	FinishedAt         *time.Time
}

// UnderWay reports whether the file is not at its end: what it holds is still being read or posted.
func (f PaymentFile) UnderWay() bool { return f.State == FileReceived || f.State == FileImporting }

// PaymentFilePart is what one creditor has in a payment file. Its four sums add up to the file's own
// arithmetic for the creditor's assignments (rule E4).
type PaymentFilePart struct {
	ID               int64
	PaymentFileID    int64
	CreditorID       int64 // zero for assignments of accounts that nobody has
	Transactions     int
	Amount           Amount
	Matched          int
	MatchedAmount    Amount
	Unmatched        int
	UnmatchedAmount  Amount
	Duplicates       int
	DuplicatesAmount Amount
	Ignored          int
	IgnoredAmount    Amount
	LatestDate       Date
}
