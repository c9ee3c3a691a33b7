package ocr

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"purr/models"
)

// How much the hints weigh. Two together weigh more than a stronger one alone; what weighs less than leastWeight
// is no suggestion.
const (
	weightKID      = 100
	weightNearKID  = 60
	weightNumber   = 45
	weightDoubtful = 15 // a number that may be a day, a year or anything
	weightAmount   = 40
	weightAddUp    = 35
	weightPayer    = 30
	leastWeight    = 30
)

// What a search for suggestions is bounded by.
const (
	mostSuggestions = 5
	mostAlike       = 5  // invoices or customers: of which there are more, none stands out
	mostOpen        = 12 // invoices of a customer that are tried together
)

// Suggestion is what an unmatched payment may be meant for (rule E5): an invoice, or several of one customer that
// add up to it.
type Suggestion struct {
	Reasons    []models.Hint // the weightiest first
	CustomerID int64
	Invoices   []models.Invoice // those first that fell due first
}

// clues are what the books say about an unmatched payment.
type clues struct {
	amount models.Amount // negative for money out
	named  []clue
	owing  []models.Invoice           // the open ones that owe just the amount
	payers []int64                    // the customers who have paid from the account
	open   map[int64][]models.Invoice // what the payers, and the customers of what is named, owe; the first to fall due first
}

// clue is an invoice at which something points that the payment says.
type clue struct {
	invoice models.Invoice
	hint    models.Hint
	weight  int
}

// guess is a suggestion while its hints are gathered.
type guess struct {
	invoices []models.Invoice
	weights  map[models.Hint]int
}

func newGuess(invoices ...models.Invoice) *guess {
	return &guess{invoices, make(map[models.Hint]int)}
}

func (g *guess) add(h models.Hint, weight int) { g.weights[h] = max(g.weights[h], weight) }

func (g *guess) weight() (sum int) {
	for _, w := range g.weights {
		sum += w
	}
	return sum
}

func (g *guess) customerID() int64 { return g.invoices[0].CustomerID }

// rank returns the suggestions that follow from the clues, the best first. Of equal ones that comes first which
// fell due first.
func (c clues) rank() []Suggestion {
	guesses := c.ofOne()
	guesses = append(guesses, c.ofSeveral(guesses)...)
	for _, g := range guesses {
		if slices.Contains(c.payers, g.customerID()) {
			g.add(models.HintPayer, weightPayer)
		}
	}
	guesses = slices.DeleteFunc(guesses, func(g *guess) bool { return g.weight() < leastWeight })
	slices.SortFunc(guesses, func(a, b *guess) int {
		first, second := a.invoices[0], b.invoices[0]
		return cmp.Or(b.weight()-a.weight(), int(first.Deadline-second.Deadline), cmp.Compare(first.ID, second.ID), len(a.invoices)-len(b.invoices))
	})
	var best []Suggestion
	for _, g := range guesses[:min(len(guesses), mostSuggestions)] {
		best = append(best, g.suggestion())
	}
	return best
}

func (g *guess) suggestion() Suggestion {
	s := Suggestion{Reasons: slices.Collect(maps.Keys(g.weights)), CustomerID: g.customerID(), Invoices: g.invoices}
	slices.SortFunc(s.Reasons, func(a, b models.Hint) int { return cmp.Or(g.weights[b]-g.weights[a], cmp.Compare(a, b)) })
	return s
}

// ofOne returns what the payment can be meant for where that is a single invoice: what it names, what owes its
// amount, and of each payer of whom nothing is named the likeliest.
func (c clues) ofOne() []*guess {
	byID := map[int64]*guess{}
	of := func(i models.Invoice) *guess {
		if byID[i.ID] == nil {
			byID[i.ID] = newGuess(i)
			if i.Balance == c.amount && i.Closed == models.NotClosed {
				byID[i.ID].add(models.HintOpenAmount, weightAmount)
			}
		}
		return byID[i.ID]
	}
	customers := map[int64]bool{}
	for _, n := range c.named {
		of(n.invoice).add(n.hint, n.weight)
		customers[n.invoice.CustomerID] = true
	}
	for _, i := range c.owing {
		of(i)
		customers[i.CustomerID] = true
	}
	for _, payer := range c.payers {
		if open := c.open[payer]; len(open) > 0 && !customers[payer] {
			of(c.likeliest(open))
		}
	}
	return slices.Collect(maps.Values(byID))
}

// likeliest returns which of a customer's open invoices a payment is for that says nothing: one that owes just its
// amount, else the first that fell due.
func (c clues) likeliest(open []models.Invoice) models.Invoice {
	if n := slices.IndexFunc(open, func(i models.Invoice) bool { return i.Balance == c.amount }); n >= 0 {
		return open[n]
	}
	return open[0]
}

// ofSeveral returns for each customer the open invoices that add up to the payment, if some do. What hints at one
// of them hints at all.
func (c clues) ofSeveral(single []*guess) []*guess {
	var found []*guess
	for _, open := range c.open {
		invoices := c.addingUp(open[:min(len(open), mostOpen)])
		if len(invoices) == 0 {
			continue
		}
		g := newGuess(invoices...)
		g.add(models.HintAddUp, weightAddUp)
		for _, s := range single {
			if contains(invoices, s.invoices[0].ID) {
				for hint, weight := range s.weights {
					g.add(hint, weight)
				}
			}
		}
		found = append(found, g)
	}
	return found
}

func contains(invoices []models.Invoice, id int64) bool {
	return slices.ContainsFunc(invoices, func(i models.Invoice) bool { return i.ID == id })
}

// addingUp returns two or more of the invoices that add up to the payment, none where no such set exists: the set
// of which most are named, then the smallest, then the one that fell due first.
func (c clues) addingUp(open []models.Invoice) (set []models.Invoice) {
	var named uint
	for n, i := range open {
		if slices.ContainsFunc(c.named, func(k clue) bool { return k.invoice.ID == i.ID }) {
			named |= 1 << n
		}
	}
	var best uint
	for some := range uint(1) << len(open) {
		if bits.OnesCount(some) < 2 || sumOf(open, some) != c.amount {
			continue
		}
		differ := some ^ best
		better := cmp.Or(
			bits.OnesCount(some&named)-bits.OnesCount(best&named),
			bits.OnesCount(best)-bits.OnesCount(some),
			int(some&differ&-differ)-int(best&differ&-differ),
		)
		if best == 0 || better > 0 {
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

// sumOf adds up what is owed on some of the invoices, of which each has a bit.
func sumOf(open []models.Invoice, some uint) (sum models.Amount) {
	for n, i := range open {
		if some&(1<<n) != 0 {
			sum += i.Balance
		}
	}
	return sum
}
