// Package unmatched works on the queue of unmatched payments. It suggests invoices for each payment, finds likely
// payers, and does the manual acts. It does not know how payments arrive.
package unmatched

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"purr/models"
	"purr/store"
)

// hintWeight is the weight of each hint. Two hints together weigh more than a stronger one alone.
var hintWeight = map[models.Hint]int{
	models.HintKID: 100, models.HintKIDDigit: 60, models.HintKIDSwapped: 60, models.HintNumber: 45,
	models.HintName: 45, models.HintOpenAmount: 40, models.HintOriginal: 35, models.HintAddUp: 35, models.HintPayer: 30,
}

const (
	leastWeight     = 30 // a lighter candidate is not suggested
	weightDoubtful  = 15 // of a number that may be a day, a year or anything else
	mostSuggestions = 5
	mostAlike       = 5  // if more invoices or customers fit equally well, none of them is a candidate
	mostNamesakes   = 60 // if more customers have a name, only those who owe the amount are meant
	mostOpen        = 12 // the most open invoices of a customer that are searched for a set that adds up
)

// Suggestion is what an unmatched payment may be for (rule E5): an invoice, or several of one customer that add up to it.
type Suggestion struct {
	Reasons    []models.Hint // the strongest first
	Weight     int           // of all the reasons together
	CustomerID int64
	Invoices   []models.Invoice // by due date
	Namesakes  bool             // the payer's name is like that of several customers
	Twins      bool             // the customer has another open invoice of the same gross or with as much owed on it (rule N2)
	Only       bool             // the customer has no other open invoice
	Hold       models.Hold      // of the customer
}

// Suggest returns what an unmatched payment of the creditor may be for, the best suggestion first (rule E5).
func Suggest(ctx context.Context, v store.View, c models.Creditor, u models.UnmatchedPayment) ([]Suggestion, error) {
	all, err := SuggestEach(ctx, v, c, []models.UnmatchedPayment{u})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// SuggestEach returns what Suggest returns for each of the payments, in their order. However many payments there are, it
// asks the database a fixed number of questions: six for up to 500 payments.
func SuggestEach(ctx context.Context, v store.View, c models.Creditor, payments []models.UnmatchedPayment) ([][]Suggestion, error) {
	found, err := findCandidates(ctx, v, c, payments)
	if err != nil {
		return nil, fmt.Errorf("find suggestions for %d unmatched payments: %w", len(payments), err)
	}
	all := make([][]Suggestion, len(payments))
	for n, candidates := range found {
		all[n] = candidates.rank()
	}
	return all, nil
}

// asked are the two things that a payer may take for what is owed on an invoice: what letters ask for, and the balance, which the
// repayment that is owed is a part of (rule D96). They differ only where there is one.
var asked = []func(models.Invoice) models.Amount{models.Invoice.Claimed, func(i models.Invoice) models.Amount { return i.Balance }}

// owes reports whether the amount is just what is owed on an invoice.
func owes(i models.Invoice, amount models.Amount) bool {
	return amount == i.Claimed() || amount == i.Balance
}

// paidInFullBy reports whether the amount is just what is owed on the invoices together, and none is closed.
func (s Suggestion) paidInFullBy(amount models.Amount) bool {
	return slices.ContainsFunc(asked, func(owed func(models.Invoice) models.Amount) bool {
		var sum models.Amount
		for _, i := range s.Invoices {
			if owed(i) <= 0 || i.Closed != models.NotClosed {
				return false
			}
			sum += owed(i)
		}
		return sum == amount
	})
}

// rated is a suggestion with the weights of its hints.
type rated struct {
	invoices []models.Invoice
	weights  map[models.Hint]int
}

func (r *rated) add(h models.Hint, weight int) { r.weights[h] = max(r.weights[h], weight) }

func (r *rated) weight() (sum int) {
	for _, w := range r.weights {
		sum += w
	}
	return sum
}

// rank returns the best suggestions, the best first. Among equals, the invoice that fell due first comes first.
func (c *candidates) rank() []Suggestion {
	all := c.rateInvoices()
	all = append(all, c.rateSets(all)...)
	for _, r := range all {
		customer := r.invoices[0].CustomerID
		if slices.Contains(c.payers, customer) {
			r.add(models.HintPayer, hintWeight[models.HintPayer])
		}
		if slices.Contains(c.alike, customer) {
			r.add(models.HintName, hintWeight[models.HintName])
		}
	}
	all = slices.DeleteFunc(all, func(r *rated) bool { return r.weight() < leastWeight })
	slices.SortFunc(all, func(a, b *rated) int {
		first, second := a.invoices[0], b.invoices[0]
		return cmp.Or(b.weight()-a.weight(), int(first.Deadline-second.Deadline), cmp.Compare(first.ID, second.ID), len(a.invoices)-len(b.invoices))
	})
	var best []Suggestion
	for _, r := range all[:min(len(all), mostSuggestions)] {
		reasons := slices.SortedFunc(maps.Keys(r.weights), func(a, b models.Hint) int { return cmp.Or(r.weights[b]-r.weights[a], cmp.Compare(a, b)) })
		best = append(best, c.suggestion(r, reasons))
	}
	return best
}

// suggestion returns what is rated, with what speaks against matching it unseen.
func (c *candidates) suggestion(r *rated, reasons []models.Hint) Suggestion {
	s := Suggestion{Reasons: reasons, Weight: r.weight(), CustomerID: r.invoices[0].CustomerID, Invoices: r.invoices, Namesakes: c.many || len(c.alike) > 1, Only: true, Hold: c.holds[r.invoices[0].CustomerID]}
	for _, other := range c.open[s.CustomerID] {
		if slices.ContainsFunc(r.invoices, func(i models.Invoice) bool { return i.ID == other.ID }) {
			continue
		}
		s.Only = false
		s.Twins = s.Twins || slices.ContainsFunc(r.invoices, func(i models.Invoice) bool { return i.Gross == other.Gross || i.Claimed() == other.Claimed() })
	}
	return s
}

// rateInvoices rates single invoices. These are the invoices that the payment names and those that owe its amount. A
// payer, or a customer whose name is alike, with none of these gets his likeliest open invoices rated.
func (c *candidates) rateInvoices() []*rated {
	byID := map[int64]*rated{}
	customers := map[int64]bool{}
	rate := func(i models.Invoice) *rated {
		r, known := byID[i.ID]
		if !known {
			r = &rated{[]models.Invoice{i}, make(map[models.Hint]int)}
			byID[i.ID] = r
			switch {
			case i.Closed != models.NotClosed:
			case owes(i, c.amount):
				r.add(models.HintOpenAmount, hintWeight[models.HintOpenAmount])
			case i.Balance > 0 && c.owedBefore(i):
				r.add(models.HintOriginal, hintWeight[models.HintOriginal])
			}
		}
		customers[i.CustomerID] = true
		return r
	}
	for _, n := range c.named {
		rate(n.invoice).add(n.hint, n.weight)
	}
	for _, i := range c.owing {
		rate(i)
	}
	for _, payer := range append(slices.Clone(c.alike), c.payers...) {
		if !customers[payer] {
			for _, i := range c.likeliest(c.open[payer]) {
				rate(i)
			}
		}
	}
	return slices.Collect(maps.Values(byID))
}

// likeliest returns those of a customer's open invoices that the payment is likeliest for: those that owe its amount, or else owed it
// before, or else the first one on which anything is claimed.
func (c *candidates) likeliest(open []models.Invoice) []models.Invoice {
	for _, fits := range []func(models.Invoice) bool{func(i models.Invoice) bool { return owes(i, c.amount) }, c.owedBefore} {
		if some := slices.DeleteFunc(slices.Clone(open), func(i models.Invoice) bool { return !fits(i) }); len(some) > 0 {
			return some
		}
	}
	claimed := slices.IndexFunc(open, func(i models.Invoice) bool { return i.Claimed() > 0 }) // nobody was asked for a repayment alone
	return open[max(0, claimed):][:min(1, len(open))]
}

// rateSets rates, for each customer, a set of open invoices that adds up to the payment. The set has the hints of each
// of its invoices.
func (c *candidates) rateSets(single []*rated) []*rated {
	var found []*rated
	for _, open := range c.open {
		set := c.setOf(open)
		if len(set) == 0 {
			continue
		}
		r := &rated{set, make(map[models.Hint]int)}
		r.add(models.HintAddUp, hintWeight[models.HintAddUp])
		for _, s := range single {
			if slices.ContainsFunc(set, func(i models.Invoice) bool { return i.ID == s.invoices[0].ID }) {
				for hint, weight := range s.weights {
					r.add(hint, weight)
				}
			}
		}
		found = append(found, r)
	}
	return found
}

// setOf returns a set of a customer's open invoices that adds up to the payment, by one of the two things that he may take for what is owed.
func (c *candidates) setOf(open []models.Invoice) (set []models.Invoice) {
	for _, owed := range asked {
		if set = c.addingUp(open[:min(len(open), mostOpen)], owed); len(set) > 0 {
			break
		}
	}
	return set
}

// addingUp returns two or more of the invoices that add up to the payment, by what is owed on each, nil if there is no such set. It
// prefers the set with most invoices that the payment names. Next it prefers the smallest, then the one that fell due first.
func (c *candidates) addingUp(open []models.Invoice, owed func(models.Invoice) models.Amount) (set []models.Invoice) {
	open = slices.DeleteFunc(slices.Clone(open), func(i models.Invoice) bool { return owed(i) <= 0 })
	var named uint // one bit for each invoice, as in the sets
	for n, i := range open {
		if slices.ContainsFunc(c.named, func(k candidate) bool { return k.invoice.ID == i.ID }) {
			named |= 1 << n
		}
	}
	var best uint
	for some := range uint(1) << len(open) {
		var sum models.Amount
		for n, i := range open {
			if some&(1<<n) != 0 {
				sum += owed(i)
			}
		}
		better := cmp.Or(
			bits.OnesCount(some&named)-bits.OnesCount(best&named),
			bits.OnesCount(best)-bits.OnesCount(some),
			cmp.Compare(bits.Reverse(some), bits.Reverse(best)),
		)
		if sum == c.amount && bits.OnesCount(some) > 1 && (best == 0 || better > 0) {
			best = some
		}
	}
	for n, i := range open {
		if best&(1<<n) != 0 {
			set = append(set, i)
		}
	}
	return set
}
