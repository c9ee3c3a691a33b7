package law

import (
	"slices"

	"purr/models"
)

// Allocation is what is still owed on an invoice by kind, and what was overpaid, in øre. No part is negative, and
// Principal + Interest + Fees + Repayment − Overpaid is the balance. Principal is never above the invoice's gross amount less its
// credit notes (rule D96).
type Allocation struct {
	Principal models.Amount
	Interest  models.Amount
	Fees      models.Amount
	Repayment models.Amount // was paid out of money that was taken back later: neither principal nor charge (rule D96)
	Overpaid  models.Amount
}

// Claimed returns what documents may ask for. It is negative when the invoice is overpaid.
func (a Allocation) Claimed() models.Amount { return a.Principal + a.Interest + a.Fees - a.Overpaid }

// Allocate divides an invoice's entries: payments and credits go to the principal first, then to interest, then to
// fees (rule D29). What was paid out is of the surplus that they leave; what no surplus covers is owed as a repayment (rule
// D96). Of the entries of credit notes it takes how much of the invoice they credit.
func Allocate(entries []models.Entry) Allocation {
	var s sums
	for _, e := range entries {
		s.add(e)
	}
	owed := Allocation{Principal: s.invoiced, Interest: s.interest, Fees: s.fees}
	paid := s.paid
	for _, part := range []*models.Amount{&owed.Principal, &owed.Interest, &owed.Fees} {
		covered := min(paid, *part)
		*part -= covered
		paid -= covered
	}
	above := owed.Principal - s.principal() // more went out than came in, or the credit was paid out
	owed.Principal -= above
	owed.Overpaid = max(paid-s.repaid, 0)
	owed.Repayment = max(s.repaid-paid, 0) + above
	return owed
}

// sums are an invoice's entries added up by what they are.
type sums struct {
	invoiced, interest, fees models.Amount
	paid                     models.Amount // and credited on the invoice itself, less what was taken back
	repaid                   models.Amount // paid out
	credited                 models.Amount // by credit notes, whether or not it was unpaid
}

func (s *sums) add(e models.Entry) {
	switch {
	case e.CreditNoteID != 0:
		if e.Type == models.EntryCreditNote && e.Amount < 0 {
			s.credited -= e.Amount
		}
	case e.Type == models.EntryInvoice:
		s.invoiced += e.Amount
	case e.Type == models.EntryInterest:
		s.interest += e.Amount
	case e.Type == models.EntryOverdueCharge:
		s.fees += e.Amount
	case e.Repays():
		s.repaid += e.Amount
	default:
		s.paid -= e.Amount
	}
}

// principal returns what is unpaid of the principal. It is never negative, and never above what was invoiced less what was credited. What
// was paid out is no part of it (rule D96).
func (s *sums) principal() models.Amount {
	return max(min(s.invoiced-s.paid, s.invoiced-s.credited), 0)
}

// AllocateOf divides the entries of an invoice as Allocate does, without what a run has written off of its principal: that is owed no
// longer, so what is paid of it is overpaid (rule L25).
func AllocateOf(invoice models.Invoice, entries []models.Entry) Allocation {
	if invoice.WrittenOff == 0 {
		return Allocate(entries)
	}
	return Allocate(append(slices.Clip(entries), models.Entry{InvoiceID: invoice.ID, Type: models.EntryPayment, Amount: -invoice.WrittenOff}))
}

// OfClaim returns the entries of an invoice that its claim is made of: all but what is owed as a repayment (rule D96). Of the money
// that went out it leaves out so much, the newest first. What was credited and paid out it takes off as the credit notes did. Together they
// are what documents may ask for. Other entries of credit notes are left out.
func OfClaim(entries []models.Entry) []models.Entry {
	left := Allocate(entries).Repayment
	claim := slices.Clone(entries)
	for _, leaveOut := range []func(models.Entry) bool{models.Entry.Repays, models.Entry.TakesBack} {
		for i := len(claim) - 1; i >= 0 && left > 0; i-- {
			if leaveOut(claim[i]) {
				part := min(left, claim[i].Amount)
				claim[i].Amount -= part
				left -= part
			}
		}
	}
	for i := range slices.Backward(claim) {
		if e := &claim[i]; e.CreditNoteID != 0 {
			var part models.Amount
			if e.Type == models.EntryCreditNote {
				part = min(left, max(-e.Amount, 0))
			}
			e.CreditNoteID, e.Amount = 0, -part
			left -= part
		}
	}
	return slices.DeleteFunc(claim, func(e models.Entry) bool { return e.Amount == 0 })
}

// principalHistory returns the unpaid principal day by day: an entry moves it from the day after its transaction date (rule D29), and an
// opening entry of an adopted invoice from the beginning (rule L17). On each day it is what Allocate makes of the entries until then, so
// what comes later changes nothing of it, and a repayment that is owed is no part of it (rule D96). Of the entries of credit notes it
// takes how much of the invoice they credit.
func principalHistory(entries []models.Entry) timeline[models.Amount] {
	moves := slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return isCharge(e.Type) })
	for i := range moves {
		if moves[i].Adopted == models.Opening {
			moves[i].TransactionDate = 0
		}
	}
	slices.SortStableFunc(moves, func(a, b models.Entry) int { return int(a.TransactionDate - b.TransactionDate) })

	var history timeline[models.Amount]
	var until sums
	var last models.Amount
	for i, e := range moves {
		until.add(e)
		sameDay := i+1 < len(moves) && moves[i+1].TransactionDate == e.TransactionDate
		if unpaid := until.principal(); !sameDay && unpaid != last {
			history = append(history, point[models.Amount]{e.TransactionDate + 1, unpaid})
			last = unpaid
		}
	}
	return history
}
