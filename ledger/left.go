package ledger

import (
	"context"
	"fmt"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// LeftCharged calls say with what earlier releases have left charged on a creditor's invoices, with the øre that are too much and
// what to do about it: interest on a principal above what the invoice was of (rule D96), and the charges of notices that were
// reckoned again and would not have been issued by what is known now (rule D97). It is silent about what was reversed since. It
// changes nothing.
func LeftCharged(ctx context.Context, db *store.DB, c models.Creditor, say func(text string)) error {
	var doubted []models.Invoice
	err := db.View(ctx, func(v store.View) (err error) {
		doubted, err = v.DoubtedInvoices(ctx, c.ID)
		return err
	})
	if err != nil {
		return err
	}
	for _, invoice := range doubted {
		var left []law.TooMuch
		err := db.View(ctx, func(v store.View) (err error) {
			left, err = leftOn(ctx, v, c, invoice)
			return err
		})
		if err != nil {
			return fmt.Errorf("look at the charges on invoice %d of creditor %d: %w", invoice.Number, c.ID, err)
		}
		for _, l := range left {
			say(describeLeft(invoice, l))
		}
	}
	return nil
}

// leftOn returns what is charged too much on an invoice.
func leftOn(ctx context.Context, v store.View, c models.Creditor, invoice models.Invoice) ([]law.TooMuch, error) {
	notices, err := v.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	earlier, err := v.RecalculationsOf(ctx, idsOf(notices)...)
	if err != nil {
		return nil, err
	}
	entries, err := v.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	above, err := law.LeftAbove(entries, notices, earlier)
	if err != nil || len(earlier) == 0 {
		return above, err
	}
	customer, err := v.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(entries, func(e models.Entry) bool { return e.CreditNoteID != 0 })
	taken, err := leftTaken(ctx, v, customer.Policy.Apply(c.Policy), own, notices, earlier)
	if err != nil {
		return nil, err
	}
	above = slices.DeleteFunc(above, func(a law.TooMuch) bool { // all of its charges are told of
		return slices.ContainsFunc(taken, func(t law.TooMuch) bool { return t.Notice.ID == a.Notice.ID })
	})
	return append(above, taken...), nil
}

// leftTaken returns what the notices on an invoice charge that would not have been issued by what is known now. entries are the
// invoice's own.
func leftTaken(
	ctx context.Context, v store.View, p models.Policy, entries []models.Entry, notices []models.Notice, earlier []models.Recalculation,
) ([]law.TooMuch, error) {
	p.MinimumBalance = 0 // which it was on the day of a notice is known only where the sheet keeps it
	known, err := knownOf(ctx, v, p, entries, notices, 0)
	if err != nil {
		return nil, err
	}
	return law.LeftTaken(entries, notices, earlier, *known)
}

// describeLeft tells a person what is charged too much, and what to do about it.
func describeLeft(invoice models.Invoice, l law.TooMuch) string {
	why := fmt.Sprintf("has interest on %s, and no more than %s was ever owed", l.Principal, l.Most)
	if l.NotTaken != "" {
		why = fmt.Sprintf("would not have been issued by what is known now (%s)", l.NotTaken)
	}
	return fmt.Sprintf("notice %d of %s on invoice %d %s: interest of %s and a fee of %s are too much. Reverse them on the invoice, as INTEREST and "+
		"OVERDUE_CHARGE (POST /api/v1/invoice/%d/ar_transactions)", l.Notice.Sequence, l.Notice.IssueDate, invoice.Number, why, l.Interest, l.Fee, invoice.ID)
}
