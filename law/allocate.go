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
	var owed Allocation
	var paid, repaid, credited models.Amount
	for _, e := range entries {
		switch {
		case e.CreditNoteID != 0:
			if e.Type == models.EntryCreditNote && e.Amount < 0 {
				credited -= e.Amount
			}
		case e.Type == models.EntryInvoice:
			owed.Principal += e.Amount
		case e.Type == models.EntryInterest:
			owed.Interest += e.Amount
		case e.Type == models.EntryOverdueCharge:
			owed.Fees += e.Amount
		case e.Repays():
			repaid += e.Amount
		default:
			paid -= e.Amount
		}
	}
	most := max(owed.Principal-credited, 0)
	for _, part := range []*models.Amount{&owed.Principal, &owed.Interest, &owed.Fees} {
		covered := min(paid, *part)
		*part -= covered
		paid -= covered
	}
	above := max(owed.Principal-most, 0) // more went out than came in, or the credit was paid out
	owed.Principal -= above
	owed.Overpaid = max(paid-repaid, 0)
	owed.Repayment = max(repaid-paid, 0) + above
	return owed
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
// that went out it leaves out so much, the newest first. Together they are what documents may ask for, unless the invoice is
// credited. Entries of credit notes are left out.
func OfClaim(entries []models.Entry) []models.Entry {
	left := Allocate(entries).Repayment
	claim := slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return e.CreditNoteID != 0 })
	for _, leaveOut := range []func(models.Entry) bool{models.Entry.Repays, models.Entry.TakesBack} {
		for i := len(claim) - 1; i >= 0 && left > 0; i-- {
			if leaveOut(claim[i]) {
				part := min(left, claim[i].Amount)
				claim[i].Amount -= part
				left -= part
			}
		}
	}
	return slices.DeleteFunc(claim, func(e models.Entry) bool { return e.Amount == 0 })
}

// principalHistory returns the unpaid principal day by day: an entry moves it from the day after its
// transaction date (rule D29), and an opening entry of an adopted invoice from the beginning (rule L17). It is never negative, and never above what was invoiced: a repayment that is owed is no part of it
// (rule D96). Entries of credit notes are skipped.
func principalHistory(entries []models.Entry) timeline[models.Amount] {
	moves := slices.DeleteFunc(OfClaim(entries), func(e models.Entry) bool { return isCharge(e.Type) })
	for i := range moves {
		if moves[i].Adopted == models.Opening {
			moves[i].TransactionDate = 0
		}
	}
	slices.SortStableFunc(moves, func(a, b models.Entry) int { return int(a.TransactionDate - b.TransactionDate) })

	var history timeline[models.Amount]
	var net, gross, last models.Amount
	for i, e := range moves {
		net += e.Amount
		if e.Type == models.EntryInvoice {
			gross += e.Amount
		}
		sameDay := i+1 < len(moves) && moves[i+1].TransactionDate == e.TransactionDate
		if unpaid := min(max(net, 0), gross); !sameDay && unpaid != last {
			history = append(history, point[models.Amount]{e.TransactionDate + 1, unpaid})
			last = unpaid
		}
	}
	return history
}
