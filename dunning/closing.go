package dunning

import (
	"cmp"
	"context"
	"fmt"

	"purr/ledger"
	"purr/ledger/avtalegiro"
	"purr/models"
	"purr/store"
)

// Closing says why a person closes an invoice with a balance.
type Closing struct {
	Reason  models.Closing
	Comment string
	Actor   string      // who closes it, for the event log
	Seen    models.Seen // the invoice, as the person saw it (rule D115); may be empty
}

// Validate returns every fault of the closing (rules D16, E2).
func (cl Closing) Validate() models.Errors {
	var faults models.Errors
	if cl.Reason != models.ClosedLost && cl.Reason != models.ClosedOther {
		faults.Add("invalid_reason", "reason", "must be lost or other")
	}
	faults.Prose("comment", cl.Comment, models.MaxComment)
	return faults
}

// CanClose returns nil if an invoice may be closed. Otherwise it returns the conflict invoice_closed or
// invoice_paid (rule E2). An invoice that was handed over may be closed: the debt collector has not got it paid.
func CanClose(invoice models.Invoice) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.Balance <= 0:
		return errPaid()
	}
	return nil
}

// CanReopen returns nil if an invoice may be reopened, otherwise the conflict invoice_open (rule E2).
func CanReopen(invoice models.Invoice) error {
	if invoice.Closed == models.NotClosed && invoice.HandedOver == 0 {
		return models.Conflict("invoice_open", "the invoice is neither closed nor handed over to debt collection")
	}
	return nil
}

// CloseInvoice closes an invoice (rule E2). It fails with the conflicts of CanClose. It withdraws notices whose
// letters were not sent, with their fees and interest. It also withdraws the bundle of a hand-over. If the invoice is not as
// it was seen, it fails with the conflict changed_meanwhile (rule D115).
func CloseInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, cl Closing) (models.Invoice, error) {
	if faults := cl.Validate(); len(faults) > 0 {
		return models.Invoice{}, faults
	}
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.SameInvoice(ctx, invoice, cl.Seen); err != nil {
		return models.Invoice{}, err
	}
	if err := CanClose(invoice); err != nil {
		return models.Invoice{}, err
	}
	if err := avtalegiro.MayStop(ctx, tx, c, invoice); err != nil {
		return models.Invoice{}, err
	}
	if invoice, err = withdrawUnsent(ctx, tx, invoice, today); err != nil {
		return models.Invoice{}, err
	}
	if err := withdrawBundle(ctx, tx, invoice, today, becauseClosed, models.BundleOwed); err != nil {
		return models.Invoice{}, err
	}
	return closeLocked(ctx, tx, invoice, cl)
}

// closeLocked closes a locked invoice that may be closed, and of which nothing unsent is left.
func closeLocked(ctx context.Context, tx *store.Tx, invoice models.Invoice, cl Closing) (models.Invoice, error) {
	invoice.Closed, invoice.KeptOpen = cl.Reason, false
	text := fmt.Sprintf("Invoice %d closed (%s) with %s owed", invoice.Number, cl.Reason, invoice.Balance)
	closed := act{Reason: string(cl.Reason), Comment: cl.Comment, Actor: cl.Actor}
	return invoice, closed.onInvoice(ctx, tx, models.EventInvoiceClosed, invoice, text)
}

// ReopenInvoice reopens an invoice that was closed or handed over, and informs the debt collector (rule E2). It
// fails with the conflict of CanReopen. Notices that the closing withdrew stay withdrawn, and charges that it reversed stay reversed. What was paid since
// of what a run had written off pays the invoice, and no run closes for a small remainder what was closed before (rule L25). Dunning goes on with the
// next run. seen is what the person saw of the closing (store's Look), if he looked: if somebody has closed, handed over or
// reopened the invoice since, ReopenInvoice fails with the conflict changed_meanwhile (rule D115).
func ReopenInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) (models.Invoice, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingClosing, ID: invoiceID}, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := CanReopen(invoice); err != nil {
		return models.Invoice{}, err
	}
	if err := withdrawBundle(ctx, tx, invoice, today, why{reason: "reopened"}, models.BundleOwed, models.BundleDelivered); err != nil {
		return models.Invoice{}, err
	}
	reopened := act{Actor: actor, Was: cmp.Or(string(invoice.Closed), "handed_over"), WrittenOff: invoice.WrittenOff}
	if invoice, err = ledger.ClaimAgain(ctx, tx, invoice, today, actor); err != nil {
		return models.Invoice{}, err
	}
	invoice.KeptOpen = invoice.KeptOpen || invoice.Closed != models.NotClosed
	invoice.Closed, invoice.HandedOver = models.NotClosed, 0
	text := fmt.Sprintf("Invoice %d reopened with %s owed", invoice.Number, invoice.Balance)
	return invoice, reopened.onInvoice(ctx, tx, models.EventInvoiceReopened, invoice, text)
}
