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

// The states of a payment file. The last three are final (rule E4).
const (
	FileReceived  FileState = "received"  // its bytes are kept; nothing is decided yet
	FileImporting FileState = "importing" // it is correct; its lines are being posted
	FileImported  FileState = "imported"
	FileDuplicate FileState = "duplicate"
	FileRejected  FileState = "rejected"
)

// FileFinding says what is wrong or unusual in a line of a payment file.
type FileFinding struct {
	Line int    `json:"line"` // from 1; 0 for the file as a whole
	Code string `json:"code"`
	Text string `json:"text"`
}

// FileFindings are kept in the database as JSON.
type FileFindings []FileFinding

// Value gives the findings to a database: JSON, or an empty text if there are none.
func (ns FileFindings) Value() (driver.Value, error) {
	if len(ns) == 0 {
		return "", nil
	}
	return jsonValue(ns, false)
}

// Scan takes the findings from a database.
func (ns *FileFindings) Scan(src any) error {
	*ns = nil
	text, err := textOf(src)
	if err != nil || text == "" {
		return err
	}
	return json.Unmarshal([]byte(text), ns)
}

// String returns "line N: what is wrong" (rule R5).
func (n FileFinding) String() string { return fmt.Sprintf("line %d: %s", n.Line, n.Text) }

// FileFaults is the error of a payment file that is rejected: its faults in order of lines. It is never empty.
type FileFaults []FileFinding

// Error returns the faults, one on each line.
func (fs FileFaults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Without returns the faults of other codes, or nil if there are none.
func (fs FileFaults) Without(code string) error {
	var others FileFaults
	for _, f := range fs {
		if f.Code != code {
			others = append(others, f)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return others
}

// Errors returns the faults as errors of KindInvalid, each at its line (rule E4).
func (fs FileFaults) Errors() Errors {
	var errs Errors
	for _, f := range fs {
		e := Invalid(f.Code, "", "%s", f.Text)
		if f.Line > 0 {
			e = e.Under(Place{}.Item("line", f.Line))
		}
		errs = append(errs, e)
	}
	return errs
}

// Unwrap gives the faults to errors.Is and errors.As.
func (fs FileFaults) Unwrap() error { return fs.Errors().ErrorOrNil() }

// PaymentFile is one file from the bank. Its raw bytes are in the archive.
type PaymentFile struct {
	ID                 int64
	OwnerID            int64 // the creditor whose key posted it; zero from the inbox and the command line
	Filename           string
	Source             string // api, inbox, command or sftp
	SHA256             string // of the raw bytes, in hex; their name in the archive
	Size               int64  // bytes
	Format             string // ocr_giro, camt.054; empty if it is neither
	Sender             string
	TransmissionNumber string
	RecipientUnit      string
	State              FileState
	Arrival            *string      // unique name of one arrival in the inbox; nil if the file came another way
	AcceptConflict     bool         // import it even if one of its transmissions was imported before with other content
	DuplicateOf        int64        // the file with the same content that came first
	Identity           *string      // unique while the file is importing or imported, so that its content is posted once
	Faults             FileFindings // of a rejected file
	Warnings           FileFindings
	LinesDone          int  // transactions that are posted, so that an interrupted import can go on
	HasStatement       bool // its statement lines are kept; false if an old release imported it
	LatestDate         Date // latest settlement or booking date
	ReceivedAt         time.Time
	FinishedAt         *time.Time
	RemovedAt          *time.Time // when the raw bytes were removed: of a rejected file (rule O13), or of one that names customers who were forgotten (rule O14)
}

// UnderWay reports whether the file is still being read or posted.
func (f PaymentFile) UnderWay() bool { return f.State == FileReceived || f.State == FileImporting }

// PaymentFilePart is one creditor's part of a payment file. Its four amounts add up to the file's own total for
// the creditor's assignments (rule E4).
type PaymentFilePart struct {
	ID               int64
	PaymentFileID    int64
	CreditorID       int64 // zero for assignments of accounts that no creditor has
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

// PaymentTwin is a line of a payment file whose payment was imported before from the other format (rule E4). It
// counts as a duplicate. The row is kept so that a line has at most one twin.
type PaymentTwin struct {
	ID                int64
	CreditorID        int64 // zero while no creditor has the account
	PaymentFileID     int64
	LineKey           LineKey
	Account           string // the account that was paid to
	KID               string `gorm:"column:kid"` // as received
	Amount            Amount // negative for money out
	TransactionDate   Date   // settlement or booking date
	FromAccountNumber string
}
