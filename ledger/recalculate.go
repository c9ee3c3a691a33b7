package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// recalculate reverses what notices have charged too much, after entries were booked whose transaction dates are before
// the notices' issue dates (rule L4). It keeps the new calculation of each such notice and writes an event. It charges
// nothing. It takes a few statements for any number of entries, and one more for each notice that automatic dunning has
// issued since. It takes next to none where no invoice has a notice. actor is the
// person who booked the entries, empty for the program. known holds the invoices that the caller has read. It returns the reversals, of which
// the caller tells the debt collector.
func recalculate(ctx context.Context, tx *store.Tx, booked []models.Entry, actor string, known map[int64]store.LockedInvoice) ([]models.Entry, error) {
	reversals, err := recalculateSince(ctx, tx, cause{since: earliestMoney(booked, known)}, actor)
	if err != nil {
		return nil, err
	}
	others, err := sparedBy(ctx, tx, booked, known)
	if err != nil {
		return nil, err
	}
	more, err := recalculateSince(ctx, tx, cause{since: others}, actor)
	if err != nil {
		return nil, err
	}
	return append(reversals, more...), nil
}

// RecalculateLate reverses what the notices on an invoice have charged too much, because the invoice, or the letter of one of them,
// turns out to have left late: too much interest (rule L1), and a fee that came too early (rules L1, D94). It keeps the new
// calculations and writes events, as the booking of money that came earlier does (rule L4). The caller has locked the invoice.
func RecalculateLate(ctx context.Context, tx *store.Tx, invoiceID int64, late law.Late) error {
	reversals, err := recalculateSince(ctx, tx, cause{since: map[int64]models.Date{invoiceID: 0}, late: late}, "")
	if err != nil {
		return err
	}
	return tellCollector(ctx, tx, reversals, nil, false)
}

// cause is why notices are reckoned again: money that came before them, or something that left late.
type cause struct {
	since map[int64]models.Date // the notices that were issued after a day, by the ID of their invoice: the earliest day on which money came
	late  law.Late
}

// text returns the cause for a person, for a notice on an invoice.
func (c cause) text(invoiceID int64) string {
	switch {
	case c.late.Due != 0:
		return fmt.Sprintf("recalculated, because the invoice left on %s only", c.late.Left)
	case c.late.Left != 0:
		return fmt.Sprintf("recalculated, because the letter of the notice before it left on %s only", c.late.Left)
	}
	return fmt.Sprintf("recalculated with money that came on %s, before it", c.since[invoiceID])
}

// addTo adds the cause to the facts of an event about a notice on an invoice.
func (c cause) addTo(facts models.Facts, invoiceID int64) {
	switch {
	case c.late.Due != 0:
		facts["reason"], facts["left"] = "invoice_left_late", c.late.Left
	case c.late.Left != 0:
		facts["reason"], facts["left"] = "notice_left_late", c.late.Left
	default:
		facts["since"] = c.since[invoiceID]
	}
}

// recalculateSince reckons again what the notices on the invoices have charged. It returns the reversals.
func recalculateSince(ctx context.Context, tx *store.Tx, why cause, actor string) ([]models.Entry, error) {
	found, err := excesses(ctx, tx, why)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	creditor, err := tx.Creditor(ctx, found[0].Notice.CreditorID)
	if err != nil {
		return nil, err
	}
	reversals, err := reverseExcesses(ctx, tx, found, creditor.BookingDay(tx.Now))
	if err != nil {
		return nil, err
	}
	return reversals, logExcesses(ctx, tx, found, why, actor)
}

// sparedBy returns the invoices with notices of the customers who, with the entries, have paid too much on an invoice: what
// was free then may have covered what those notices asked for (rules L5, D97). Each has the earliest day on which the money came.
// It locks them.
func sparedBy(ctx context.Context, tx *store.Tx, booked []models.Entry, known map[int64]store.LockedInvoice) (map[int64]models.Date, error) {
	paid := map[int64]models.Date{}
	after := map[int64]models.Amount{}
	for _, e := range booked {
		after[e.InvoiceID] += e.Amount
		if e.CreditNoteID == 0 && e.Amount < 0 && (e.Type == models.EntryPayment || e.Type == models.EntryOCR) {
			if day, met := paid[e.InvoiceID]; !met || e.TransactionDate < day {
				paid[e.InvoiceID] = e.TransactionDate
			}
		}
	}
	maps.DeleteFunc(paid, func(id int64, _ models.Date) bool {
		before, isKnown := known[id]
		return isKnown && before.Balance+after[id] >= before.WrittenOff
	})
	if len(paid) == 0 {
		return nil, nil
	}
	found, err := tx.NoticedBesides(ctx, booked[0].CreditorID, paid)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	_, err = tx.LockInvoices(ctx, booked[0].CreditorID, keys(found))
	return found, err
}

// earliestMoney returns the invoices on which the entries book money that came in, each with the earliest day on which
// it came. It leaves out the invoices that are known to have no notice.
func earliestMoney(booked []models.Entry, known map[int64]store.LockedInvoice) map[int64]models.Date {
	since := map[int64]models.Date{}
	for _, e := range booked {
		if e.CreditNoteID != 0 || e.Amount >= 0 || e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest {
			continue
		}
		if invoice, isKnown := known[e.InvoiceID]; isKnown && invoice.Notices == 0 {
			continue
		}
		if day, met := since[e.InvoiceID]; !met || e.TransactionDate < day {
			since[e.InvoiceID] = e.TransactionDate
		}
	}
	return since
}

// OwedIfPaidOn returns what is owed on a locked invoice if the rest of it came on a day: its balance, without what its
// notices would then have charged too much (rule L4).
func OwedIfPaidOn(ctx context.Context, tx *store.Tx, invoice models.Invoice, on models.Date) (models.Amount, error) {
	if invoice.Balance <= 0 || invoice.Notices == 0 {
		return invoice.Balance, nil
	}
	rest := models.Entry{InvoiceID: invoice.ID, Type: models.EntryPayment, Amount: -invoice.Balance, TransactionDate: on}
	found, err := excesses(ctx, tx, cause{since: map[int64]models.Date{invoice.ID: on}}, rest)
	if err != nil {
		return 0, err
	}
	owed := invoice.Balance
	for _, x := range found {
		owed -= x.Fee + x.Interest
	}
	return owed, nil
}

// excesses returns what the notices of the invoices have charged too much, given why they are reckoned again. further are entries that
// are not written.
func excesses(ctx context.Context, tx *store.Tx, why cause, further ...models.Entry) ([]law.Excess, error) {
	notices, err := noticesAfter(ctx, tx, why.since)
	if err != nil || len(notices) == 0 {
		return nil, err
	}
	entries, err := entriesWith(ctx, tx, keys(notices), further)
	if err != nil {
		return nil, err
	}
	earlier, err := tx.RecalculationsOf(ctx, idsOf(slices.Concat(slices.Collect(maps.Values(notices))...))...)
	if err != nil {
		return nil, err
	}
	policies, err := policiesOf(ctx, tx, notices)
	if err != nil {
		return nil, err
	}
	var found []law.Excess
	for _, id := range keys(notices) {
		more, err := why.recalculate(ctx, tx.View(), policies[notices[id][0].CustomerID], entries[id], notices[id], earlier)
		if err != nil {
			return nil, fmt.Errorf("recalculate the notices of invoice %d: %w", id, err)
		}
		found = append(found, more...)
	}
	return found, nil
}

// recalculate reckons the notices on an invoice again, by what is known now.
func (c cause) recalculate(
	ctx context.Context, v store.View, p models.Policy, entries []models.Entry, notices []models.Notice, earlier []models.Recalculation,
) ([]law.Excess, error) {
	since := c.since[notices[0].InvoiceID]
	known, err := knownOf(ctx, v, p, entries, notices, since)
	if err != nil {
		return nil, err
	}
	known.Late = c.late
	return law.Recalculate(entries, notices, earlier, since, known)
}

// noticesAfter returns all notices on the invoices that have one of after their day.
func noticesAfter(ctx context.Context, tx *store.Tx, since map[int64]models.Date) (map[int64][]models.Notice, error) {
	if len(since) == 0 {
		return nil, nil
	}
	notices, err := tx.NoticesOfInvoices(ctx, keys(since))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(notices, func(id int64, all []models.Notice) bool {
		return !slices.ContainsFunc(all, func(n models.Notice) bool { return n.IssueDate > since[id] })
	})
	return notices, nil
}

// entriesWith returns the entries of the invoices, and after them the further ones.
func entriesWith(ctx context.Context, tx *store.Tx, invoiceIDs []int64, further []models.Entry) (map[int64][]models.Entry, error) {
	entries, err := tx.EntriesOfInvoicesAndCreditNotes(ctx, invoiceIDs)
	if err != nil {
		return nil, err
	}
	for _, e := range further {
		entries[e.InvoiceID] = append(entries[e.InvoiceID], e)
	}
	return entries, nil
}

// idsOf returns the IDs of notices.
func idsOf(notices []models.Notice) []int64 {
	ids := make([]int64, len(notices))
	for i, n := range notices {
		ids[i] = n.ID
	}
	return ids
}

// policiesOf returns the policies for the customers of notices, which are of one creditor, by customer.
func policiesOf(ctx context.Context, tx *store.Tx, notices map[int64][]models.Notice) (map[int64]models.Policy, error) {
	customers := map[int64]bool{}
	var creditorID int64
	for _, all := range notices {
		creditorID = all[0].CreditorID
		customers[all[0].CustomerID] = true
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	found, err := tx.CustomersByID(ctx, creditorID, keys(customers))
	if err != nil {
		return nil, err
	}
	policies := make(map[int64]models.Policy, len(found))
	for id, customer := range found {
		policies[id] = customer.Policy.Apply(creditor.Policy)
	}
	return policies, nil
}

// knownOf reads what is known now of the steps that were taken on an invoice after a day (rule D97).
func knownOf(
	ctx context.Context, v store.View, p models.Policy, entries []models.Entry, notices []models.Notice, after models.Date,
) (*law.Known, error) {
	known := &law.Known{Policy: p, Free: map[int64]models.Amount{}}
	for _, n := range notices {
		own := slices.IndexFunc(entries, func(e models.Entry) bool { return e.NoticeID == n.ID })
		if n.AskedBy != "" || n.Adopted || n.IssueDate <= after || own < 0 {
			continue
		}
		var err error
		if known.Free[n.ID], err = v.FreeCreditOn(ctx, n, entries[own].ID); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// reverseExcesses posts the reversals of what notices have charged too much, and keeps the new calculations. It returns the reversals.
func reverseExcesses(ctx context.Context, tx *store.Tx, found []law.Excess, today models.Date) (reversals []models.Entry, err error) {
	last := make([]int, len(found)) // the index of each notice's last reversal
	for i, x := range found {
		e := models.Entry{
			CreditorID: x.Notice.CreditorID, CustomerID: x.Notice.CustomerID, InvoiceID: x.Notice.InvoiceID, NoticeID: x.Notice.ID, TransactionDate: today,
		}
		if e.Type, e.Amount = models.EntryOverdueCharge, -x.Fee; e.Amount != 0 {
			reversals = append(reversals, e)
		}
		if e.Type, e.Amount = models.EntryInterest, -x.Interest; e.Amount != 0 {
			reversals = append(reversals, e)
		}
		last[i] = len(reversals) - 1
	}
	if err := write(ctx, tx, reversals, nil); err != nil {
		return nil, err
	}
	kept := make([]models.Recalculation, len(found))
	for i, x := range found {
		sheet, err := x.Sheet.JSON()
		if err != nil {
			return nil, err
		}
		kept[i] = models.Recalculation{NoticeID: x.Notice.ID, EntryID: reversals[last[i]].ID, Sheet: sheet}
	}
	return reversals, tx.CreateRecalculations(ctx, kept)
}

func logExcesses(ctx context.Context, tx *store.Tx, found []law.Excess, why cause, actor string) error {
	invoices, err := tx.InvoicesByID(ctx, found[0].Notice.CreditorID, keys(why.since))
	if err != nil {
		return err
	}
	numbers := map[int64]int64{}
	for _, invoice := range invoices {
		numbers[invoice.ID] = invoice.Number
	}
	events := make([]models.Event, len(found))
	for i, x := range found {
		n := x.Notice
		because := why.text(n.InvoiceID)
		if x.Sheet.NotTaken != "" && x.Sheet.NotTaken != law.SparedPaid {
			because += fmt.Sprintf(", and it would not have been issued (%s)", x.Sheet.NotTaken)
		}
		events[i] = models.Event{
			CreditorID: n.CreditorID, Type: models.EventNoticeRecalculated, Actor: actor, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
			Text: fmt.Sprintf("Notice %d on invoice %d %s: fee of %s and interest of %s reversed",
				n.Sequence, numbers[n.InvoiceID], because, x.Fee, x.Interest),
			Facts: models.Facts{
				"invoice_number": numbers[n.InvoiceID], "sequence_number": n.Sequence, "overdue_charge": x.Fee, "interest": x.Interest,
			},
		}
		why.addTo(events[i].Facts, n.InvoiceID)
	}
	return tx.Log(ctx, events...)
}
