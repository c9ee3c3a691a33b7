package reckoning

import (
	"slices"

	"purr/models"
)

// Standing is what an invoice's entries come to, by kind. No part is negative.
type Standing struct {
	Principal models.Amount
	Interest  models.Amount
	Fees      models.Amount // fees and standard compensation
	Overpaid  models.Amount // is the customer's
	Repayment models.Amount // was paid out of money that was taken back later: owed, but no principal (rule D96)
}

// Balance returns the sum of the entries that the standing was made of.
func (s Standing) Balance() models.Amount {
	return s.Principal + s.Interest + s.Fees + s.Repayment - s.Overpaid
}

// Allocate says what of an invoice's entries is still owed (rules D29, D96). Money and credit go to the principal first, then to
// interest, then to fees. What went out again was of the surplus; where there is none, it is owed as a repayment. The principal is
// never above what was invoiced less what credit notes took of it. writtenOff is what a run wrote off (rule L25), which is owed no longer. The entries
// are the invoice's and those of its credit notes, of which only the credited sum counts.
func Allocate(entries []models.Entry, writtenOff models.Amount) Standing {
	t := tally{received: writtenOff}
	for _, e := range entries {
		t.add(e)
	}
	money := t.received
	take := func(owed models.Amount) (left models.Amount) {
		part := max(0, min(money, owed))
		money -= part
		return owed - part
	}
	var s Standing
	// Where more went back than came in, money is negative: the bank took back what never stood on this invoice.
	s.Principal = take(t.invoiced) + max(0, -money)
	money = max(0, money)
	s.Interest, s.Fees = take(t.interest), take(t.fees)
	if above := s.Principal - max(0, t.invoiced-t.credited); above > 0 {
		s.Principal -= above
		s.Repayment = above
	}
	s.Overpaid = max(0, money-t.wentOut)
	s.Repayment += max(0, t.wentOut-money)
	return s
}

// tally is what entries come to.
type tally struct {
	invoiced, interest, fees models.Amount
	received                 models.Amount // money and credit, less what was taken back
	wentOut                  models.Amount // paid out, or moved to another document
	credited                 models.Amount // by credit notes, whether or not the invoice was unpaid
}

func (t *tally) add(e models.Entry) {
	if e.CreditNoteID != 0 {
		if e.Type == models.EntryCreditNote && e.Amount < 0 {
			t.credited -= e.Amount
		}
		return
	}
	switch e.Type {
	case models.EntryInvoice:
		t.invoiced += e.Amount
	case models.EntryInterest:
		t.interest += e.Amount
	case models.EntryOverdueCharge:
		t.fees += e.Amount
	case models.EntryPayment, models.EntryRepayment:
		if e.Amount > 0 && e.Adopted == models.NotAdopted {
			t.wentOut += e.Amount // what another system took back of its own payments went out to nobody (rule L17)
		} else {
			t.received -= e.Amount
		}
	default: // the bank's money, and credit notes' part of the invoice
		t.received -= e.Amount
	}
}

// Principal returns what of an invoice's principal is unpaid, by day (rule D29). An entry counts from the morning after its
// transaction date; an invoice's own, and how another system's invoice stood when it was adopted (rule L17), from the beginning. What was
// paid out or moved away was the customer's, and raises nothing (rule D96).
func Principal(entries []models.Entry) []Step {
	type event struct {
		from models.Date
		models.Entry
	}
	var events []event
	for _, e := range entries {
		if e.Type == models.EntryInterest || e.Type == models.EntryOverdueCharge {
			continue
		}
		from := e.TransactionDate + 1
		if e.Adopted == models.Opening || e.Type == models.EntryInvoice {
			from = 1
		}
		events = append(events, event{from, e})
	}
	slices.SortStableFunc(events, func(a, b event) int { return int(a.from - b.from) })
	var steps []Step
	var t tally
	for i, e := range events {
		t.add(e.Entry)
		if i+1 < len(events) && events[i+1].from == e.from {
			continue
		}
		unpaid := max(0, min(t.invoiced-t.received, t.invoiced-t.credited))
		if len(steps) == 0 && unpaid != 0 || len(steps) > 0 && steps[len(steps)-1].Sum != unpaid {
			steps = append(steps, Step{e.from, unpaid})
		}
	}
	return steps
}

// UnpaidOn returns what of the principal is unpaid in the morning of a day.
func UnpaidOn(steps []Step, day models.Date) models.Amount {
	sum, _ := Debt{Principal: steps}.principalAt(day)
	return sum
}
