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
// date (rule D33). It sets the entries' IDs.
func Post(ctx context.Context, tx *store.Tx, entries []models.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return err
	}
	return refresh(ctx, tx, entries)
}

// refresh brings the balances of the entries' documents up to date.
func refresh(ctx context.Context, tx *store.Tx, entries []models.Entry) error {
	invoices, notes := map[int64]bool{}, map[int64]bool{}
	for _, e := range entries {
		if e.CreditNoteID == 0 {
			invoices[e.InvoiceID] = true
		} else {
			notes[e.CreditNoteID] = true
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

func keys(set map[int64]bool) []int64 {
	ids := make([]int64, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	return ids
}
