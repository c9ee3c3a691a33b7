package ocr

import (
	"context"
	"fmt"
	"maps"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// batch is one creditor's payments of one database transaction, sorted by where they go.
type batch struct {
	part      models.PaymentFilePart
	statement statement
	format    string // of the file
	entries   []models.Entry
	unmatched []models.UnmatchedPayment
	twins     []models.PaymentTwin
	events    []models.Event
	invoices  map[int64]store.LockedInvoice // those that are paid, as they were
}

// postFor posts one creditor's payments. Imports for the same creditor wait for each other, so that a
// line that comes in two files at once is still posted once.
func (p *posting) postFor(ctx context.Context, tx *store.Tx, creditorID int64, payments []payment) error {
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
	twins, err := p.findTwins(ctx, tx, creditorID, payments, docs)
	if err != nil {
		return err
	}
	known, err := p.knownLines(ctx, tx, creditorID, payments, twins)
	if err != nil {
		return err
	}
	b := batch{format: p.file.Format, invoices: docs.invoices}
	if b.part, err = partOf(ctx, tx, p.file.ID, creditorID); err != nil {
		return err
	}
	for _, payment := range payments {
		if known[string(payment.LineKey)] {
			b.count(&payment, cameFirst)
			continue
		}
		if twins.take(payment, docs) {
			b.count(&payment, asTwin)
			b.twins = append(b.twins, payment.twin())
			continue
		}
		b.sort(payment, match(payment, docs.reference(payment.KID), creditor.KIDModulus, creditor.KIDLength), docs)
	}
	if err := p.refusePosted(ctx, tx, creditorID, b.unmatched); err != nil {
		return err
	}
	return b.write(ctx, tx)
}

// knownLines returns which of the payments came before, by the keys of their lines. Until one is found to be in the
// ledger, none of a file's lines is supposed to be there: to ask for each of them takes a while, and the ledger's own
// key refuses those that are.
func (p *posting) knownLines(
	ctx context.Context, tx *store.Tx, creditorID int64, payments []payment, twins *twins,
) (map[string]bool, error) {
	keys := lineKeys(payments)
	found, err := tx.QueuedLines(ctx, creditorID, keys)
	if err == nil && (p.cautious || twins.possible) {
		var posted map[string]int64
		posted, err = tx.PostedLines(ctx, creditorID, keys)
		maps.Copy(found, posted)
	}
	known := twins.known
	for key := range found {
		known[key] = true
	}
	return known, err
}

// refusePosted fails with store.ErrDuplicate where a payment that is to be queued is in the ledger, whose key does
// not see the queue.
func (p *posting) refusePosted(ctx context.Context, tx *store.Tx, creditorID int64, queued []models.UnmatchedPayment) error {
	if p.cautious || len(queued) == 0 {
		return nil
	}
	keys := make([][]byte, len(queued))
	for i, u := range queued {
		keys[i] = u.LineKey
	}
	posted, err := tx.PostedLines(ctx, creditorID, keys)
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

// count takes a payment into what the creditor has in the file, and into its line of the bank's statement.
func (b *batch) count(p *payment, at place) {
	at.addTo(&b.part, 1, p.counted)
	b.statement.add(p, b.format, at, 1)
}

// sort puts a payment where it goes. A payout beyond the credit that is outstanding is no payout that we
// know of: it waits in the queue.
func (b *batch) sort(p payment, o outcome, docs *documents) {
	customerID := docs.customerOf(o)
	if o.creditNoteID != 0 && !docs.payOut(o.creditNoteID, -p.Amount) {
		o = outcome{reason: models.ReasonReversal}
	}
	if o.reason != "" {
		b.count(&p, inQueue)
		p.Reason = o.reason
		b.unmatched = append(b.unmatched, p.UnmatchedPayment)
		b.events = append(b.events, models.Event{
			CreditorID: p.CreditorID, Type: models.EventPaymentUnmatched, SubjectID: p.PaymentFileID,
			Text: fmt.Sprintf("Payment of %s with KID %q could not be matched: %s", p.Amount, p.KID, p.Reason),
		})
		return
	}
	b.count(&p, asEntry)
	b.entries = append(b.entries, models.Entry{
		CreditorID: p.CreditorID, CustomerID: customerID, InvoiceID: o.invoiceID, CreditNoteID: o.creditNoteID,
		Type: models.EntryOCR, Amount: -p.Amount, TransactionDate: p.TransactionDate, BankDate: p.BankDate,
		FromAccountNumber: p.FromAccountNumber, PaymentFileID: p.PaymentFileID, LineKey: p.LineKey,
	})
}

func (b *batch) write(ctx context.Context, tx *store.Tx) error {
	if err := ledger.PostTo(ctx, tx, b.entries, b.invoices); err != nil {
		return err
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
