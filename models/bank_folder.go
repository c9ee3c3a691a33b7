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

// BankLease is how long a lease on the folder lasts, unless it is renewed.
const BankLease = time.Minute

// Leased reports whether a process holds the lease on the folder at a moment. A lease that ends later than any that is taken now is of a
// clock that was ahead, and holds nobody up (rule D117).
func (f BankFolder) Leased(now time.Time) bool {
	return f.LeasedUntil != nil && f.LeasedUntil.After(now) && !f.LeasedUntil.After(now.Add(BankLease+ClockSlack))
}

// Due returns the moment from which the folder can be polled again, zero if a clock that was ahead has put it off: the longest pause
// between two polls is given.
func (f BankFolder) Due(now time.Time, longest time.Duration) time.Time {
	next := f.NextPoll
	if next.After(now.Add(longest + ClockSlack)) {
		next = time.Time{}
	}
	if f.Leased(now) && f.LeasedUntil.After(next) {
		return *f.LeasedUntil
	}
	return next
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
