package giro

import (
	"bytes"
	"crypto/sha256"

	"purr/models"
)

// Type is a transaction type (section 2.1).
type Type int

// The transaction types. Types 18 to 21 need an agreement of their own and are for information.
const (
	TypeGiroDebited      Type = 10 // giro debited to an account
	TypeStandingOrder    Type = 11
	TypeDirectRemittance Type = 12
	TypeCorporateGiro    Type = 13 // most payments of online banks
	TypeCounterGiro      Type = 14
	TypeAvtaleGiro       Type = 15
	TypeTelegiro         Type = 16
	TypeCashGiro         Type = 17
	TypeCardReversal     Type = 18 // terminal or internet, with KID
	TypeCardPurchase     Type = 19 // terminal or internet, with KID
	TypeReversalWithText Type = 20 // terminal or internet, free text instead of a KID
	TypePurchaseWithText Type = 21 // terminal or internet, free text instead of a KID
	firstType, lastType       = TypeGiroDebited, TypePurchaseWithText
)

// Known reports whether the specification has the type.
func (t Type) Known() bool { return t >= firstType && t <= lastType }

// HasText reports whether transactions of the type have free text, in amount item 3.
func (t Type) HasText() bool { return t == TypeReversalWithText || t == TypePurchaseWithText }

// Reversal reports whether the type is a card reversal: money that went back to the customer. The sums of a file add
// it all the same (section 2.5, field 7).
func (t Type) Reversal() bool { return t == TypeCardReversal || t == TypeReversalWithText }

// Transaction is one payment, or another movement, on the account of its Assignment. Its methods decode the text
// fields.
type Transaction struct {
	Assignment *Assignment
	Line       int // of amount item 1, from 1
	Type       Type
	Number     int // serial within the assignment
	NetsDate   models.Date
	BankDate   models.Date   // when the payer's order reached the bank; zero if unknown
	Amount     models.Amount // øre, never negative
	Negative   bool          // sign "-": a credit note with KID

	first  item1
	second item2
	third  item3 // only if Type.HasText
}

// Signed returns the amount in the file's own arithmetic, in øre: negative for the sign "-". Card
// reversals are positive, see MoneyOut.
func (t *Transaction) Signed() models.Amount {
	if t.Negative {
		return -t.Amount
	}
	return t.Amount
}

// MoneyOut reports whether the money left the account: sign "-", or a card reversal.
func (t *Transaction) MoneyOut() bool { return t.Negative || t.Type.Reversal() }

// KID returns the KID as received, without the blanks around it. It may be empty, all zeros, of any length, and have a
// wrong check digit.
func (t *Transaction) KID() string { return string(t.first.trimmedKID()) }

// HasKID reports whether there is a KID: neither blank nor all zeros.
func (t *Transaction) HasKID() bool { return !zeros(t.first.trimmedKID()) }

// Centre returns the two first digits of the bank's data centre.
func (t *Transaction) Centre() string { return string(t.first.centre()) }

// DayCode returns the two digits of the day of the month. Some senders write "00".
func (t *Transaction) DayCode() string { return string(t.first.dayCode()) }

// PartialSettlement returns the digit that numbers the settlements of a day.
func (t *Transaction) PartialSettlement() string { return string(t.first.partialSettlement()) }

// Serial returns the five digits that number the lump sum within the partial settlement.
func (t *Transaction) Serial() string { return string(t.first.serial()) }

// LumpSum returns the 16 digits that all transactions of one statement line share: Nets date, centre, day code,
// partial settlement and serial.
func (t *Transaction) LumpSum() string { return string(t.first.lumpSum()) }

// SettlementReference returns the 10 digits that differ between the statement lines of a day: LumpSum without the Nets
// date.
func (t *Transaction) SettlementReference() string { return string(t.first.lumpSum()[6:]) }

// CardIssuer returns the two digits of the card issuer, "00" if no card was used.
func (t *Transaction) CardIssuer() string { return string(t.first.cardIssuer()) }

// FormNumber returns the ten digits of the giro form, all zeros if there was none.
func (t *Transaction) FormNumber() string { return string(t.second.formNumber()) }

// ArchiveReference returns the nine digits of the bank's reference, all zeros if there is none. Payments of one batch
// share it.
func (t *Transaction) ArchiveReference() string { return string(t.second.archiveReference()) }

// DebitAccount returns the payer's account, 11 digits, empty if it is unknown.
func (t *Transaction) DebitAccount() string {
	if zeros(t.second.debitAccount()) {
		return ""
	}
	return string(t.second.debitAccount())
}

// Text returns the free text of types 20 and 21, without the blanks after it.
func (t *Transaction) Text() string {
	if !t.Type.HasText() {
		return ""
	}
	return latin1(bytes.TrimRight(t.third.text(), " "))
}

// Fingerprint identifies the transaction, even in another file. It is the SHA-256 of the creditor's account, the lump
// sum, the signed amount, the KID, the payer's account, the archive reference and the form number. Two different
// payments can be equal in all of these. So a caller that stores fingerprints must number equal ones within a file.
func (t *Transaction) Fingerprint() [32]byte {
	b := make([]byte, 0, 2*recordLen)
	b = append(b, t.Assignment.Account...)
	b = append(b, t.first.lumpSum()...)
	b = append(b, t.first.sign()...)
	b = append(b, t.first.amount()...)
	b = append(b, t.first.trimmedKID()...)
	b = append(b, '/') // only the KID varies in length
	b = append(b, t.second.debitAccount()...)
	b = append(b, t.second.archiveReference()...)
	b = append(b, t.second.formNumber()...)
	return sha256.Sum256(b)
}
