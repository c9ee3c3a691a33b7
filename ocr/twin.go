package ocr

import (
	"context"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store"
)

// A bank may send the same payments as OCR giro and as camt.054. A twin is a line of a payment that came in the other
// format before. A twin counts as a duplicate. It is stored separately, so that a second copy of it is recognised
// (rule E4). The two formats have no common line key, so lines are paired one for one by their likeness. Suppose that
// n alike lines came in one format and m in the other: then the larger number is posted.

var otherFormat = map[string]string{giro.Format: camt.Format, camt.Format: giro.Format}

// likeness holds the fields that the two lines of one payment share.
type likeness struct {
	invoiceID    int64 // of the document that was sent with the KID
	creditNoteID int64
	letterID     int64
	account, kid string // if no document has the KID
	amount       models.Amount
	date         models.Date
	payer        string
}

// setDocument sets the document that was sent with the KID. If there is none, it sets account and KID. own says that
// the account belongs to the creditor.
func (l *likeness) setDocument(docs *documents, account, kid string, own bool) {
	if own {
		if ref := docs.reference(kid); ref != nil {
			l.invoiceID, l.creditNoteID, l.letterID = ref.InvoiceID, ref.CreditNoteID, ref.LetterID
			return
		}
	}
	l.account, l.kid = account, kid
}

// twins tells which lines are twins.
type twins struct {
	format   string
	possible bool                        // files of the other format exist
	came     map[string]map[likeness]int // the number of lines, by format, twins included
	known    map[string]bool             // the keys of these lines
}

// findTwins reads the lines that the payments may be twins of. It costs almost nothing if all files are of one format.
func (r *reading) findTwins(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment, docs *documents) (*twins, error) {
	t := &twins{format: r.file.Format, came: map[string]map[likeness]int{giro.Format: {}, camt.Format: {}}, known: map[string]bool{}}
	var err error
	if t.possible, err = tx.HasFilesOf(ctx, otherFormat[t.format]); err != nil || !t.possible {
		return t, err
	}
	var kids []string
	for i := range payments {
		if payments[i].hasKID {
			kids = append(kids, payments[i].KID)
		}
	}
	if len(kids) == 0 {
		return t, nil
	}
	lines, err := tx.PaymentLines(ctx, creditorID, docs.invoiceIDs(), kids, docs.letterIDs())
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if t.known[string(l.LineKey)] {
			continue // skips a matched payment: it is both in the queue and in the ledger
		}
		t.known[string(l.LineKey)] = true
		like := likeness{l.InvoiceID, l.CreditNoteID, 0, "", "", l.Amount, l.TransactionDate, l.FromAccountNumber}
		if l.InvoiceID == 0 {
			like.setDocument(docs, l.Account, l.KID, creditorID != 0 && r.owners[l.Account] == creditorID)
		}
		t.came[l.Format][like]++
	}
	return t, nil
}

// take counts a new line, and reports whether it is a twin.
func (t *twins) take(p payment, docs *documents) bool {
	if !p.hasKID {
		return false
	}
	like := likeness{amount: p.Amount, date: p.TransactionDate, payer: p.FromAccountNumber}
	like.setDocument(docs, p.Account, p.KID, !p.otherAccount)
	same := t.came[t.format]
	same[like]++
	return same[like] <= t.came[otherFormat[t.format]][like]
}

// twin returns the row that records a twin.
func (p *payment) twin() models.PaymentTwin {
	return models.PaymentTwin{
		CreditorID: p.CreditorID, PaymentFileID: p.PaymentFileID, LineKey: p.LineKey, Account: p.Account, KID: p.KID, Amount: p.Amount,
		TransactionDate: p.TransactionDate, FromAccountNumber: p.FromAccountNumber,
	}
}
