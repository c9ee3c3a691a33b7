package ocr

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store"
)

// otherFormat is the one in which the same payments may come, by format.
var otherFormat = map[string]string{giro.Format: camt.Format, camt.Format: giro.Format}

// likeness is what a line of OCR giro and one of camt.054 have in common when they are one payment (rule E4).
type likeness struct {
	invoiceID    int64 // of the document that was sent with the KID
	creditNoteID int64
	account, kid string // where no document was
	amount       models.Amount
	date         models.Date
	payer        string
}

// twins tells which lines came in a file of the other format before. Lines are paired one for one: of each
// likeness as many are posted as came in the format in which more of them came.
type twins struct {
	format   string
	possible bool                        // there are files of the other format
	came     map[string]map[likeness]int // lines by format, the twins included
	known    map[string]bool             // the keys of these lines
}

// findTwins looks for what the payments can be twins of. It finds nothing, and costs next to nothing, where
// all files are of one format.
func (p *posting) findTwins(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment, docs *documents) (*twins, error) {
	t := &twins{format: p.file.Format, came: map[string]map[likeness]int{giro.Format: {}, camt.Format: {}}, known: map[string]bool{}}
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
	lines, err := tx.PaymentLines(ctx, creditorID, docs.invoiceIDs(), kids)
	for _, l := range lines {
		if t.known[string(l.LineKey)] {
			continue // it was in the queue, and then posted by hand
		}
		t.known[string(l.LineKey)] = true
		like := likeness{l.InvoiceID, l.CreditNoteID, "", "", l.Amount, l.TransactionDate, l.FromAccountNumber}
		if l.InvoiceID == 0 {
			like.of(docs, l.Account, l.KID, creditorID != 0 && p.owners[l.Account] == creditorID)
		}
		t.came[l.Format][like]++
	}
	return t, err
}

// of says what was paid: the document that was sent with the KID, where the account is the creditor's and
// there is one.
func (l *likeness) of(docs *documents, account, kid string, own bool) {
	if own {
		if ref := docs.reference(kid); ref != nil {
			l.invoiceID, l.creditNoteID = ref.InvoiceID, ref.CreditNoteID
			return
		}
	}
	l.account, l.kid = account, kid
}

// take reports whether a line that has not come before is one that came in the other format, and counts it.
func (t *twins) take(p payment, docs *documents) bool {
	if !p.hasKID {
		return false
	}
	like := likeness{amount: p.Amount, date: p.TransactionDate, payer: p.FromAccountNumber}
	like.of(docs, p.Account, p.KID, !p.otherAccount)
	mine := t.came[t.format]
	mine[like]++
	return mine[like] <= t.came[otherFormat[t.format]][like]
}

// twin returns what is kept of a line that is one.
func (p *payment) twin() models.PaymentTwin {
	return models.PaymentTwin{
		CreditorID: p.CreditorID, PaymentFileID: p.PaymentFileID, LineKey: p.LineKey, Account: p.Account, KID: p.KID, Amount: p.Amount,
		TransactionDate: p.TransactionDate, FromAccountNumber: p.FromAccountNumber,
	}
}

// invoiceIDs returns the invoices, those of the credit notes included.
func (d *documents) invoiceIDs() []int64 {
	ids := map[int64]bool{}
	for _, ref := range d.references {
		ids[ref.InvoiceID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}
