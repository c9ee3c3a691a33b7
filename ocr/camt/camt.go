// Package camt reads and writes camt.054, the ISO 20022 message BankToCustomerDebitCreditNotification, in
// which a bank tells of the payments to an account, with and without a KID. It takes the versions that
// Norwegian banks deliver, 001.02 and 001.08.
//
//	message      = GrpHdr Ntfctn...      Document/BkToCstmrDbtCdtNtfctn
//	notification = Acct Ntry...          what one account received
//	entry        = Amt ... TxDtls...     one line of the bank statement, often a lump sum
//
// The package knows the format and nothing else: whether a KID has the right check digit, whose an
// account is, and whether a file came before is decided by those who call it.
package camt

import "purr/models"

// Format is the name of the file format (rule E4).
const Format = "camt.054"

// Version is a version of the message.
type Version string

// The versions that are read. Others have other elements.
const (
	Version02 Version = "camt.054.001.02"
	Version08 Version = "camt.054.001.08"
)

// namespace is what comes before the version in the name of its XML namespace.
const namespace = "urn:iso:std:iso:20022:tech:xsd:"

// Currency is the one that the ledger is kept in. Entries in others are ignored.
const Currency = "NOK"

// StatusBooked is the status of entries whose money is on the account. Others are ignored.
const StatusBooked = "BOOK"

// The directions of an entry or a transaction: money in and money out.
const (
	Credit = "CRDT"
	Debit  = "DBIT"
)

// MaxAmount is the largest amount that is read, in øre: 17 digits, as in OCR giro.
const MaxAmount models.Amount = 99_999_999_999_999_999

// Totals is what a message or a notification holds. Amounts are in øre, debits negative.
type Totals struct {
	Transactions  int           // the ignored ones included
	Ignored       int           // of the transactions, those of entries that are not booked or in another currency
	Amount        models.Amount // of the entries, the ignored ones included, but for other currencies
	IgnoredAmount models.Amount // of the entries that are not booked
}

func (t *Totals) add(u Totals) {
	t.Transactions += u.Transactions
	t.Ignored += u.Ignored
	t.Amount = plus(t.Amount, u.Amount)
	t.IgnoredAmount = plus(t.IgnoredAmount, u.IgnoredAmount)
}

// plus adds two amounts, of which the first stays where it is once it is far above what a bank can say,
// so that no overflow makes a wrong sum right.
func plus(sum, amount models.Amount) models.Amount {
	if most := 10 * MaxAmount; sum > most || sum < -most {
		return sum
	}
	return sum + amount
}

// MessageHeader is what the group header says.
type MessageHeader struct {
	Version   Version
	ID        string      // MsgId, up to 35 characters
	Created   models.Date // the day of CreDtTm
	Recipient string      // the identification of MsgRcpt; empty where there is none
	Page      Page
}

// Page says which page of a whole that came in several something is. The zero Page is all there is.
type Page struct {
	Number int
	Last   bool
}

// Only reports whether there is no other page.
func (p Page) Only() bool { return p == Page{} || p.Number == 1 && p.Last }

// NotificationHeader is what a notification says of itself and its account.
type NotificationHeader struct {
	ID       string      // up to 35 characters
	Created  models.Date // the day of CreDtTm; zero where there is none
	Copy     string      // COPY, CODU (copy duplicate) or DUPL (duplicate) where the bank sent it again
	Account  string      // 11 digits for a Norwegian account, also from its IBAN; else as it stands
	Servicer string      // the BIC of the bank that has the account, else the first 35 characters of its name; may be empty
	Page     Page        // only in Version08
}

// Notification is what one account received.
type Notification struct {
	NotificationHeader
	Totals
	Line int // of its start, from 1

	// Earliest and Latest are the first and last booking date of the booked entries, zero without any.
	Earliest, Latest models.Date

	credits, debits tally
	declared        declared
}

// tally counts entries. Its amount is without signs, in whatever currency the entries are.
type tally struct {
	number int
	sum    models.Amount
}

func (t *tally) add(amount models.Amount) {
	t.number++
	t.sum = plus(t.sum, amount)
}

// EntryHeader is what an entry says of itself. Texts have up to 35 characters.
type EntryHeader struct {
	Reference     string      // NtryRef, unique in its notification at most
	BankReference string      // AcctSvcrRef of the entry; may come again in other entries
	Code          string      // bank transaction code: "PMNT/RCDT/VCOM", else the bank's own; may be empty
	Status        string      // StatusBooked, or another one
	Booked        models.Date // booking date, else value date, else the day of the message
	Value         models.Date // value date; zero where there is none
	Direction     string      // Credit or Debit
	Reversal      bool        // takes back what was booked before; the direction is that of the reversal itself
	Amount        models.Amount
	Currency      string
}

// Entry is one line of the bank statement, of one or many transactions.
type Entry struct {
	EntryHeader
	Notification *Notification
	Line         int // of its start, from 1
	Number       int // in the file, from 1: a file may be all in one line

	// Doubtful says that the transactions are not those that the entry counts, or do not add up to its
	// amount. It is known when the entry has been read, see Summary.Doubtful.
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

// Ignored reports whether the entry is left out: not booked, or in another currency.
func (e *Entry) Ignored() bool { return e.Status != StatusBooked || e.Currency != Currency }
