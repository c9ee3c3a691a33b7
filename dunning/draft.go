package dunning

import (
	"context"

	"purr/models"
	"purr/store"
)

// account is what a notice's amounts are reckoned from.
type account struct {
	invoice   models.Invoice
	entries   []models.Entry // of the invoice itself, oldest first
	chargedTo models.Date    // the last day that interest was charged for, zero where none was

	compensations []int64 // the notices that have charged standard compensation: one at most
}

func readAccount(ctx context.Context, tx *store.Tx, invoice models.Invoice) (account, error) {
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return account{}, err
	}
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	return newAccount(invoice, entries, notices), err
}

// newAccount returns the account of an invoice with its entries and its notices, both oldest first.
func newAccount(invoice models.Invoice, entries []models.Entry, notices []models.Notice) account {
	a := account{invoice: invoice, entries: entries}
	for _, n := range notices {
		a.note(n)
	}
	return a
}

// note takes in what a notice has charged: interest to its day, or compensation.
func (a *account) note(n models.Notice) {
	if n.Interest > 0 {
		a.chargedTo = n.IssueDate
	}
	if n.Compensation {
		a.compensations = append(a.compensations, n.ID)
	}
}

func (a *account) compensated() bool { return len(a.compensations) > 0 }

// draft returns the notice that is ordered and the sheet behind its amounts: nothing is written, and its Gross
// and Sheet are left to the caller.
func draft(r *Rules, a account, o order) (models.Notice, Sheet) {
	sheet := reckon(r, a, o)
	return models.Notice{
		CreditorID: a.invoice.CreditorID, CustomerID: a.invoice.CustomerID, InvoiceID: a.invoice.ID, Sequence: a.invoice.Notices + 1,
		IssueDate: o.today, DueDate: NoticeDueDate(o.policy, o.today), Warning: o.warning,
		Announces: announces(r, a.invoice, o),
		Fee:       sheet.OverdueCharge.Amount, Compensation: sheet.OverdueCharge.Compensation, Interest: sheet.Interest.Amount, Comment: o.comment,
		KID: a.invoice.KID, Recipient: a.invoice.Recipient,
	}, sheet
}

// reckon calculates fee and interest.
func reckon(r *Rules, a account, o order) Sheet {
	sheet := Sheet{OverdueCharge: chargeOf(r, a, o)}
	if o.addInterest {
		sheet.Interest = r.Interest(Claim{
			DueDate: a.invoice.DueDate, ChargedTo: a.chargedTo, Entries: a.entries,
			OwnRate: o.policy.InterestRate, Business: o.customer.OrganisationNumber != "",
		}, o.today)
	}
	return sheet
}
