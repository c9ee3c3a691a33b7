package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// logPaymentsInCollection writes an event for each payment among the entries whose invoice is handed over to debt
// collection, because the collector must know of it. deleted says that the entries were deleted, not posted. known
// holds the invoices that the caller has read.
func logPaymentsInCollection(ctx context.Context, tx *store.Tx, entries []models.Entry, known map[int64]store.LockedInvoice, deleted bool) error {
	paid := map[int64][]models.Entry{}
	for _, e := range entries {
		if invoice, isKnown := known[e.InvoiceID]; isKnown && invoice.HandedOver == 0 {
			continue
		}
		if e.CreditNoteID == 0 && (e.Type == models.EntryPayment || e.Type == models.EntryOCR || e.Type == models.EntryRepayment) {
			paid[e.InvoiceID] = append(paid[e.InvoiceID], e)
		}
	}
	if len(paid) == 0 {
		return nil
	}
	invoices, err := tx.HandedOver(ctx, keys(paid))
	if err != nil {
		return err
	}
	for _, invoice := range invoices {
		h, _, err := tx.LastHandOver(ctx, invoice.ID)
		if err != nil {
			return err
		}
		for _, e := range paid[invoice.ID] {
			if deleted {
				e.Amount = -e.Amount
			}
			if err := logInCollection(ctx, tx, invoice, h, e); err != nil {
				return err
			}
		}
	}
	return nil
}

func logInCollection(ctx context.Context, tx *store.Tx, invoice models.Invoice, h models.HandOver, e models.Entry) error {
	what := fmt.Sprintf("%s was paid", -e.Amount)
	if e.Amount > 0 {
		what = fmt.Sprintf("%s that was paid went back", e.Amount)
	}
	return tx.Log(ctx, models.Event{
		CreditorID: e.CreditorID, Type: models.EventPaymentInCollection, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: e.ID,
		Text: fmt.Sprintf("%s on invoice %d, which went to debt collection on %s: %s is owed", what, invoice.Number, invoice.HandedOver, invoice.Claimed()),
		Facts: models.Facts{ // an amount below zero was deleted or repaid; the balance is what is owed now
			"invoice_number": invoice.Number, "handed_over": invoice.HandedOver, "hand_over": h.ID, "entry": e.ID, "amount": -e.Amount, "balance": invoice.Claimed(),
		},
	})
}
