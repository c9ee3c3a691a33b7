package ledger

import (
	"cmp"
	"context"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// Spreading is what payments with the KIDs of letters are spread by: the invoices of the letters, which are locked (rule L23).
type Spreading struct {
	invoices map[int64]models.Invoice
	entries  map[int64][]models.Entry
	notices  map[int64][]models.Notice
}

// ReadSpreading reads what payments are spread by over invoices of a creditor, which the caller has locked.
func ReadSpreading(ctx context.Context, tx *store.Tx, creditorID int64, invoiceIDs []int64) (s Spreading, err error) {
	found, err := tx.InvoicesByID(ctx, creditorID, invoiceIDs)
	if err != nil {
		return Spreading{}, err
	}
	s.invoices = make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		s.invoices[i.ID] = i
	}
	if s.entries, err = tx.EntriesOfInvoicesAndCreditNotes(ctx, invoiceIDs); err != nil {
		return Spreading{}, err
	}
	s.notices, err = tx.NoticesOfInvoices(ctx, invoiceIDs)
	return s, err
}

// Book adds an entry on one of the invoices that is about to be written.
func (s Spreading) Book(e models.Entry) {
	i, there := s.invoices[e.InvoiceID]
	if !there || e.CreditNoteID != 0 {
		return
	}
	i.Balance += e.Amount
	s.invoices[i.ID], s.entries[i.ID] = i, append(s.entries[i.ID], e)
}

// Share is what one invoice gets of a payment.
type Share struct {
	Invoice models.Invoice
	Amount  models.Amount // above zero
}

// Spread returns what each of some invoices gets of a payment that came on a day (rule L23): all principals, the oldest due date first, then
// invoice by invoice in that order interest and fees. What a notice charged too much, because the payment came before it, is not owed (rule L4). A
// surplus lands on the invoice due last. The shares are in the order of due dates, and add up to the payment.
func (s Spreading) Spread(ctx context.Context, tx *store.Tx, invoiceIDs []int64, amount models.Amount, on models.Date) ([]Share, error) {
	owed := make([]owing, 0, len(invoiceIDs))
	for _, id := range invoiceIDs {
		i, there := s.invoices[id]
		if !there {
			return nil, models.NotFound("invoice")
		}
		o, err := s.owedOn(ctx, tx, i, on)
		if err != nil {
			return nil, err
		}
		owed = append(owed, o)
	}
	return spread(owed, amount), nil
}

// owing is what is owed on an invoice, of what a letter asks for.
type owing struct {
	invoice            models.Invoice
	principal, charges models.Amount
}

// owedOn returns what is owed on an invoice if all of it came on a day.
func (s Spreading) owedOn(ctx context.Context, tx *store.Tx, i models.Invoice, on models.Date) (owing, error) {
	a := law.Allocate(s.entries[i.ID])
	o := owing{i, a.Principal, a.Interest + a.Fees}
	if o.charges == 0 || !slices.ContainsFunc(s.notices[i.ID], func(n models.Notice) bool { return n.IssueDate > on }) {
		return o, nil
	}
	owed, err := OwedIfPaidOn(ctx, tx, i, on)
	if err != nil {
		return owing{}, err
	}
	o.charges = max(0, o.charges-(i.Balance-owed))
	return o, nil
}

func spread(owed []owing, amount models.Amount) (shares []Share) {
	slices.SortFunc(owed, func(a, b owing) int {
		return cmp.Or(cmp.Compare(a.invoice.DueDate, b.invoice.DueDate), cmp.Compare(a.invoice.ID, b.invoice.ID))
	})
	parts := make([]models.Amount, len(owed))
	for _, of := range []func(owing) models.Amount{func(o owing) models.Amount { return o.principal }, func(o owing) models.Amount { return o.charges }} {
		for i, o := range owed {
			part := min(amount, of(o))
			parts[i] += part
			amount -= part
		}
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += amount
	}
	for i, o := range owed {
		if parts[i] != 0 {
			shares = append(shares, Share{o.invoice, parts[i]})
		}
	}
	return shares
}
