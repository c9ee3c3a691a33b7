// Package giro reads and writes OCR giro files: the 80-byte records in which Nets (Mastercard Payment
// Services) reports the payments that carry a KID. The layout is that of "System specification OCR
// giro", version 2.0; "section" in the comments means a section of it.
//
//	transmission = 10 assignment... 89
//	assignment   = 20 transaction... 88
//	transaction  = 30 31 [32]          the amount items 1, 2 and 3
//
// The package knows the format and nothing else. Its callers decide whether a KID has the right check digit, whose an
// account is, and whether a file came before.
package giro

import (
	"math"

	"purr/models"
)

// Format is the name of the file format (rule E4).
const Format = "ocr_giro"

// NetsSender is the sender that Nets writes into its transmissions.
const NetsSender = "00008080"

// ServiceOCR is the service code of OCR giro. Assignments of other services, such as the mandates of
// AvtaleGiro (21), are counted and otherwise skipped.
const ServiceOCR = "09"

// MaxAmount is the largest amount that a field holds, in øre: 17 digits.
const MaxAmount models.Amount = 99_999_999_999_999_999

// Totals is what an end record counts.
type Totals struct {
	Transactions int           // the ignored ones included
	Ignored      int           // transactions in assignments of other services
	Records      int           // start and end records included
	Amount       models.Amount // øre, net of the lines with sign "-"
}

func (t *Totals) add(u Totals) {
	t.Transactions += u.Transactions
	t.Ignored += u.Ignored
	t.Records += u.Records
	t.Amount = plus(t.Amount, u.Amount)
}

// plus adds an amount to a sum. It leaves the sum unchanged if the new one were beyond int64: a wrong sum must not look
// right. The reader refuses a file in which that can happen (see CodeSumTooLarge).
func plus(sum, amount models.Amount) models.Amount {
	if amount > 0 && sum > math.MaxInt64-amount || amount < 0 && sum < math.MinInt64-amount {
		return sum
	}
	return sum + amount
}

// TransmissionHeader is the start record of a transmission. Its numbers are texts of digits, leading zeros included.
type TransmissionHeader struct {
	Sender    string      // 8 digits; NetsSender in all genuine files
	Number    string      // 7 digits, a serial given by the sender
	Recipient string      // 8 digits, the recipient's customer unit
	Created   models.Date // from the end record; zero if that has none
}

// Transmission is one delivery from the sender (forsendelse). A file is normally one transmission. A file with several
// was joined by a person from several downloads.
type Transmission struct {
	TransmissionHeader
	Totals
	Line        int // of the start record, from 1
	Assignments []*Assignment

	// ContentHash is the SHA-256 of the transmission's records without line ends. It ignores line ends, blank lines
	// and a byte order mark. Only Check sets it.
	ContentHash [32]byte

	damage damage
}

// AssignmentHeader is the start record of an assignment. Its numbers are texts of digits, leading zeros included.
type AssignmentHeader struct {
	AgreementID string      // 9 digits
	Number      string      // 7 digits; a file may hold the same number twice
	Account     string      // 11 digits, the creditor's bank account
	Created     models.Date // from the end record; zero if that has none
}

// Assignment is what one account of a creditor received under one agreement (oppdrag).
type Assignment struct {
	AssignmentHeader
	Totals
	Transmission *Transmission
	Service      string // ServiceOCR, or a skipped service
	Line         int    // of the start record, from 1

	// Earliest and Latest are the first and last Nets date of the transactions, zero if there is none.
	Earliest, Latest models.Date

	Mandates []Mandate // of AvtaleGiro, in the order of the file; those of damaged records are left out

	// ReversalsAdded reports that the end record adds card reversals (types 18 and 20) with sign "-" instead of
	// subtracting them. The specification does not say which is right.
	ReversalsAdded bool

	skipped   bool          // the service is not ServiceOCR
	mandates  bool          // the service is AvtaleGiro's mandates: each record 70 is a transaction
	reversals models.Amount // øre, card reversals with sign "-"
	damage    damage
}

// Skipped reports whether the assignment belongs to a service other than OCR giro.
func (a *Assignment) Skipped() bool { return a.skipped }

// Counted returns what the transaction adds to the assignment's Amount, in øre. It differs from Transaction.Signed
// only if ReversalsAdded is set. Call it after the whole assignment has been read.
func (a *Assignment) Counted(tx *Transaction) models.Amount {
	if a.ReversalsAdded && tx.Type.Reversal() {
		return tx.Amount
	}
	return tx.Signed()
}

// count adds a transaction to the totals.
func (a *Assignment) count(typ Type, netsDate models.Date, signed models.Amount) {
	a.Transactions++
	a.Amount = plus(a.Amount, signed)
	if signed < 0 && typ.Reversal() {
		a.reversals = plus(a.reversals, -signed)
	}
	if netsDate != 0 && (a.Earliest == 0 || netsDate < a.Earliest) {
		a.Earliest = netsDate
	}
	a.Latest = max(a.Latest, netsDate)
}

// damage says which totals cannot be checked, because a record could not be read.
type damage struct{ count, sum bool }
