package ledger

import "purr/models"

// Sums is what an invoice's entries come to.
type Sums struct {
	Balance  models.Amount // what is owed; negative when overpaid
	Fees     models.Amount // charged and not reversed, paid or not
	Interest models.Amount // charged and not reversed, paid or not
}

// Sum adds up the entries of one document.
func Sum(entries []models.Entry) Sums {
	var s Sums
	for _, e := range entries {
		s.Balance += e.Amount
		switch e.Type {
		case models.EntryOverdueCharge:
			s.Fees += e.Amount
		case models.EntryInterest:
			s.Interest += e.Amount
		case models.EntryInvoice, models.EntryCreditNote, models.EntryPayment, models.EntryOCR:
		}
	}
	return s
}

// Unpaid returns how much of the fees and of the interest is still owed. Payments go to the principal
// first, then to interest, then to fees (rule D29), so what is owed is fees first.
func (s Sums) Unpaid() (fees, interest models.Amount) {
	owed := max(s.Balance, 0)
	fees = min(owed, s.Fees)
	interest = min(owed-fees, s.Interest)
	return fees, interest
}
