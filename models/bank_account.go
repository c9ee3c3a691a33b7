package models

import (
	"fmt"
	"time"
)

// BankAccount is an account that is a creditor's: its payments are the creditor's payments (rules D20, D101).
type BankAccount struct {
	Account    string `gorm:"primaryKey"`
	CreditorID int64
	ApprovedAt *time.Time // when the operator set it or said yes to it; nil if nobody was asked
	NamedAt    *time.Time // when a document first named it, as far as that was noted: documents may name it in any case
}

// TableName returns the name of the table.
func (BankAccount) TableName() string { return "creditor_accounts" }

// AccountUse says what keeps an account with its creditor. It is empty if nothing does: then the account can become another
// creditor's (rule D101).
type AccountUse struct {
	Kind   AccountUseKind
	Number int64 // of the first invoice or credit note, or of the invoice of a notice; the ID of a payment file
}

// AccountUseKind is what an account was used for.
type AccountUseKind string

// The uses of an account.
const (
	NamedByInvoice    AccountUseKind = "invoice"
	NamedByCreditNote AccountUseKind = "credit_note"
	NamedByNotice     AccountUseKind = "notice"   // on an invoice that names no account: such a notice names the creditor's
	NamedBefore       AccountUseKind = "document" // it was noted that a document names it
	PaidTo            AccountUseKind = "payments" // payments to it are in the creditor's books
	BeingPaid         AccountUseKind = "payment_file"
)

// String says what the account is used for.
func (u AccountUse) String() string {
	switch u.Kind {
	case NamedByInvoice:
		return fmt.Sprintf("invoice %d names it", u.Number)
	case NamedByCreditNote:
		return fmt.Sprintf("credit note %d names it", u.Number)
	case NamedByNotice:
		return fmt.Sprintf("a notice on invoice %d may name it", u.Number)
	case NamedBefore:
		return "a document names it"
	case PaidTo:
		return "payments to it are in the creditor's books"
	case BeingPaid:
		return fmt.Sprintf("payment file %d is being imported: try again", u.Number)
	}
	return "nothing uses it"
}

// AccountState is how far an account is a creditor's (rule D101).
type AccountState string

// The states of an account.
const (
	AccountWaiting  AccountState = "waiting"  // a creditor's own key asks for it, and the operator has not said yes
	AccountSet      AccountState = "set"      // the creditor has it; nobody has approved it, and no document names it
	AccountApproved AccountState = "approved" // the operator has set or approved it, and no document names it
	AccountNamed    AccountState = "named"    // documents name it: it is the creditor's for good
)
