package dunning

import (
	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// graceBankDays is for how many bank days an instalment is waited for after its due date (rule L15).
const graceBankDays = 3

// WaitUntil returns the last day on which an instalment that is due on a day is waited for (rule L15): a due date that is no bank day moves to
// the next one, and from there three bank days are counted.
func WaitUntil(due models.Date) models.Date {
	day := calendar.NextBankDay(due)
	for range graceBankDays {
		day = calendar.NextBankDay(day + 1)
	}
	return day
}

// Instalment is one of a plan with what covers it.
type Instalment struct {
	models.Instalment
	Covered   models.Amount
	WaitUntil models.Date // the last day on which it is waited for
	By        []Cover     // the entries that cover it, in order, where they were read
}

// Cover is the part of an entry that covers an instalment.
type Cover struct {
	Entry  models.Entry
	Amount models.Amount // above zero
}

// covered returns what covers the instalments of a plan, by what is claimed on its invoice now: all by which the claim has fallen since the plan
// was made, whether it was paid, credited or waived. What was charged since is not part of the plan.
func covered(p store.Plan, claimed models.Amount) models.Amount {
	return min(max(p.Sum-claimed+max(p.Charged, 0), 0), p.Sum)
}

// InstalmentsOf returns the instalments of a plan with what covers each, in order, by what is claimed on its invoice (rule L15).
func InstalmentsOf(p store.Plan, claimed models.Amount) []Instalment {
	all, left := make([]Instalment, len(p.Instalments)), covered(p, claimed)
	for n, i := range p.Instalments {
		all[n] = Instalment{Instalment: i, Covered: min(left, i.Amount), WaitUntil: WaitUntil(i.DueDate)}
		left -= all[n].Covered
	}
	return all
}

// CoveredBy adds to the instalments the entries that cover them. entries are the invoice's, oldest first. What an entry takes back is taken
// from the last one before it. What was charged since is not part of the plan, and to take it back covers nothing.
func CoveredBy(all []Instalment, p store.Plan, entries []models.Entry) []Instalment {
	var covers []Cover
	charged := models.Amount(0) // since, and not taken back
	for _, e := range entries {
		charge := e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest
		switch {
		case e.ID <= p.LastEntryID:
		case e.Amount < 0:
			c := Cover{e, -e.Amount}
			if charge {
				part := min(charged, c.Amount)
				charged, c.Amount = charged-part, c.Amount-part
			}
			if c.Amount > 0 {
				covers = append(covers, c)
			}
		case charge:
			charged += e.Amount
		default:
			covers = lessCovers(covers, e.Amount)
		}
	}
	for n := range all {
		left := all[n].Covered
		for left > 0 && len(covers) > 0 {
			part := min(left, covers[0].Amount)
			all[n].By = append(all[n].By, Cover{covers[0].Entry, part})
			left -= part
			if covers[0].Amount -= part; covers[0].Amount == 0 {
				covers = covers[1:]
			}
		}
	}
	return all
}

// lessCovers returns what is left of covers once an amount of them was taken back, the last first.
func lessCovers(covers []Cover, amount models.Amount) []Cover {
	for amount > 0 && len(covers) > 0 {
		last := &covers[len(covers)-1]
		part := min(amount, last.Amount)
		if amount, last.Amount = amount-part, last.Amount-part; last.Amount == 0 {
			covers = covers[:len(covers)-1]
		}
	}
	return covers
}

// PlanOn returns what has become of a plan that runs, as things stand on a day, by what is claimed on its invoice, and which instalment is the
// first that is not covered, from 0: it was missed if the plan is broken (rule L15).
func PlanOn(p store.Plan, claimed models.Amount, on models.Date) (state models.PlanState, next int) {
	if claimed <= 0 || covered(p, claimed) >= p.Sum {
		return models.PlanKept, 0
	}
	left := covered(p, claimed)
	for n, i := range p.Instalments {
		if left -= i.Amount; left < 0 { // it is the first that is not covered, and waited for no longer than those after it
			if on > i.DueDate && on > WaitUntil(i.DueDate) {
				return models.PlanBroken, n
			}
			return models.PlanRunning, n
		}
	}
	return models.PlanKept, 0
}

// onPlan reports whether a payment plan keeps automatic dunning from an invoice on a day.
func (s State) onPlan(on models.Date) bool {
	if s.Plan.ID == 0 {
		return false
	}
	state, _ := PlanOn(s.Plan, s.Invoice.Claimed(), on)
	return state == models.PlanRunning
}
