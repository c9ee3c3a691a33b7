package ocr

import (
	"context"
	"fmt"
	"maps"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// batch is what a transaction writes of one creditor's payments.
type batch struct {
	part      models.PaymentFilePart
	statement statement
	entries   []models.Entry
	unmatched []models.UnmatchedPayment
	queued    [][]byte // the line keys of the queued payments
	twins     []models.PaymentTwin
	events    []models.Event
	docs      *documents
	spread    []spreadPayment
}

// spreadPayment is a payment with a letter's KID (rule L23), and where its entries are among those of the batch.
type spreadPayment struct {
	models.UnmatchedPayment
	first, end int
}

// postFor posts one creditor's payments. The lock on the creditor makes imports for the same creditor wait for each
// other: so a line that comes in two files at once is posted once.
func (r *reading) postFor(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment) error {
	var creditor models.Creditor
	if creditorID != 0 {
		var err error
		if creditor, err = tx.LockCreditor(ctx, creditorID); err != nil {
			return err
		}
	}
	docs, err := lockDocuments(ctx, tx, creditorID, payments)
	if err != nil {
		return err
	}
	twins, err := r.findTwins(ctx, tx, creditorID, payments, docs)
	if err != nil {
		return err
	}
	known, err := r.knownLines(ctx, tx, creditorID, payments, twins)
	if err != nil {
		return err
	}
	part, err := partOf(ctx, tx, r.file.ID, creditorID)
	if err != nil {
		return err
	}
	b := batch{part: part, statement: statement{format: r.file.Format}, docs: docs, entries: make([]models.Entry, 0, len(payments))}
	for _, p := range payments {
		switch {
		case known[string(p.LineKey)]:
			b.count(&p, asDuplicate)
		case twins.take(p, docs):
			b.count(&p, asTwin)
			b.twins = append(b.twins, p.twin())
		default:
			o := match(p, docs.reference(p.KID), creditor.KIDModulus, creditor.KIDLength)
			if o.letterID == 0 {
				b.add(p, o)
			} else if err := b.addSpread(ctx, tx, p, o.letterID); err != nil {
				return err
			}
		}
	}
	if err := r.refusePosted(ctx, tx, creditorID, b.queued); err != nil {
		return err
	}
	return b.write(ctx, tx, r.im.actor)
}

// knownLines returns which of the payments came before, by line key. It first assumes that none is in the ledger,
// because reading the ledger is slow. It reads the ledger only after the ledger's unique key has refused a line.
func (r *reading) knownLines(
	ctx context.Context, tx *store.Tx, creditorID int64, payments []payment, twins *twins,
) (map[string]bool, error) {
	keys := lineKeys(payments)
	found, err := tx.QueuedLines(ctx, creditorID, keys)
	if err != nil {
		return nil, err
	}
	if r.cautious || twins.possible {
		posted, err := tx.PostedLines(ctx, creditorID, keys)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, posted)
	}
	for key := range found {
		twins.known[key] = true
	}
	return twins.known, nil
}

// refusePosted fails with store.ErrDuplicate if a payment that is to be queued is in the ledger. No unique key spans the
// queue and the ledger.
func (r *reading) refusePosted(ctx context.Context, tx *store.Tx, creditorID int64, queued [][]byte) error {
	if r.cautious || len(queued) == 0 {
		return nil
	}
	posted, err := tx.PostedLines(ctx, creditorID, queued)
	if err == nil && len(posted) > 0 {
		err = store.ErrDuplicate
	}
	return err
}

func lineKeys(payments []payment) [][]byte {
	keys := make([][]byte, len(payments))
	for i, p := range payments {
		keys[i] = p.LineKey
	}
	return keys
}

// count counts a payment in the creditor's part of the file and in its statement line.
func (b *batch) count(p *payment, to destination) {
	to.addTo(&b.part, 1, p.counted)
	b.statement.add(p, to, 1)
}

// add posts or queues a payment. It queues a payout of more than the credit note's outstanding credit.
func (b *batch) add(p payment, o outcome) {
	customerID := b.docs.customerOf(o)
	if o.creditNoteID != 0 && !b.docs.payOut(o.creditNoteID, -p.Amount) {
		o = outcome{reason: models.ReasonReversal}
	}
	if o.reason != "" {
		b.count(&p, toQueue)
		p.Reason = o.reason
		b.unmatched, b.queued = append(b.unmatched, p.UnmatchedPayment), append(b.queued, p.LineKey)
		b.events = append(b.events, models.Event{
			CreditorID: p.CreditorID, Type: models.EventPaymentUnmatched, SubjectID: p.PaymentFileID,
			Text:  fmt.Sprintf("Payment of %s with KID %q could not be matched: %s", p.Amount, p.KID, p.Reason),
			Facts: models.Facts{"amount": p.Amount, "kid": p.KID, "reason": p.Reason},
		})
		return
	}
	b.count(&p, toLedger)
	e := p.posted(customerID, o.invoiceID, -p.Amount)
	e.CreditNoteID, e.LineKey = o.creditNoteID, p.LineKey
	b.post(e)
}

// posted returns an entry of the payment on an invoice.
func (p *payment) posted(customerID, invoiceID int64, amount models.Amount) models.Entry {
	return models.Entry{
		CreditorID: p.CreditorID, CustomerID: customerID, InvoiceID: invoiceID, Type: models.EntryOCR, Amount: amount, TransactionDate: p.TransactionDate,
		BankDate: p.BankDate, FromAccountNumber: p.FromAccountNumber, PaymentFileID: p.PaymentFileID,
	}
}

func (b *batch) post(e models.Entry) {
	b.entries = append(b.entries, e)
	b.docs.spreading.Book(e)
}

// addSpread spreads a payment with a letter's KID over the invoices of the letter, one entry each (rule L23). The payment is kept beside the
// queue, matched, with its line's key: so the line is in one place, and a person can take the whole back.
func (b *batch) addSpread(ctx context.Context, tx *store.Tx, p payment, letterID int64) error {
	shares, err := b.docs.spreading.Spread(ctx, tx, b.docs.letters[letterID], p.Amount, p.TransactionDate)
	if err != nil {
		return err
	}
	if len(shares) == 0 {
		return models.NotFound("letter")
	}
	b.count(&p, toLedger)
	p.Status, p.Reason, p.LetterID, p.LikelyPayerID = models.PaymentMatched, models.ReasonLetter, letterID, new(int64)
	spread := spreadPayment{UnmatchedPayment: p.UnmatchedPayment, first: len(b.entries)}
	for _, s := range shares {
		b.post(p.posted(s.Invoice.CustomerID, s.Invoice.ID, -s.Amount))
	}
	spread.end = len(b.entries)
	b.spread, b.queued = append(b.spread, spread), append(b.queued, p.LineKey)
	return nil
}

func (b *batch) write(ctx context.Context, tx *store.Tx, actor string) error {
	if err := ledger.PostOnLocked(ctx, tx, b.entries, actor, b.docs.invoices); err != nil {
		return err
	}
	for _, s := range b.spread {
		for _, e := range b.entries[s.first:s.end] {
			s.FurtherEntryIDs = append(s.FurtherEntryIDs, e.ID)
		}
		s.EntryID, s.FurtherEntryIDs = s.FurtherEntryIDs[0], s.FurtherEntryIDs[1:]
		b.unmatched = append(b.unmatched, s.UnmatchedPayment)
	}
	if len(b.unmatched) > 0 {
		if err := tx.CreateUnmatchedPayments(ctx, b.unmatched); err != nil {
			return err
		}
	}
	if len(b.twins) > 0 {
		if err := tx.CreatePaymentTwins(ctx, b.twins); err != nil {
			return err
		}
	}
	if err := tx.AddStatementLines(ctx, b.statement.lines); err != nil {
		return err
	}
	if err := tx.Log(ctx, b.events...); err != nil {
		return err
	}
	return tx.SaveFilePart(ctx, &b.part)
}
