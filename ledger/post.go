package ledger

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// Post writes one creditor's entries and updates the balances of their documents, which the caller has locked (rule
// D33). It sets the entries' IDs. All entries come this way. So Post reverses what a notice has charged too much if money
// comes that is dated before the notice (rule L4). For a payment on an invoice that is handed over to debt collection it
// writes an event. Where an entry takes money back, it takes back what was made of that money (D96). actor is the person who
// books the entries, empty for the program.
func Post(ctx context.Context, tx *store.Tx, entries []models.Entry, actor string) error {
	return PostOnLocked(ctx, tx, entries, actor, nil)
}

// PostOnLocked writes entries as Post does, for a caller that has the locked invoices as they were before. Most
// payments settle their invoice. PostOnLocked sets the balance of such an invoice to zero without adding up its
// entries.
func PostOnLocked(ctx context.Context, tx *store.Tx, entries []models.Entry, actor string, before map[int64]store.LockedInvoice) error {
	if len(entries) == 0 {
		return nil
	}
	if err := write(ctx, tx, entries, before); err != nil {
		return err
	}
	reversals, err := recalculate(ctx, tx, entries, actor, before)
	if err != nil {
		return err
	}
	if err := tellCollector(ctx, tx, slices.Concat(entries, reversals), before, false); err != nil {
		return err
	}
	less := map[int64]bool{}
	for _, e := range entries {
		if e.TakesBack() {
			less[e.InvoiceID] = true
		}
	}
	return takeBack(ctx, tx, entries[0].CreditorID, keys(less), 0, actor)
}

// write writes entries and updates the balances of their documents.
func write(ctx context.Context, tx *store.Tx, entries []models.Entry, before map[int64]store.LockedInvoice) error {
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return err
	}
	settled := settles(entries, before)
	if len(settled) > 0 {
		if err := tx.SettleInvoices(ctx, keys(settled)...); err != nil {
			return err
		}
	}
	return refresh(ctx, tx, entries, settled)
}

// settles returns the invoices whose balances are zero after the entries.
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

// refresh updates the balances of the entries' documents, except the settled invoices, and has the payment plans of all invoices looked at.
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
		if err := refreshInvoices(ctx, tx, entries, keys(invoices)); err != nil {
			return err
		}
	}
	if len(notes) > 0 {
		if err := tx.RefreshCreditNoteBalances(ctx, keys(notes)...); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(entries, func(e models.Entry) bool { return e.Type != models.EntryInvoice }) {
		return nil // a new invoice has no plan
	}
	maps.Copy(invoices, settled)
	return tx.LookAtPlans(ctx, keys(invoices)...)
}

// refreshInvoices updates the balances of invoices, what they owe as a repayment, and when they lapse. A new invoice owes none.
func refreshInvoices(ctx context.Context, tx *store.Tx, entries []models.Entry, ids []int64) error {
	if err := tx.RefreshBalances(ctx, ids...); err != nil {
		return err
	}
	if !slices.ContainsFunc(entries, func(e models.Entry) bool { return e.Type != models.EntryInvoice }) {
		return nil
	}
	if err := tx.RefreshRepayments(ctx, ids...); err != nil || !slices.ContainsFunc(entries, perhapsAcknowledges) {
		return err
	}
	return tx.RefreshLapses(ctx, ids...)
}

// perhapsAcknowledges reports whether the claim may lapse on another day once an entry is posted or deleted (rule L26). An entry that leaves an
// invoice settled changes nothing of it, and so the next one reckons it again that makes anything owed. A new invoice and one that is adopted
// lapse as they were made, and what a notice charges is charged on an invoice that is owed.
func perhapsAcknowledges(e models.Entry) bool {
	charged := e.NoticeID != 0 && e.Amount > 0 && (e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest)
	return e.Type != models.EntryInvoice && e.Adopted != models.Opening && !charged
}

func keys[V any](set map[int64]V) []int64 { return slices.Sorted(maps.Keys(set)) }
