package collection

import (
	"context"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// Handed is a claim that the debt collector has, or is about to get (rule C3).
type Handed struct {
	models.HandOver
	Invoice   models.Invoice
	Name      string         // the hand-over's
	Days      int            // since the hand-over
	Claim     law.Allocation // as it was handed over, by its parts
	Collected models.Amount  // that the collector has reported as paid
	Direct    models.Amount  // that came without it since, less what went back
	Left      models.Amount  // what is claimed now; below zero it is overpaid
	Last      models.CollectionReport
	Reported  bool // the collector has told something: Last
}

// Claims returns a page of a creditor's claims, the newest first, and the number of all of them.
func Claims(ctx context.Context, v store.View, c models.Creditor, today models.Date, f store.CollectionFilter, p store.Page) ([]Handed, int64, error) {
	found, total, err := v.Collections(ctx, c.ID, f, p)
	if err != nil || len(found) == 0 {
		return nil, total, err
	}
	all, err := handed(ctx, v, c, today, found)
	return all, total, err
}

// ClaimOf returns the claim of an invoice that the collector has, and false if it has none.
func ClaimOf(ctx context.Context, v store.View, c models.Creditor, today models.Date, invoice models.Invoice) (Handed, bool, error) {
	h, found, err := v.LastHandOver(ctx, invoice.ID)
	if err != nil || !found || invoice.CreditorID != c.ID || invoice.HandedOver == 0 || h.State != models.BundleOwed && h.State != models.BundleDelivered {
		return Handed{}, false, err
	}
	all, err := handed(ctx, v, c, today, []models.HandOver{h})
	if err != nil {
		return Handed{}, false, err
	}
	return all[0], true, nil
}

// handed reads what else is known of hand-overs.
func handed(ctx context.Context, v store.View, c models.Creditor, today models.Date, found []models.HandOver) ([]Handed, error) {
	ids, invoiceIDs := make([]int64, len(found)), make([]int64, len(found))
	for i, h := range found {
		ids[i], invoiceIDs[i] = h.ID, h.InvoiceID
	}
	invoices, err := v.InvoicesByID(ctx, c.ID, invoiceIDs)
	if err != nil {
		return nil, err
	}
	entries, err := v.EntriesOfInvoicesAndCreditNotes(ctx, invoiceIDs)
	if err != nil {
		return nil, err
	}
	reports, err := v.CollectionReports(ctx, c.ID, ids)
	if err != nil {
		return nil, err
	}
	all := make([]Handed, len(found))
	for i, h := range found {
		n := slices.IndexFunc(invoices, func(i models.Invoice) bool { return i.ID == h.InvoiceID })
		all[i] = Handed{HandOver: h, Invoice: invoices[n], Name: h.Name(invoices[n].Number), Days: int(today - h.HandedOver)}
		all[i].reckon(entries[h.InvoiceID])
		if told := reports[h.ID]; len(told) > 0 {
			all[i].Last, all[i].Reported = told[len(told)-1], true
		}
	}
	return all, nil
}

// reckon divides the claim, and what came on it since, by the entries of the invoice.
func (h *Handed) reckon(entries []models.Entry) {
	var before []models.Entry
	for _, e := range entries {
		_, direct := models.DirectKindOf(e)
		switch {
		case e.HandOverID == h.ID:
			h.Collected -= e.Amount
		case e.ID <= h.LastEntryID:
			before = append(before, e)
		case direct:
			h.Direct -= e.Amount
		}
	}
	h.Claim, h.Left = law.Allocate(before), h.Invoice.Claimed()
}

// Total returns what was claimed then, in all.
func (h *Handed) Total() models.Amount {
	return h.Claim.Principal + h.Claim.Interest + h.Claim.Fees - h.Claim.Overpaid
}
