package ocr

import (
	"context"
	"fmt"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// batch is one creditor's payments of one database transaction, sorted by where they go.
type batch struct {
	part      models.PaymentFilePart
	entries   []models.Entry
	unmatched []models.UnmatchedPayment
	twins     []models.PaymentTwin
	events    []models.Event
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
	known, err := tx.KnownLines(ctx, creditorID, lineKeys(payments))
	if err != nil {
		return err
	}
	docs, err := lockDocuments(ctx, tx, creditorID, payments)
	if err != nil {
		return err
	}
	twins, err := p.findTwins(ctx, tx, creditorID, payments, docs)
	if err != nil {
		return err
	}
	var b batch
	if b.part, err = partOf(ctx, tx, p.file.ID, creditorID); err != nil {
		return err
	}
	for _, payment := range payments {
		b.count(payment)
		if _, seen := known[string(payment.LineKey)]; seen || twins.known[string(payment.LineKey)] {
			b.duplicate(payment)
			continue
		}
		if twins.take(payment, docs) {
			b.duplicate(payment)
			b.twins = append(b.twins, payment.twin())
			continue
		}
		b.sort(payment, match(payment, docs.reference(payment.KID), creditor.KIDModulus, creditor.KIDLength), docs)
	}
	return b.write(ctx, tx)
}

func lineKeys(payments []payment) [][]byte {
	keys := make([][]byte, len(payments))
	for i, p := range payments {
		keys[i] = p.LineKey
	}
	return keys
}

// count takes a payment into what the creditor has in the file.
func (b *batch) count(p payment) {
	b.part.Transactions++
	b.part.Amount += p.counted
}

// duplicate counts a payment that is posted, or waits, already.
func (b *batch) duplicate(p payment) {
	b.part.Duplicates++
	b.part.DuplicatesAmount += p.counted
}

// sort puts a payment where it goes. A payout beyond the credit that is outstanding is no payout that we
// know of: it waits in the queue.
func (b *batch) sort(p payment, o outcome, docs *documents) {
	customerID := docs.customerOf(o)
	if o.creditNoteID != 0 && !docs.payOut(o.creditNoteID, -p.Amount) {
		o = outcome{reason: models.ReasonReversal}
	}
	if o.reason != "" {
		b.part.Unmatched++
		b.part.UnmatchedAmount += p.counted
		p.Reason = o.reason
		b.unmatched = append(b.unmatched, p.UnmatchedPayment)
		b.events = append(b.events, models.Event{
			CreditorID: p.CreditorID, Type: models.EventPaymentUnmatched, SubjectID: p.PaymentFileID,
			Text: fmt.Sprintf("Payment of %s with KID %q could not be matched: %s", p.Amount, p.KID, p.Reason),
		})
		return
	}
	b.part.Matched++
	b.part.MatchedAmount += p.counted
	b.entries = append(b.entries, models.Entry{
		CreditorID: p.CreditorID, CustomerID: customerID, InvoiceID: o.invoiceID, CreditNoteID: o.creditNoteID,
		Type: models.EntryOCR, Amount: -p.Amount, TransactionDate: p.TransactionDate, BankDate: p.BankDate,
		FromAccountNumber: p.FromAccountNumber, PaymentFileID: p.PaymentFileID, LineKey: p.LineKey,
	})
}

func (b *batch) write(ctx context.Context, tx *store.Tx) error {
	if err := ledger.Post(ctx, tx, b.entries); err != nil {
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
	if err := tx.Log(ctx, b.events...); err != nil {
		return err
	}
	return tx.SaveFilePart(ctx, &b.part)
}
