package audit

import (
	"math"

	"purr/audit/reckoning"
	"purr/models"
)

// freeKnown returns the free credit that the customer had on other documents when a notice was issued, by what is known now, and what was
// claimed (rules L5, D97): money counts that was booked by then, and money that came before the notice and was booked later. It reports false if no
// such money came, on the invoice or elsewhere, and if the credit of the day itself is not sure.
//
// The program asks when money is booked, and not when charges are taken back or a payout is deleted. So the credit is the least of what it was
// when the last such money was booked, and of what it is now; and of the charges of notices before counts all that was booked by then.
func (j *judge) freeKnown(n *Notice) (free, claim models.Amount, told bool) {
	first := j.firstOf(n)
	if first == 0 {
		return 0, 0, false
	}
	last := int64(0)
	late := func(e models.Entry) bool {
		return e.ID > first && (e.Type == models.EntryPayment || e.Type == models.EntryOCR) && e.Amount < 0 && e.CreditNoteID == 0 && e.MovedFrom == 0 && e.TransactionDate < n.IssueDate
	}
	for _, e := range j.Entries {
		if late(e) {
			last = max(last, e.ID)
		}
	}
	mine := models.Document{Kind: models.InvoiceDocument, ID: j.Invoice.ID}
	for d, entries := range j.Elsewhere {
		if len(j.Gone[d]) > 0 {
			return 0, 0, false // what the credit was meanwhile the rows do not say
		}
		for _, e := range entries {
			if d != mine && late(e) && j.freeOn(n, entries, first, e.ID) > 0 {
				last = max(last, e.ID)
			}
		}
	}
	if last == 0 {
		return 0, 0, false
	}
	for _, upTo := range []int64{last, math.MaxInt64} {
		sum := models.Amount(0)
		for d, entries := range j.Elsewhere {
			if d != mine {
				sum += j.freeOn(n, entries, first, upTo)
			}
		}
		if upTo == last || sum < free {
			free = sum
		}
	}
	for _, r := range j.Reserved {
		if !surelyBefore(n.CreatedAt, r.CreatedAt) && (r.PaidAt == nil || !surelyBefore(*r.PaidAt, n.CreatedAt)) {
			free -= r.Amount
		}
	}
	money, then, _ := j.known(n)
	claim = claimed(reckoning.Allocate(append(money,
		models.Entry{Type: models.EntryOverdueCharge, Amount: max(0, then.Fee)},
		models.Entry{Type: models.EntryInterest, Amount: max(0, then.Interest)}), 0))
	return max(0, free), claim, claim > 0
}

// freeOn returns the free credit on a document when a notice was issued, by what had been booked up to an entry: first is the notice's first one.
// Charges of the document count in full, those too that were taken back since.
func (j *judge) freeOn(n *Notice, entries []models.Entry, first, upTo int64) models.Amount {
	sum := models.Amount(0)
	for _, e := range entries {
		switch {
		case e.ID > upTo:
		case isCharge(e):
			if e.ID < first {
				sum += max(0, e.Amount)
			}
		case e.ID < first || e.TransactionDate < n.IssueDate:
			sum += e.Amount
		}
	}
	return max(0, -sum)
}
