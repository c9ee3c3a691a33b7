package camt

import (
	"crypto/sha256"
	"strings"

	"purr/models"
)

// Transaction is one payment, or another movement, on the account of its notification. A payment of several invoices
// with an amount for each becomes one Transaction for each invoice. An entry without transactions becomes a
// Transaction too, and so does the difference between an entry and its transactions.
type Transaction struct {
	Entry     *Entry
	Line      int           // of its start, from 1
	Part      int           // of a payment of several invoices, from 1; 0 for a whole payment
	Amount    models.Amount // øre; negative for money out, and for a credit note that a payment deducts
	Direction string        // Credit or Debit, of the payment as a whole
	Name      string        // of the payer; may be empty
	Ultimate  string        // of whom the payer paid for, if it is another one
	KID       string        // as received; empty if there is none, or if it is ambiguous
	Text      string        // all other text of the payer, in one line; may be empty

	DebitAccount  string // of the payer, 11 digits if Norwegian; may be empty
	BankReference string // AcctSvcrRef of the transaction; payments of one batch may share it
	TransactionID string
	EndToEndID    string
	BankDate      models.Date // when the payer's order reached the bank; zero if unknown
}

// HasKID reports whether there is a KID: neither empty nor all zeros.
func (t *Transaction) HasKID() bool { return strings.Trim(t.KID, "0") != "" }

// Reversal reports whether money went out, or an earlier entry was reversed. A person must look at such a transaction
// (rule E4).
func (t *Transaction) Reversal() bool { return t.Direction == Debit || t.Entry.Reversal }

// Reference returns the bank's reference, else the reference between the banks, else nothing. It never returns the
// payer's EndToEndID, which need not be unique.
func (t *Transaction) Reference() string {
	for _, reference := range []string{t.BankReference, t.TransactionID} {
		if reference != "" && reference != "NOTPROVIDED" {
			return reference
		}
	}
	return ""
}

// Fingerprint identifies the transaction, even in another message. It is the SHA-256 of the creditor's account, the
// bank's references of entry and transaction, the booking date, the signed amount, the KID or else the text, and the
// payer's account. A reversal has the references of its payment, and payments of a batch share theirs. So two
// different payments can be equal in all of these. A caller that stores fingerprints must number equal ones within a
// file.
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
