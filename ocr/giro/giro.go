// Package giro reads and writes OCR giro files: the 80-byte records in which Nets (Mastercard Payment
// Services) reports the payments that carry a KID. The layout is that of "System specification OCR
// giro", version 2.0; "section" in the comments means a section of it.
//
//	transmission = 10 assignment... 89
//	assignment   = 20 transaction... 88
//	transaction  = 30 31 [32]          the amount items 1, 2 and 3
//
// The package knows the format and nothing else: whether a KID has the right check digit, whose an
// account is, and whether a file came before is decided by those who call it.
package giro

import "purr/models"

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
	Ignored      int           // of the transactions, those in assignments of other services
	Records      int           // start and end records included
	Amount       models.Amount // øre, net of the lines with sign "-"
}

func (t *Totals) add(u Totals) {
	t.Transactions += u.Transactions
	t.Ignored += u.Ignored
	t.Records += u.Records
	t.Amount = plus(t.Amount, u.Amount)
}

// plus adds two amounts, of which the first stays where it is once it is far above what an end record
// can say, so that no overflow makes a wrong sum right.
func plus(sum, amount models.Amount) models.Amount {
	if most := 10 * MaxAmount; sum > most || sum < -most {
		return sum
	}
	return sum + amount
}

// TransmissionHeader is what the start record of a transmission says. The numbers are the digits as
// they stand, leading zeros included.
type TransmissionHeader struct {
	Sender    string      // 8 digits; NetsSender in all genuine files
	Number    string      // 7 digits, a serial given by the sender
	Recipient string      // 8 digits, the recipient's customer unit
	Created   models.Date // from the end record; zero where that has none
}

// Transmission is one delivery from the sender. A file is normally one transmission; several, one
// after the other, come from people who join their downloads.
type Transmission struct {
	TransmissionHeader
	Totals
	Line        int // of the start record, from 1
	Assignments []*Assignment

	// ContentHash is the SHA-256 of the transmission's records without line ends: the same for a copy
	// whose line ends, blank lines or byte order mark differ. Only Check fills it in.
	ContentHash [32]byte

	damage damage
}

// AssignmentHeader is what the start record of an assignment says. The numbers are the digits as they
// stand, leading zeros included.
type AssignmentHeader struct {
	AgreementID string      // 9 digits
	Number      string      // 7 digits; the same number may come twice in a file
	Account     string      // 11 digits, the creditor's bank account
	Created     models.Date // from the end record; zero where that has none
}

// Assignment is what one agreement, that is one account of a creditor, received.
type Assignment struct {
	AssignmentHeader
	Totals
	Transmission *Transmission
	Service      string // ServiceOCR, or one that is skipped
	Line         int    // of the start record, from 1

	// Earliest and Latest are the first and last Nets date of the transactions, zero without any.
	Earliest, Latest models.Date

	// ReversalsAdded says that the end record added card reversals (types 18 and 20) with sign "-"
	// instead of subtracting them. The specification does not say which is right.
	ReversalsAdded bool

	skipped   bool          // the service is not ServiceOCR
	mandates  bool          // AvtaleGiro mandates, of which each record 70 is a transaction
	reversals models.Amount // øre, card reversals with sign "-"
	damage    damage
}

// Skipped reports whether the assignment belongs to another service than OCR giro.
func (a *Assignment) Skipped() bool { return a.skipped }

// Counted returns what the transaction adds to the assignment's Amount, in øre. It is
// Transaction.Signed but for ReversalsAdded, which is known when the assignment has been read.
func (a *Assignment) Counted(tx *Transaction) models.Amount {
	if a.ReversalsAdded && tx.Type.Reversal() {
		return tx.Amount
	}
	return tx.Signed()
}

// count takes a transaction into the totals.
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

// damage is what can no longer be checked because something that counts could not be read.
type damage struct{ count, sum bool }
