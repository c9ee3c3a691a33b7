package ledger

import (
	"slices"

	"purr/models"
)

// InvoiceEntry returns the INVOICE entry of a new invoice: its gross amount.
func InvoiceEntry(i models.Invoice) models.Entry {
	return models.Entry{
		CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID,
		Type: models.EntryInvoice, Amount: i.Gross, TransactionDate: i.IssueDate,
	}
}

// CreditNoteEntry returns the CREDIT_NOTE entry of a new credit note: its negative gross amount (rule D21).
func CreditNoteEntry(c models.CreditNote) models.Entry {
	return models.Entry{
		CreditorID: c.CreditorID, CustomerID: c.CustomerID, InvoiceID: c.InvoiceID, CreditNoteID: c.ID,
		Type: models.EntryCreditNote, Amount: -c.Gross, TransactionDate: c.IssueDate,
	}
}

// Totals are the totals of an invoice's entries.
type Totals struct {
	Balance  models.Amount // what is owed; negative when overpaid
	Fees     models.Amount // charged and not reversed, paid or not
	Interest models.Amount // charged and not reversed, paid or not
	Repaid   models.Amount // paid out on an invoice, or moved away (rules D32, L5)
}

// TotalsOf adds up the entries of one document.
func TotalsOf(entries []models.Entry) Totals {
	var s Totals
	for _, e := range entries {
		s.Balance += e.Amount
		switch e.Type {
		case models.EntryOverdueCharge:
			s.Fees += e.Amount
		case models.EntryInterest:
			s.Interest += e.Amount
		case models.EntryInvoice, models.EntryCreditNote, models.EntryPayment, models.EntryOCR, models.EntryRepayment:
			if e.Repays() {
				s.Repaid += e.Amount
			}
		}
	}
	return s
}

// TotalsOfNotice adds up the entries of an invoice that name one of its notices: what the notice has charged, without
// what was reversed of it. Reversals that name no notice are not counted.
func TotalsOfNotice(entries []models.Entry, noticeID int64) Totals {
	return TotalsOf(slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return e.NoticeID != noticeID }))
}

// Unpaid returns how much of the fees and of the interest is still owed. Payments cover the principal first, then
// interest, then fees (rule D29). So an amount that is still owed is fees first. A repayment that is owed is neither (rule D96).
func (s Totals) Unpaid() (fees, interest models.Amount) {
	owed := max(s.Balance, 0)
	owed -= min(s.Repaid, owed)
	fees = min(owed, s.Fees)
	interest = min(owed-fees, s.Interest)
	return fees, interest
}
