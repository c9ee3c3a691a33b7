package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

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

// Value gives the notes to a database: JSON, an empty text for none.
func (ns FileNotes) Value() (driver.Value, error) {
	if len(ns) == 0 {
		return "", nil
	}
	return jsonValue(ns, false)
}

// Scan takes the notes from a database.
func (ns *FileNotes) Scan(src any) error {
	*ns = nil
	text, err := textOf(src)
	if err != nil || text == "" {
		return err
	}
	return json.Unmarshal([]byte(text), ns)
}

// String returns "line N: what is wrong" (rule R5).
func (n FileNote) String() string { return fmt.Sprintf("line %d: %s", n.Line, n.Text) }

// FileFaults is the error of a payment file that is not taken: what is wrong with it, in order of lines. It is
// never empty.
type FileFaults []FileNote

// Error joins the faults, one on a line.
func (fs FileFaults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the faults as errors of KindInvalid, each with the field "line[N]" (rule E4).
func (fs FileFaults) Unwrap() error {
	var errs Errors
	for _, f := range fs {
		errs.Add(f.Code, fmt.Sprintf("line[%d]", f.Line), "%s", f.Text)
	}
	return errs.ErrorOrNil()
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

// PaymentTwin is a line of a payment file that is the same payment as a line of the other format, which came
// before (rule E4). It is counted as a duplicate, and kept so that each line has no more than one twin.
type PaymentTwin struct {
	ID                int64
	CreditorID        int64 // zero while nobody has the account
	PaymentFileID     int64
	LineKey           LineKey
	Account           string // the account that was paid to
	KID               string `gorm:"column:kid"` // as received
	Amount            Amount // negative for money out
	TransactionDate   Date   // settlement or booking date
	FromAccountNumber string
}
