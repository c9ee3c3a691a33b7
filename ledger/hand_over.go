package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// tellCollector writes what the debt collector must know of entries whose invoices are handed over: an event for each payment, and for
// each entry that changes the claim a row that the next file tells of (rule C2). deleted says that the entries were deleted, not posted.
// known holds the invoices that the caller has read. The balances are those after the entries. later are reversals that deleted entries led
// to: the collector is told of them afterwards.
func tellCollector(ctx context.Context, tx *store.Tx, entries []models.Entry, known map[int64]store.LockedInvoice, deleted bool, later ...models.Entry) error {
	direct := map[int64][]models.Entry{}
	for _, e := range entries {
		if invoice, isKnown := known[e.InvoiceID]; isKnown && invoice.HandedOver == 0 {
			continue
		}
		if _, is := models.DirectKindOf(e); is {
			direct[e.InvoiceID] = append(direct[e.InvoiceID], e)
		}
	}
	if len(direct) == 0 && len(later) == 0 {
		return nil
	}
	invoices, err := tx.HandedOver(ctx, keys(direct))
	if err != nil {
		return err
	}
	for _, invoice := range invoices {
		h, _, err := tx.LastHandOver(ctx, invoice.ID)
		if err != nil {
			return err
		}
		for _, e := range direct[invoice.ID] {
			if deleted {
				e.Amount = -e.Amount
			}
			if e.Type != models.EntryPayment && e.Type != models.EntryOCR && e.Type != models.EntryRepayment {
				continue
			}
			if err := logInCollection(ctx, tx, invoice, h, e); err != nil {
				return err
			}
		}
		left := invoice.Claimed()
		for _, e := range later {
			if e.InvoiceID == invoice.ID {
				left -= e.Amount
			}
		}
		if err := noteDirect(ctx, tx, left, h, direct[invoice.ID], deleted); err != nil {
			return err
		}
	}
	if len(later) == 0 {
		return nil
	}
	return tellCollector(ctx, tx, later, known, false)
}

// noteDirect writes the rows of which the next file tells the collector. Of a claim that the collector does not have it writes none. Of an
// entry that is deleted before a file has told of it the collector hears nothing. left is what is claimed after the entries.
func noteDirect(ctx context.Context, tx *store.Tx, left models.Amount, h models.HandOver, entries []models.Entry, deleted bool) error {
	if h.State != models.BundleOwed && h.State != models.BundleDelivered {
		return nil
	}
	var rows []models.DirectEntry
	for n := len(entries) - 1; n >= 0; n-- { // the last one leaves what is claimed now
		e := entries[n]
		kind, _ := models.DirectKindOf(e)
		change := e.Amount
		if deleted {
			kind, change = models.DirectTakenBack, -e.Amount
		}
		row := models.DirectEntry{
			CreditorID: e.CreditorID, HandOverID: h.ID, InvoiceID: e.InvoiceID, EntryID: e.ID, Deleted: deleted, Kind: kind, Date: e.TransactionDate,
			Amount: -change, Balance: left,
		}
		left -= change
		if deleted {
			told, err := collectorKnows(ctx, tx, h, e)
			if err != nil {
				return err
			}
			if !told {
				continue
			}
		}
		rows = append([]models.DirectEntry{row}, rows...)
	}
	return tx.CreateDirectEntries(ctx, rows)
}

// collectorKnows reports whether the collector knows of an entry: its bundle has it, or a file has told of it. What no file has told of is
// forgotten.
func collectorKnows(ctx context.Context, tx *store.Tx, h models.HandOver, e models.Entry) (bool, error) {
	if e.ID <= h.LastEntryID {
		return h.Bundle != "", nil // a bundle that is not made yet will not have the entry
	}
	forgotten, err := tx.ForgetDirectEntry(ctx, e.CreditorID, e.ID)
	if err != nil || forgotten {
		return false, err
	}
	_, told, err := tx.DirectEntry(ctx, e.CreditorID, e.ID)
	return told, err
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
