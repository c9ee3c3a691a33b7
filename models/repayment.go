package models

import "time"

// RepaymentState is how far a repayment has come.
type RepaymentState string

// The states of a repayment (rule N12).
const (
	RepaymentWaiting   RepaymentState = "waiting"   // a person ordered it, and it is in no file yet
	RepaymentInFile    RepaymentState = "in_file"   // a file for the bank has it
	RepaymentPaid      RepaymentState = "paid"      // its entries are posted
	RepaymentWithdrawn RepaymentState = "withdrawn" // a person took it back
	RepaymentStopped   RepaymentState = "stopped"   // the money that it was to be paid from was taken back before it was in a file
)

// ParseRepaymentState reads the interface's name of a state.
func ParseRepaymentState(s string) (RepaymentState, bool) {
	switch t := RepaymentState(s); t {
	case RepaymentWaiting, RepaymentInFile, RepaymentPaid, RepaymentWithdrawn, RepaymentStopped:
		return t, true
	}
	return "", false
}

// RepaymentsOpen are the states in which a repayment reserves free credit of its customer.
var RepaymentsOpen = []RepaymentState{RepaymentWaiting, RepaymentInFile}

// Repayment is free credit that a customer is paid back (rule N12). While it waits, and while it is in a file that is not paid, its
// amount is reserved: nothing else uses it.
type Repayment struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	InvoiceID  int64 // the invoice whose credit was at hand when it was ordered: it owes what turns out not to be covered (rule D96)
	Amount     Amount
	Account    string // of the customer, 11 digits
	State      RepaymentState
	FileID     int64      // the file that has it, or zero
	PaidOn     Date       // when the bank paid it, or zero
	PaidAt     *time.Time // when a person said so
	OrderedBy  string
	CreatedAt  time.Time
}

// RepaymentEntry says that an entry pays a repayment.
type RepaymentEntry struct {
	EntryID     int64 `gorm:"primaryKey"`
	RepaymentID int64
	CreditorID  int64
}

// RepaymentFileState is how far a file of repayments has come.
type RepaymentFileState string

// The states of a file of repayments (rule N12).
const (
	RepaymentFileMade      RepaymentFileState = "made"
	RepaymentFilePaid      RepaymentFileState = "paid"
	RepaymentFileWithdrawn RepaymentFileState = "withdrawn" // the bank did not take it: its repayments wait again
)

// MaxRepaymentsInFile is the most repayments that one file has. What is more waits for the next file.
const MaxRepaymentsInFile = 2000

// RepaymentFile is a file of repayments for the bank, made once (rule N12).
type RepaymentFile struct {
	ID           int64
	CreditorID   int64
	Number       int64  // from 1 for each creditor
	Account      string // of the creditor, that is paid from
	State        RepaymentFileState
	Transactions int
	Amount       Amount
	PaidOn       Date // when the bank paid it, or zero
	MadeBy       string
	CreatedAt    time.Time
}

// RepaymentFileBytes are the bytes of a file of repayments, as they were made: for the bank, and for a person.
type RepaymentFileBytes struct {
	FileID     int64 `gorm:"primaryKey;autoIncrement:false"`
	CreditorID int64
	Pain       []byte
	CSV        []byte `gorm:"column:csv"`
}

// TableName returns the name of the table.
func (RepaymentFileBytes) TableName() string { return "repayment_file_bytes" }
