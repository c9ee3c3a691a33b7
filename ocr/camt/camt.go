// Package camt reads and writes camt.054, the ISO 20022 message BankToCustomerDebitCreditNotification, in
// which a bank tells of the payments to an account, with and without a KID. It takes the versions that
// Norwegian banks deliver, 001.02 and 001.08.
//
//	message      = GrpHdr Ntfctn...      Document/BkToCstmrDbtCdtNtfctn
//	notification = Acct Ntry...          what one account received
//	entry        = Amt ... TxDtls...     one line of the bank statement, often a lump sum
//
// The package knows the format and nothing else. Its callers decide whether a KID has the right check digit, whose an
// account is, and whether a file came before.
package camt

import (
	"math"

	"purr/models"
)

// Format is the name of the file format (rule E4).
const Format = "camt.054"

// Version is a version of the message.
type Version string

// The versions that are read. Other versions have other elements.
const (
	Version02 Version = "camt.054.001.02"
	Version08 Version = "camt.054.001.08"
)

// namespace is the beginning of the XML namespace, before the version.
const namespace = "urn:iso:std:iso:20022:tech:xsd:"

// Currency is the currency of the ledger. Entries in other currencies are ignored.
const Currency = "NOK"

// StatusBooked is the status of entries whose money is on the account. Entries of other statuses are ignored.
const StatusBooked = "BOOK"

// The directions of an entry or a transaction: money in and money out.
const (
	Credit = "CRDT"
	Debit  = "DBIT"
)

// MaxAmount is the largest amount that is read, in øre: 17 digits, as in OCR giro.
const MaxAmount models.Amount = 99_999_999_999_999_999

// Totals adds up a message or a notification. Amounts are in øre, debits negative.
type Totals struct {
	Transactions  int           // the ignored ones included
	Ignored       int           // transactions of entries that are not booked or in another currency
	Amount        models.Amount // of the entries in Currency, the ignored ones included
	IgnoredAmount models.Amount // of the entries in Currency that are not booked
}

func (t *Totals) add(u Totals) {
	t.Transactions += u.Transactions
	t.Ignored += u.Ignored
	t.Amount = plus(t.Amount, u.Amount)
	t.IgnoredAmount = plus(t.IgnoredAmount, u.IgnoredAmount)
}

// plus adds an amount to a sum. It leaves the sum unchanged if the new one were beyond int64: a wrong sum must not look
// right. The reader refuses a file in which that can happen (see CodeSumTooLarge).
func plus(sum, amount models.Amount) models.Amount {
	if amount > 0 && sum > math.MaxInt64-amount || amount < 0 && sum < math.MinInt64-amount {
		return sum
	}
	return sum + amount
}

// MessageHeader is the group header.
type MessageHeader struct {
	Version   Version
	ID        string      // MsgId, up to 35 characters
	Created   models.Date // the day of CreDtTm
	Recipient string      // the identification of MsgRcpt; empty if there is none
	Page      Page
}

// Page is the number of a page, if a bank splits a message or a notification. The zero Page means that it is not
// split.
type Page struct {
	Number int
	Last   bool
}

// Only reports whether there are no other pages.
func (p Page) Only() bool { return p == Page{} || p.Number == 1 && p.Last }

// NotificationHeader identifies a notification and its account.
type NotificationHeader struct {
	ID       string      // up to 35 characters
	Created  models.Date // the day of CreDtTm; zero if there is none
	Copy     string      // COPY, CODU (copy duplicate) or DUPL (duplicate) if the bank sends it again
	Account  string      // 11 digits of a Norwegian account, also from its IBAN; another identification unchanged
	Servicer string      // the BIC of the account's bank, or the first 35 characters of its name; may be empty
	Page     Page        // only in Version08
}

// Notification is what one account received.
type Notification struct {
	NotificationHeader
	Totals
	Line int // of its start, from 1

	// Earliest and Latest are the first and last booking date of the booked entries, or zero.
	Earliest, Latest models.Date

	credits, debits tally
	declared        declared
}

// tally counts entries and adds up their amounts, whatever their direction and currency.
type tally struct {
	number int
	sum    models.Amount
}

func (t *tally) add(amount models.Amount) {
	t.number++
	t.sum = plus(t.sum, amount)
}

// EntryHeader is an entry without its transactions. Texts have up to 35 characters.
type EntryHeader struct {
	Reference     string      // NtryRef; unique only within its notification, if at all
	BankReference string      // AcctSvcrRef of the entry; other entries may have the same
	Code          string      // bank transaction code, "PMNT/RCDT/VCOM", or the bank's own; may be empty
	Status        string      // StatusBooked, or another one
	Booked        models.Date // booking date; without one the value date, or the day of the message
	Value         models.Date // value date; zero if there is none
	Direction     string      // Credit or Debit
	Reversal      bool        // reverses an earlier entry; the direction is that of the reversal itself
	Amount        models.Amount
	Currency      string
}

// Entry is one statement line, of one or many transactions.
type Entry struct {
	EntryHeader
	Notification *Notification
	Line         int // of its start, from 1
	Number       int // in the file, from 1; the line may be ambiguous, because a whole file may be one line

	// Doubtful reports that the number or the amounts of the transactions do not agree with the entry. It is known
	// after the whole entry has been read, see Summary.Doubtful.
	Doubtful bool
}

// Signed returns the amount in øre, negative for a debit.
func (e *Entry) Signed() models.Amount { return signed(e.Direction, e.Amount) }

func signed(direction string, amount models.Amount) models.Amount {
	if direction == Debit {
		return -amount
	}
	return amount
}

// Ignored reports whether the entry is ignored: it is not booked, or in another currency.
func (e *Entry) Ignored() bool { return e.Status != StatusBooked || e.Currency != Currency }
