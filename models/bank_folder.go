package models

import "time"

// BankFolder is a folder at a bank from which payment files come. It says when the folder is polled next, and how
// the last polls went.
type BankFolder struct {
	ID           int64
	Remote       string     // its URL, without any secret
	NextPoll     time.Time  `gorm:"column:next_check"`    // not before this moment
	LeasedUntil  *time.Time `gorm:"column:claimed_until"` // the lease: one process polls the folder until then; nil if no process does
	Failures     int        // polls in a row that failed
	FailingSince *time.Time // when the first of these polls began
	LastSuccess  *time.Time // when the last successful poll began
	Told         bool       // the creditors were told that it has failed for long
}

// Leased reports whether a process holds the lease on the folder at a moment.
func (f BankFolder) Leased(now time.Time) bool {
	return f.LeasedUntil != nil && f.LeasedUntil.After(now)
}

// Due returns the moment from which the folder can be polled again.
func (f BankFolder) Due() time.Time {
	if f.LeasedUntil != nil && f.LeasedUntil.After(f.NextPoll) {
		return *f.LeasedUntil
	}
	return f.NextPoll
}

// BankPoll is one poll of a folder at a bank.
type BankPoll struct {
	ID        int64
	Remote    string
	StartedAt time.Time
	EndedAt   *time.Time // nil while it runs; stays nil if the process was killed
	OK        bool       `gorm:"column:ok"` // it completed
	Found     int        // new or unfinished files, including files that are still being written
	Files     int        // of these, the files that the poll finished
	Failure   string     // why it did not complete
}

// TableName names the table.
func (BankPoll) TableName() string { return "bank_checks" }

// BankConfirmation is a person's confirmation that no file comes from the bank for a bank day (rule E6b).
type BankConfirmation struct {
	ID         int64
	CreditorID int64
	BankDay    Date
	Actor      string // who confirmed it
	CreatedAt  time.Time
}

// SourceSFTP is the source of payment files that came from a folder at a bank.
const SourceSFTP = "sftp"
