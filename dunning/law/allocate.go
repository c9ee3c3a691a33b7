package law

import (
	"slices"

	"purr/models"
)

// Allocation is what is still owed on an invoice by kind, and what was overpaid, in øre. No part is negative, and
// Principal + Interest + Fees − Overpaid is the balance.
type Allocation struct {
	Principal models.Amount
	Interest  models.Amount
	Fees      models.Amount
	Overpaid  models.Amount
}

// Allocate divides an invoice's entries: payments and credits go to the principal first, then to interest, then to
// fees (rule D29). A repayment undoes that in the opposite order. Entries of credit notes are skipped.
func Allocate(entries []models.Entry) Allocation {
	var owed Allocation
	var paid models.Amount
	for _, e := range entries {
		switch {
		case e.CreditNoteID != 0:
		case e.Type == models.EntryInvoice:
			owed.Principal += e.Amount
		case e.Type == models.EntryInterest:
			owed.Interest += e.Amount
		case e.Type == models.EntryOverdueCharge:
			owed.Fees += e.Amount
		default:
			paid -= e.Amount
		}
	}
	for _, part := range []*models.Amount{&owed.Principal, &owed.Interest, &owed.Fees} {
		covered := min(paid, *part)
		*part -= covered
		paid -= covered
	}
	owed.Overpaid = paid
	return owed
}

// principalHistory returns the unpaid principal day by day: an entry moves it from the day after its
// transaction date (rule D29). It is never negative. Entries of credit notes are skipped.
func principalHistory(entries []models.Entry) timeline[models.Amount] {
	moves := slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool {
		return e.CreditNoteID != 0 || isCharge(e.Type)
	})
	slices.SortStableFunc(moves, func(a, b models.Entry) int { return int(a.TransactionDate - b.TransactionDate) })

	var history timeline[models.Amount]
	var net, last models.Amount
	for i, e := range moves {
		net += e.Amount
		sameDay := i+1 < len(moves) && moves[i+1].TransactionDate == e.TransactionDate
		if unpaid := max(net, 0); !sameDay && unpaid != last {
			history = append(history, point[models.Amount]{e.TransactionDate + 1, unpaid})
			last = unpaid
		}
	}
	return history
}
