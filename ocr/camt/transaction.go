package camt

import (
	"crypto/sha256"
	"strings"

	"purr/models"
)

// Transaction is one payment, or another movement, on the account of its notification; of a payment that
// says how much of it is for which of several invoices, the part for one of them; of an entry without
// transactions, the entry; of one that they do not add up to, also what is left.
type Transaction struct {
	Entry     *Entry
	Line      int           // of its start, from 1
	Part      int           // of a payment of several invoices, from 1; 0 for a whole payment
	Amount    models.Amount // øre; negative for money out, and for a credit note that a payment deducts
	Direction string        // Credit or Debit, of the payment as a whole
	Name      string        // of the payer; may be empty
	KID       string        // as received; empty where there is none, or it is not clear which
	Text      string        // what else the payer wrote, in one line; may be empty

	DebitAccount  string // of the payer, 11 digits where Norwegian; may be empty
	BankReference string // AcctSvcrRef of the transaction; the payments of one batch may share it
	TransactionID string
	EndToEndID    string
	BankDate      models.Date // when the payer's order reached the bank; zero where it is not known
}

// HasKID reports whether there is a KID at all: not empty, and not all zeros.
func (t *Transaction) HasKID() bool { return strings.Trim(t.KID, "0") != "" }

// Reversal reports whether a person has to look at it because money went out, or what was booked before was
// taken back (rule E4).
func (t *Transaction) Reversal() bool { return t.Direction == Debit || t.Entry.Reversal }

// Reference returns the bank's reference, or where there is none the one that the banks gave each other;
// empty where there is neither. The payer's own, the EndToEndID, tells payments apart no better than chance.
func (t *Transaction) Reference() string {
	for _, reference := range []string{t.BankReference, t.TransactionID} {
		if reference != "" && reference != "NOTPROVIDED" {
			return reference
		}
	}
	return ""
}

// Fingerprint tells the transaction from others when it comes again, in a copy of the message or put together
// anew: SHA-256 over the creditor's account, the bank's references of the entry and of the transaction, the
// booking date, the signed amount, the KID, or where there is none the text, and the payer's account. A
// reversal has its payment's references, and the payments of a batch share theirs; genuine payments can be
// equal in all of these, so equal ones within a file must be numbered by whoever keeps the fingerprint.
func (t *Transaction) Fingerprint() [32]byte {
	said := t.KID
	if said == "" {
		said = "/" + strings.ToLower(t.Text)
	}
	return sha256.Sum256([]byte(strings.Join([]string{
		Format, t.Entry.Notification.Account, t.Entry.BankReference, t.Reference(),
		t.Entry.Booked.String(), t.Amount.String(), said, t.DebitAccount,
	}, "\x00")))
}
