package ocr

import (
	"strings"

	"purr/models"
	"purr/store"
)

// payment is one transaction of a file on its way into the ledger.
type payment struct {
	models.UnmatchedPayment               // all data of the bank; Amount is negative for money out
	counted                 models.Amount // by the file's own arithmetic
	reference               string        // of its statement line
	entry                   int           // of camt.054: the number of that statement line in the file
	hasKID                  bool
	reversal                bool // always queued: a card reversal, or a debit or reversal of camt.054
	otherAccount            bool // the account belongs to another creditor than the one who posted the file
}

// outcome says where a payment goes: to a document, or with a reason to the queue.
type outcome struct {
	invoiceID    int64
	creditNoteID int64 // only for a payout
	letterID     int64 // over whose invoices it is spread (rule L23)
	reason       models.UnmatchedReason
}

// match decides where a payment goes, by account and KID (rules D20, E4, E5). ref is the document that was sent with the
// KID, nil if there is none.
func match(p payment, ref *store.Reference, modulus, length int) outcome {
	moneyOut := p.Amount < 0
	switch {
	case p.otherAccount:
		return outcome{reason: models.ReasonOtherAccount}
	case moneyOut && ref != nil && ref.CreditNoteID != 0 && !p.reversal:
		return outcome{invoiceID: ref.InvoiceID, creditNoteID: ref.CreditNoteID}
	case moneyOut, p.reversal:
		return outcome{reason: models.ReasonReversal}
	case !p.hasKID:
		return outcome{reason: models.ReasonNoKID}
	case ref != nil && ref.LetterID != 0:
		return outcome{letterID: ref.LetterID}
	case ref != nil && ref.CreditNoteID == 0:
		return outcome{invoiceID: ref.InvoiceID}
	case ref == nil && !validFor(p.KID, modulus, length):
		return outcome{reason: models.ReasonInvalidKID}
	}
	return outcome{reason: models.ReasonUnknownKID}
}

// validFor reports whether the KID, without filling zeros, is valid under the present KID agreement.
func validFor(kid string, modulus, length int) bool {
	if filler := len(kid) - length; filler > 0 && strings.Trim(kid[:filler], "0") == "" {
		kid = kid[filler:]
	}
	return len(kid) == length && models.ValidKID(kid, modulus)
}

// withoutZeros returns the KIDs that a sender may have filled with zeros from the left: the KID without its first
// zero, without its first two zeros and so on. The agreed length does not help, because it may have changed since the
// document was sent (rule D20).
func withoutZeros(kid string) []string {
	var forms []string
	for len(kid) > models.MinKIDLength && kid[0] == '0' {
		kid = kid[1:]
		forms = append(forms, kid)
	}
	return forms
}
