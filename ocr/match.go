package ocr

import (
	"strings"

	"purr/models"
	"purr/store"
)

// payment is one transaction of a file on its way into the ledger.
type payment struct {
	models.UnmatchedPayment               // all that the bank said; Amount is negative for money out
	counted                 models.Amount // in the file's own arithmetic
	reference               string        // of the line of the bank's statement that it is in
	entry                   int           // the number of that line in the file, for camt.054
	hasKID                  bool
	reversal                bool // for a person whatever its KID: a card reversal, or a debit or reversal of camt.054
	otherAccount            bool // the account is not that of the creditor who posted the file
}

// outcome is where a payment goes.
type outcome struct {
	invoiceID    int64
	creditNoteID int64 // set for a payout of that credit note
	reason       models.UnmatchedReason
}

// match decides where a payment goes, by account and KID (rules D20, E4, E5). ref is the document that
// was sent with the KID, nil where none was.
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
	case ref != nil && ref.CreditNoteID == 0:
		return outcome{invoiceID: ref.InvoiceID}
	case ref == nil && !validFor(p.KID, modulus, length):
		return outcome{reason: models.ReasonInvalidKID}
	}
	return outcome{reason: models.ReasonUnknownKID}
}

// validFor reports whether the KID, filled with zeros or not, could have been sent under the agreement
// that is in force.
func validFor(kid string, modulus, length int) bool {
	if filler := len(kid) - length; filler > 0 && strings.Trim(kid[:filler], "0") == "" {
		kid = kid[filler:]
	}
	return len(kid) == length && models.ValidKID(kid, modulus)
}

// withoutZeros returns what a KID can have been before a sender filled it with zeros from the left: the
// KID without one, two and so on of the zeros that it begins with. The agreement's length does not tell,
// because it may have been another one when the document was sent (rule D20).
func withoutZeros(kid string) []string {
	var forms []string
	for len(kid) > models.MinKIDLength && kid[0] == '0' {
		kid = kid[1:]
		forms = append(forms, kid)
	}
	return forms
}
