package models

import (
	"fmt"
	"strconv"
	"time"
)

// ClaimNotice says who tells a payer that a claim of AvtaleGiro is coming (rule G1a).
type ClaimNotice string

// Who tells the payer.
const (
	OwnNotice  ClaimNotice = "own"  // the creditor: the invoice is the notice
	BankNotice ClaimNotice = "bank" // the payer's bank, with what the claim specifies
)

// AvtaleGiro is how a creditor is paid by AvtaleGiro (rules G1, G1a).
type AvtaleGiro struct {
	Enabled  bool
	SenderID string // the customer unit that the bank knows the creditor's files by: 8 digits, or empty
	LeadDays int    // calendar days from the last day on which a claim may leave to its due date
	Notice   ClaimNotice
}

// The limits of AvtaleGiro's settings.
const (
	defaultLeadDays = 9 // AvtaleGiro: a payer has 9 calendar days from the notice to the debit
	MinLeadDays     = 4
	MaxLeadDays     = 60
	// MaxKIDCustomerDigits is the most digits of a KID that may be the customer's.
	MaxKIDCustomerDigits = 12
)

// receiverOfClaims is the bank's own number, which no sender has: a file that named it as its sender was refused.
const receiverOfClaims = "00008080"

// Validate returns every fault of the settings.
func (a AvtaleGiro) Validate() Errors {
	var faults Errors
	switch {
	case a.SenderID == "" && a.Enabled:
		faults.Add("required", "sender_id", "is required: the customer unit that the bank gave you, 8 digits")
	case a.SenderID != "" && (len(a.SenderID) != len(receiverOfClaims) || !digits(a.SenderID) || a.SenderID == "00000000"):
		faults.Add("invalid_sender_id", "sender_id", "must be 8 digits: the customer unit that the bank gave you")
	case a.SenderID == receiverOfClaims:
		faults.Add("invalid_sender_id", "sender_id", "is the bank's own number: give the customer unit that the bank gave you")
	}
	if a.LeadDays < MinLeadDays || a.LeadDays > MaxLeadDays {
		faults.Add("out_of_range", "lead_days", "must be from %d to %d", MinLeadDays, MaxLeadDays)
	}
	if a.Notice != OwnNotice && a.Notice != BankNotice {
		faults.Add("invalid_notice", "notice", "must be %s or %s", OwnNotice, BankNotice)
	}
	return faults
}

// senderStays adds a fault where a creditor that has had a customer unit has none: what is on its way needs it, and so do the bank's answers.
func (es *Errors) senderStays(now, before AvtaleGiro) {
	if before.SenderID != "" && now.SenderID == "" && !now.Enabled {
		*es = append(*es, Invalid("required", "sender_id", "stays, since files and the bank's answers have it: to stop being paid by AvtaleGiro, set enabled to 0").Under(At("avtalegiro")))
	}
}

// avtaleGiro adds the faults of a creditor's AvtaleGiro, and of the digits that it needs in KIDs.
func (es *Errors) avtaleGiro(c Creditor) {
	*es = append(*es, c.AvtaleGiro.Validate().Under(At("avtalegiro"))...)
	if c.KIDCustomerDigits < 0 || c.KIDCustomerDigits > MaxKIDCustomerDigits || c.KIDCustomerDigits > 0 && c.KIDCustomerDigits > c.KIDLength-MinKIDLength {
		es.Add("out_of_range", "kid_customer_digits", "must be from 0 to %d, and leave %d characters of the KID for the document", MaxKIDCustomerDigits, MinKIDLength)
	}
	if c.AvtaleGiro.Enabled && c.KIDCustomerDigits == 0 {
		es.Add("kid_customer_digits_required", "kid_customer_digits", "must be above 0: AvtaleGiro finds a payer's mandate by the digits of the KID that are the customer's")
	}
}

// KIDCustomer returns the first digits of the KIDs of a customer's documents: its ID, none where KIDs have no such digits (rule G1). It
// reports false if the ID has more digits.
func (c Creditor) KIDCustomer(customerID int64) (digits string, fits bool) {
	if c.KIDCustomerDigits == 0 {
		return "", true
	}
	digits = fmt.Sprintf("%0*d", c.KIDCustomerDigits, customerID)
	return digits, len(digits) == c.KIDCustomerDigits
}

// CustomerOfKID returns the ID that the first digits of a KID say, or 0 if they say none.
func (c Creditor) CustomerOfKID(kid string) int64 {
	if c.KIDCustomerDigits == 0 || len(kid) < c.KIDCustomerDigits {
		return 0
	}
	id, err := strconv.ParseInt(kid[:c.KIDCustomerDigits], 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// Mandate is a payer's standing consent that a creditor's claims are drawn from his account (rule G2): the bank tells of it in its files.
// Only CustomerID, Notice, Since and EndedOn ever change.
type Mandate struct {
	ID         int64
	CreditorID int64
	Account    string // the creditor's, that claims are paid to
	KID        string `gorm:"column:kid"` // that the payer gave; its first digits are the customer's
	CustomerID int64  // whose it is by those digits, or 0 if nobody's
	Notice     bool   // the payer wants a written notice of each claim
	Since      Date   // of the file that told of it
	EndedOn    Date   // of the file that ended it, or zero
	CreatedAt  time.Time
}

// ClaimState says how far a claim of AvtaleGiro has come (rule G3a).
type ClaimState string

// The states.
const (
	ClaimOwed      ClaimState = "owed"      // it is to leave in a file
	ClaimSent      ClaimState = "sent"      // the bank has its file
	ClaimAccepted  ClaimState = "accepted"  // the bank's receipt says that the file is taken
	ClaimRejected  ClaimState = "rejected"  // the bank does not draw it, or it could not leave in time: the invoice is an ordinary one
	ClaimCancelled ClaimState = "cancelled" // it was taken back, before or after it had left
	ClaimPaid      ClaimState = "paid"      // nothing is owed on its invoice on or after the due date
)

// ClaimStates are all states of a claim.
var ClaimStates = []ClaimState{ClaimOwed, ClaimSent, ClaimAccepted, ClaimRejected, ClaimCancelled, ClaimPaid}

// BankClaim asks the bank to draw an invoice's amount from the payer's account on the due date (rule G3). An invoice has one at most, for
// ever.
type BankClaim struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	InvoiceID  int64
	MandateID  int64
	Account    string // that it is paid to: the invoice's
	KID        string `gorm:"column:kid"`
	DueDate    Date   // of the invoice; where banks rest it is drawn on the next bank day
	Amount     Amount // what is drawn: what is claimed when the claim is put into a file
	ByBank     bool   // the bank tells the payer (BankNotice)
	LastDay    Date   // the last bank day on which it may leave
	State      ClaimState
	Reason     string     // why it is rejected or was taken back; empty otherwise
	FileID     int64      // the file that it is in, or 0
	SentAt     *time.Time // when that file was delivered
	AnsweredAt *time.Time // when the bank's answer was read
	CancelFile int64      `gorm:"column:cancel_file_id"` // the file that takes it back, or 0
	TooLate    bool       // it was to be taken back and could not: what is drawn is to be paid back
	LetterOwed bool       // the invoice is to be sent once more, with what an ordinary one says
	UnpaidTold bool       // an event has told that no money came
	CreatedAt  time.Time
}

// Lives reports whether the claim is still expected to be drawn.
func (b BankClaim) Lives() bool {
	return b.State == ClaimOwed || b.State == ClaimSent || b.State == ClaimAccepted
}

// The reasons of claims that are rejected or taken back, besides what the bank says.
const (
	ClaimTooLate      = "too_late"      // it could not leave in time
	ClaimLost         = "not_delivered" // whether its file has reached the bank is not known
	ClaimInvoicePaid  = "paid"
	ClaimCredited     = "balance_changed" // less is owed than was to be drawn
	ClaimClosed       = "closed"
	ClaimHandedOver   = "handed_over"
	ClaimHold         = "hold"
	ClaimMoreTime     = "more_time"
	ClaimPlan         = "payment_plan"
	ClaimMandateEnded = "mandate_ended"
)

// ClaimFileState says how far a file of claims has come.
type ClaimFileState string

// The states.
const (
	ClaimFileOwed      ClaimFileState = "owed"
	ClaimFileDelivered ClaimFileState = "delivered"
	ClaimFileGivenUp   ClaimFileState = "given_up" // its hour was over before it was delivered; its number is never given again
	ClaimFileRejected  ClaimFileState = "rejected" // the bank has refused the whole of it
)

// ClaimFile is a transmission of claims and cancellations to the bank (rule G3): made once, numbered once, the same bytes for ever.
type ClaimFile struct {
	ID            int64
	CreditorID    int64
	SenderID      string
	Number        int64 // among the files of its sender: given once
	Day           Date  // the bank day for which it was made
	Claims        int   // how many
	Cancellations int
	Amount        Amount // of both
	SHA256        string `gorm:"column:sha256"` // of its bytes; empty until they are made
	DeliverBy     Date   // the last bank day on which it may be delivered, until 14:00
	State         ClaimFileState
	Uncertain     bool // an attempt may have delivered it
	Attempts      int
	NextAttempt   time.Time
	TakenBy       string // see store.Leased
	DeliveredAt   *time.Time
	AnsweredAt    *time.Time // when the bank's receipt of the transmission was read
	Answer        string     // the name of that receipt
	Failure       string     // of the last attempt
	CreatedAt     time.Time
	RemovedAt     *time.Time // when its bytes were removed, because they name customers who were forgotten (rule O14)
}

// Assignments returns the numbers of the file's assignments: of the claims, and of the cancellations. No other file of the sender has them.
func (f ClaimFile) Assignments() (claims, cancellations int64) { return 2*f.Number - 1, 2 * f.Number }

// MaxClaimFiles is the highest number of a file: its assignments' numbers have 7 digits.
const MaxClaimFiles = 4_999_999

// ClaimHour and ClaimCut are the hours of a bank day, in Oslo's time, at which its file of claims is made, and before which it must have
// reached the bank (AvtaleGiro: 14:00).
const (
	ClaimHour = 13
	ClaimCut  = 14
)

// ClaimReceipt is a file in which the bank answered a creditor's claims (rule G3a): kept, and read once.
type ClaimReceipt struct {
	ID         int64
	CreditorID int64
	Name       string
	SHA256     string `gorm:"column:sha256"`
	CreatedAt  time.Time
}
