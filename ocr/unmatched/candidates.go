package unmatched

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// candidates are the invoices and customers that an unmatched payment may be for.
type candidates struct {
	amount  models.Amount // negative for money out
	named   []candidate
	owing   []models.Invoice           // open invoices that owe exactly the amount, with or without a repayment
	payers  []int64                    // customers who have paid from the account before
	alike   []int64                    // customers whose name is like the payer's, or like one in the text (rule N1)
	open    map[int64][]models.Invoice // open invoices of all these customers, by due date
	notices map[int64]asking           // the last notice on each of the open invoices, by invoice
	holds   map[int64]models.Hold      // of the customers with open invoices, by customer
	many    bool                       // so many names are alike that only those of customers who owe the amount are left
}

// candidate is an invoice that the payment names, by a KID or a number.
type candidate struct {
	invoice models.Invoice
	hint    models.Hint
	weight  int
}

// asking is what a notice asks for in all, and what the notice itself charged of it.
type asking struct{ gross, charges models.Amount }

// findCandidates reads the candidates for each of the payments from the database. However many payments there are, it
// asks a fixed number of questions. Each uses an index.
func findCandidates(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment) ([]*candidates, error) {
	all := make([]*candidates, len(payments))
	for n, u := range payments {
		all[n] = &candidates{amount: u.Amount, open: map[int64][]models.Invoice{}, notices: map[int64]asking{}, holds: map[int64]models.Hold{}}
	}
	for _, read := range []func(context.Context, store.View, models.Creditor, []models.UnmatchedPayment, []*candidates) error{
		readKIDs, readNumbers, readPayers, readAlike, readOwing, readOpen,
	} {
		if err := read(ctx, v, creditor, payments, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// leaveOut takes customers out of whom a person said that the payment is not theirs (rule N6).
func (c *candidates) leaveOut(customers []int64) {
	not := func(customer int64) bool { return slices.Contains(customers, customer) }
	c.named = slices.DeleteFunc(c.named, func(n candidate) bool { return not(n.invoice.CustomerID) })
	c.owing = slices.DeleteFunc(c.owing, func(i models.Invoice) bool { return not(i.CustomerID) })
	c.payers = slices.DeleteFunc(slices.Clone(c.payers), not) // two payments may have the same account
	c.alike = slices.DeleteFunc(c.alike, not)
}

// readKIDs reads the invoices that were sent with KIDs that the payers may have meant.
func readKIDs(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	possible := make([]map[string]models.Hint, len(payments))
	kids := map[string]bool{}
	for n, u := range payments {
		possible[n] = possibleKIDs(u, creditor.KIDLength)
		for kid := range possible[n] {
			kids[kid] = true
		}
	}
	invoices, err := v.InvoicesByKID(ctx, creditor.ID, slices.Sorted(maps.Keys(kids)))
	if err != nil {
		return err
	}
	for n, c := range all {
		c.nameByKID(possible[n], invoices)
	}
	return nil
}

// nameByKID adds the invoices that were sent with one of the KIDs, each once and by its best hint.
func (c *candidates) nameByKID(possible map[string]models.Hint, invoices map[string]models.Invoice) {
	hints := map[int64]models.Hint{}
	for kid, hint := range possible {
		if i, sent := invoices[kid]; sent && hintWeight[hint] > hintWeight[hints[i.ID]] {
			hints[i.ID] = hint
		}
	}
	for kid := range possible {
		i, sent := invoices[kid]
		if hint, meant := hints[i.ID]; sent && meant {
			c.named = append(c.named, candidate{i, hint, hintWeight[hint]})
			delete(hints, i.ID)
		}
	}
	slices.SortFunc(c.named, func(a, b candidate) int { return cmp.Compare(a.invoice.ID, b.invoice.ID) })
}

// readNumbers reads the invoices whose numbers the payers may have meant.
func readNumbers(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	possible := make([]map[int64]int, len(payments))
	numbers := map[int64]bool{}
	for n, u := range payments {
		possible[n] = possibleNumbers(u, creditor.KIDLength)
		for number := range possible[n] {
			numbers[number] = true
		}
	}
	invoices, err := v.InvoicesByNumber(ctx, creditor.ID, slices.Sorted(maps.Keys(numbers)))
	if err != nil {
		return err
	}
	for n, c := range all {
		for _, i := range invoices {
			if weight, meant := possible[n][i.Number]; meant {
				c.named = append(c.named, candidate{i, models.HintNumber, weight})
			}
		}
	}
	return nil
}

// readPayers reads the customers who have paid from the payments' accounts before.
func readPayers(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	accounts := map[string]bool{}
	for _, u := range payments {
		if u.FromAccountNumber != "" {
			accounts[u.FromAccountNumber] = true
		}
	}
	payers, err := v.CustomersPayingFrom(ctx, creditor.ID, slices.Sorted(maps.Keys(accounts)), mostAlike+1)
	if err != nil {
		return err
	}
	for n, u := range payments {
		if of := payers[u.FromAccountNumber]; len(of) <= mostAlike {
			all[n].payers = of
		}
	}
	return nil
}

// readAlike reads the customers whose names are like the payers' (rule N1).
func readAlike(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	alike, err := v.CustomersAlike(ctx, creditor.ID, payments)
	if err != nil {
		return err
	}
	for n := range alike {
		all[n].alike = alike[n]
	}
	return nil
}

// readOwing reads the open invoices that owe exactly what was paid. Money out pays no invoice.
func readOwing(ctx context.Context, v store.View, creditor models.Creditor, _ []models.UnmatchedPayment, all []*candidates) error {
	amounts := map[models.Amount]bool{} //nolint:exhaustive // an amount is no enumeration
	for _, c := range all {
		if c.amount > 0 {
			amounts[c.amount] = true
		}
	}
	owing, err := v.InvoicesOwing(ctx, creditor.ID, slices.Sorted(maps.Keys(amounts)), mostAlike+1)
	if err != nil {
		return err
	}
	for _, c := range all {
		if of := owing[c.amount]; len(of) <= mostAlike {
			c.owing = slices.Clone(of) // two payments may have the same amount
		}
	}
	return nil
}

// readOpen reads the open invoices of the customers that a payment may be of. Money out pays no invoice.
func readOpen(ctx context.Context, v store.View, creditor models.Creditor, payments []models.UnmatchedPayment, all []*candidates) error {
	customers := make([][]int64, len(all))
	wanted := map[int64]bool{}
	for n, c := range all {
		if c.leaveOut(payments[n].NotOf); c.amount >= 0 {
			customers[n] = c.customers()
		}
		for _, id := range customers[n] {
			wanted[id] = true
		}
	}
	open, err := v.OpenInvoicesOf(ctx, creditor.ID, slices.Sorted(maps.Keys(wanted)), mostOpen)
	if err != nil {
		return err
	}
	for n, c := range all {
		for _, id := range customers[n] {
			c.takeOpen(open[id])
		}
		c.leaveThoseWhoOwe()
	}
	return nil
}

// leaveThoseWhoOwe leaves of more than mostNamesakes customers, whose name is alike, those who owe the amount, or owed it before, or whose
// invoices add up to it. A name that so many have says nothing of the others: they are neither suggested nor shielded (rule N1).
func (c *candidates) leaveThoseWhoOwe() {
	if len(c.alike) <= mostNamesakes {
		return
	}
	c.many = true
	c.alike = slices.DeleteFunc(c.alike, func(id int64) bool {
		fits := func(i models.Invoice) bool { return owes(i, c.amount) || c.owedBefore(i) }
		return !slices.ContainsFunc(c.open[id], fits) && len(c.setOf(c.open[id])) == 0
	})
	left := c.customers()
	maps.DeleteFunc(c.open, func(id int64, _ []models.Invoice) bool { return !slices.Contains(left, id) })
}

// takeOpen takes a customer's open invoices, with what belongs to them.
func (c *candidates) takeOpen(open []store.OpenInvoice) {
	for _, i := range open {
		c.open[i.CustomerID] = append(c.open[i.CustomerID], i.Invoice)
		c.notices[i.ID], c.holds[i.CustomerID] = asking{i.NoticeGross, i.NoticeCharges}, i.CustomerHold
	}
}

// owedBefore reports whether the amount was owed on an open invoice before (rule N1): its gross, or what its last notice asked for,
// with what the notice charged or without it.
func (c *candidates) owedBefore(i models.Invoice) bool {
	last := c.notices[i.ID]
	return c.amount == i.Gross || last.gross != 0 && (c.amount == last.gross || c.amount == last.gross-last.charges)
}

// customers returns the customers of whom the payment may be: those whose name is alike, and of the payers, the customers of
// invoices that the payment names without doubt, and those who owe its amount, up to mostAlike of each.
func (c *candidates) customers() []int64 {
	ids := slices.Clone(c.alike)
	add := func(some ...int64) {
		n := 0
		for _, id := range some {
			if n < mostAlike && !slices.Contains(ids, id) {
				ids, n = append(ids, id), n+1
			}
		}
	}
	add(c.payers...)
	var named, owing []int64
	for _, n := range c.named {
		if n.weight > weightDoubtful {
			named = append(named, n.invoice.CustomerID)
		}
	}
	for _, i := range c.owing {
		owing = append(owing, i.CustomerID)
	}
	add(named...)
	add(owing...)
	return ids
}
