// Package ledger posts entries and keeps the balances that follow from them: payments, repayments,
// payouts, reversals and the settling of credited invoices. It knows the accounts of customers, and
// nothing of how documents come to be, of bank files or of HTTP.
package ledger

import (
	"context"

	"purr/models"
	"purr/store"
)

// Post writes entries and brings the balances of their documents, which the caller has locked, up to
// date (rule D33). It sets the entries' IDs. A payment on an invoice that went to debt collection is told by an event.
func Post(ctx context.Context, tx *store.Tx, entries []models.Entry) error {
	return PostTo(ctx, tx, entries, nil)
}

// PostTo writes entries as Post does, for a caller who knows how their invoices were before. Where the entries bring
// a balance to nothing, as most payments do, they are not added up again.
func PostTo(ctx context.Context, tx *store.Tx, entries []models.Entry, before map[int64]store.LockedInvoice) error {
	if len(entries) == 0 {
		return nil
	}
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return err
	}
	settled := settles(entries, before)
	if len(settled) > 0 {
		if err := tx.SettleInvoices(ctx, keys(settled)...); err != nil {
			return err
		}
	}
	if err := refresh(ctx, tx, entries, settled); err != nil {
		return err
	}
	return tellCollector(ctx, tx, entries, before, false)
}

// settles returns the invoices whose balances the entries bring to nothing.
func settles(entries []models.Entry, before map[int64]store.LockedInvoice) map[int64]bool {
	after := map[int64]models.Amount{}
	for _, e := range entries {
		if invoice, known := before[e.InvoiceID]; known && e.CreditNoteID == 0 {
			if _, met := after[e.InvoiceID]; !met {
				after[e.InvoiceID] = invoice.Balance
			}
			after[e.InvoiceID] += e.Amount
		}
	}
	settled := map[int64]bool{}
	for id, balance := range after {
		if balance == 0 {
			settled[id] = true
		}
	}
	return settled
}

// refresh brings the balances of the entries' documents up to date, but for the invoices that are.
func refresh(ctx context.Context, tx *store.Tx, entries []models.Entry, settled map[int64]bool) error {
	invoices, notes := map[int64]bool{}, map[int64]bool{}
	for _, e := range entries {
		switch {
		case e.CreditNoteID != 0:
			notes[e.CreditNoteID] = true
		case !settled[e.InvoiceID]:
			invoices[e.InvoiceID] = true
		}
	}
	if len(invoices) > 0 {
		if err := tx.RefreshBalances(ctx, keys(invoices)...); err != nil {
			return err
		}
	}
	if len(notes) > 0 {
		return tx.RefreshCreditNoteBalances(ctx, keys(notes)...)
	}
	return nil
}

func keys[V any](set map[int64]V) []int64 {
	ids := make([]int64, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	return ids
}
