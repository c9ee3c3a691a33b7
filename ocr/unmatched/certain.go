package unmatched

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// What makes a suggestion certain: this weight, or so many reasons more than the next one has.
const (
	weightCertain  = 100
	reasonsCertain = 2
)

// Certain reports whether the best of the suggestions for a payment can be matched without a look at each payment, as far as the payment
// itself can tell (rules E5, N2). The suggestion is for one or several invoices that are paid in full by it, and either weighs at least
// 100, or has two reasons more than the next one, or is the only open invoice of the only customer whose name is alike. One that weighs
// no more than the next is never certain. Nor is one of a name that several customers have, or beside which the customer has another open
// invoice of the same sum, unless a KID or a number names it; nor if the money came before the invoice.
func Certain(u models.UnmatchedPayment, best []Suggestion) bool {
	if len(best) == 0 || !best[0].paidInFullBy(u.Amount) || best[0].issuedAfter(u.TransactionDate) {
		return false
	}
	s, next := best[0], Suggestion{}
	if len(best) > 1 {
		next = best[1]
	}
	if s.Weight <= next.Weight || !s.has(models.HintKID, models.HintNumber) && (s.Twins || s.Namesakes && s.has(models.HintName)) {
		return false
	}
	return s.Weight >= weightCertain || len(s.Reasons) >= len(next.Reasons)+reasonsCertain || s.Only && s.has(models.HintName) && s.has(models.HintOpenAmount)
}

// has reports whether one of the hints is among the reasons.
func (s Suggestion) has(hints ...models.Hint) bool {
	return slices.ContainsFunc(s.Reasons, func(h models.Hint) bool { return slices.Contains(hints, h) })
}

// issuedAfter reports whether one of the invoices was issued after a day.
func (s Suggestion) issuedAfter(day models.Date) bool {
	return slices.ContainsFunc(s.Invoices, func(i models.Invoice) bool { return i.IssueDate > day })
}

// mostBeside is how many other payments of the queue are looked at for one that points at the same invoice.
const mostBeside = 500

// ChooseCertain returns what SuggestEach returns for the creditor's payments, and the choices to match those of them whose best suggestion is
// certain. Besides what Certain asks, no other payment of the queue points at one of its invoices, and none of them is disputed today
// (rule N2). However many payments there are, it asks the database seven questions.
func ChooseCertain(ctx context.Context, v store.View, c models.Creditor, payments []models.UnmatchedPayment, today models.Date) ([][]Suggestion, []Choice, error) {
	beside, err := v.PaymentsBeside(ctx, c.ID, payments, mostBeside)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Concat(payments, beside)
	suggestions, err := SuggestEach(ctx, v, c, all)
	if err != nil {
		return nil, nil, err
	}
	pointed := pointedAt(all, suggestions)
	var choices []Choice
	for n, u := range payments {
		best := suggestions[n]
		if u.Status == models.PaymentOpen && Certain(u, best) && !best[0].doubted(pointed, today) {
			choices = append(choices, ChoiceOf(u.ID, best[0]))
		}
	}
	return suggestions[:len(payments)], choices, nil
}

// doubted reports whether several payments point at one of the invoices, or one or their customer is disputed today.
func (s Suggestion) doubted(pointed map[int64]int, today models.Date) bool {
	return s.Hold.Disputed(today) || slices.ContainsFunc(s.Invoices, func(i models.Invoice) bool { return pointed[i.ID] > 1 || i.Hold.Disputed(today) })
}

// pointedAt returns, by invoice, how many of the payments point at it: by their best suggestion, or one that weighs as much.
func pointedAt(payments []models.UnmatchedPayment, suggestions [][]Suggestion) map[int64]int {
	pointed := map[int64]int{}
	for n, u := range payments {
		at := map[int64]bool{}
		for _, s := range suggestions[n] {
			if u.Status == models.PaymentOpen && s.Weight == suggestions[n][0].Weight {
				for _, i := range s.Invoices {
					at[i.ID] = true
				}
			}
		}
		for invoice := range at {
			pointed[invoice]++
		}
	}
	return pointed
}
