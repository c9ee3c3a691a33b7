package models

import "time"

// UnmatchedReason says why a payment was not posted.
type UnmatchedReason string

// The reasons (rule E5).
const (
	ReasonUnknownKID   UnmatchedReason = "unknown_kid"
	ReasonInvalidKID   UnmatchedReason = "invalid_kid"
	ReasonNoKID        UnmatchedReason = "no_kid"
	ReasonReversal     UnmatchedReason = "reversal"
	ReasonOtherAccount UnmatchedReason = "other_account"
	ReasonLetter       UnmatchedReason = "letter" // it came with a letter's KID and was spread (rule L23); it waits only if a person took that back
)

// UnmatchedPayment is a payment in a bank file that found no invoice. It keeps everything that the bank says about
// it.
type UnmatchedPayment struct {
	ID                int64
	CreditorID        int64 // zero while no creditor has the account
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
	PayerName         string // only camt.054 has a name
	UltimatePayer     string // for whom the payer paid, if camt.054 says so and it is another
	ArchiveReference  string
	Text              string
	Reason            UnmatchedReason
	Status            string // PaymentOpen, PaymentMatched or PaymentDismissed
	EntryID           int64  // the entry that posted it, if matched
	FurtherEntryIDs   IDs    `gorm:"column:further_entries;type:text"` // the other entries, if matched with several invoices
	Comment           string // why it was dismissed
	// LikelyPayerID is the customer of the best suggestion at arrival, or of the first one since. It is zero if there was none, and
	// nil until one is sought. Store's LikelyPayers has all whom the payment has pointed at.
	LikelyPayerID *int64 `gorm:"column:suggested_customer_id"`
	NotOf         IDs    `gorm:"column:not_of;type:text"` // the customers of whom a person said that it is not theirs (rule N6)
	LetterID      int64  // the letter with whose KID it came, if it was spread over its invoices then; else zero (rule L23)
	ReversalOf    int64  // the payment that it takes back, if a person matched it with the letter of that payment; else zero
	WaitingLong   bool   // a person was told that it has waited long (rule L3)
	CreatedAt     time.Time
}

// EntryIDs returns the IDs of the payment's entries. There are none unless it is matched.
func (u UnmatchedPayment) EntryIDs() []int64 {
	if u.EntryID == 0 {
		return nil
	}
	return append([]int64{u.EntryID}, u.FurtherEntryIDs...)
}

// Names returns the names that may be the payer's: those that the bank tells, and the text, in which one may stand (rule N1).
func (u UnmatchedPayment) Names() (names []Name) {
	for _, text := range []string{u.PayerName, u.UltimatePayer, u.Text} {
		if text != "" {
			names = append(names, NameOf(text))
		}
	}
	return names
}

// The statuses of an unmatched payment (rule E5).
const (
	PaymentOpen      = "open" // it waits for a person
	PaymentMatched   = "matched"
	PaymentDismissed = "dismissed" // the money was sent back, or does not belong to the creditor
)

// Hint is a reason to think that an unmatched payment is meant for an invoice.
type Hint string

// The hints (rules E5, N1).
const (
	HintKID        Hint = "kid"                // its KID, or a number in its text, is the invoice's KID
	HintKIDDigit   Hint = "kid_digit_off"      // its KID differs from the invoice's in one digit
	HintKIDSwapped Hint = "kid_digits_swapped" // its KID is the invoice's with two neighbouring digits swapped
	HintNumber     Hint = "invoice_number"     // its text or its KID has the invoice's number
	HintOpenAmount Hint = "open_amount"        // exactly its amount is owed on the invoice
	HintPayer      Hint = "payer_account"      // the customer has paid from the same account before
	HintAddUp      Hint = "invoices_add_up"    // several open invoices of the customer add up to it
	HintName       Hint = "name"               // the payer's name, or a name in its text, is like the customer's (rule N1)
	HintOriginal   Hint = "original_amount"    // its amount was owed on the invoice before (rule N1): its gross, or before or on its last notice
)
