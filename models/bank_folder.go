package models

import "time"

// BankFolder is a folder at a bank that payment files are fetched from: when it is to be looked into, and how that
// has gone.
type BankFolder struct {
	ID           int64
	Remote       string     // its URL, without any secret
	NextCheck    time.Time  // not before this moment
	ClaimedUntil *time.Time // somebody is looking into it, and has it for himself until then; nil where nobody is
	Failures     int        // checks in a row that failed
	FailingSince *time.Time // when the first of these began
	LastSuccess  *time.Time // when the last check began that did not fail
	Told         bool       // the creditors know that it has failed for long
}

// Claimed reports whether somebody has the folder for himself at a moment.
func (f BankFolder) Claimed(now time.Time) bool {
	return f.ClaimedUntil != nil && f.ClaimedUntil.After(now)
}

// Due returns the moment from which on the folder is to be looked into.
func (f BankFolder) Due() time.Time {
	if f.ClaimedUntil != nil && f.ClaimedUntil.After(f.NextCheck) {
		return *f.ClaimedUntil
	}
	return f.NextCheck
}

// BankCheck is one look into a folder at a bank.
type BankCheck struct {
	ID        int64
	Remote    string
	StartedAt time.Time
	EndedAt   *time.Time // nil while it goes on, and for ever where it was killed
	OK        bool       `gorm:"column:ok"` // it came to its end
	Found     int        // files that were not at their end: new ones, those still being written too
	Files     int        // of these, files that are now
	Failure   string     // why it did not come to its end
}

// BankConfirmation is a person's word that no file comes from the bank for a bank day (rule E6b).
type BankConfirmation struct {
	ID         int64
	CreditorID int64
	BankDay    Date
	Actor      string // who said so
	CreatedAt  time.Time
}

// SourceSFTP is the source of the payment files that were fetched from a folder at a bank.
const SourceSFTP = "sftp"
