package accounts

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/models"
)

// foretold is what a form must know of a journal before its first voucher. The journal is read once for it, and once more to be written.
type foretold struct {
	totals   Totals
	opening  models.Amount // what customers owed before the period, less their credit
	percents map[models.SalesClass][]models.Percent
	parties  map[int64]balances // of the customers who owed something at either end, or on whom something was booked
	customer func(ids []int64) (map[int64]models.Customer, error)
}

// balances are what a customer owed before a period, and what the period booked on him.
type balances struct{ opening, moved models.Amount }

// foretell reads the journal without writing it. It fails unless what each customer owed and the journal lead to what he owed at its end
// (rule D33).
func (j journal) foretell(ctx context.Context, before []models.AccountExport) (*foretold, error) {
	f := &foretold{percents: map[models.SalesClass][]models.Percent{}, parties: map[int64]balances{}, customer: func(ids []int64) (map[int64]models.Customer, error) {
		return j.view.CustomersByID(ctx, j.creditor.ID, ids)
	}}
	owed, err := j.view.BalancesAfter(ctx, j.creditor.ID, j.booking.days.From-1, j.booking.zone)
	if err != nil {
		return nil, err
	}
	for customer, balance := range owed {
		f.parties[customer] = balances{opening: balance}
	}
	if f.totals, err = j.each(ctx, f.add); err != nil {
		return nil, err
	}
	if f.opening, owed, err = j.agree(ctx, f.totals, before); err != nil {
		return nil, err
	}
	for customer := range owed {
		f.parties[customer] = f.parties[customer] // who owed something at the end, and has nothing else
	}
	for customer, b := range f.parties {
		if b.opening+b.moved != owed[customer] {
			return nil, fmt.Errorf("the journal does not agree with the balance of customer %d: %s before %s and %s booked are not %s, which was owed when %s was over",
				customer, b.opening, j.booking.days.From, b.moved, owed[customer], j.booking.days.To)
		}
	}
	return f, nil
}

// add adds a voucher.
func (f *foretold) add(v Voucher) error {
	for _, l := range v.Lines {
		switch {
		case l.Kind == models.AccountReceivables:
			b := f.parties[v.Entry.CustomerID]
			b.moved += l.Amount
			f.parties[v.Entry.CustomerID] = b
		case l.Class != "" && !l.IsVAT && !slices.Contains(f.percents[l.Class], l.Percent):
			f.percents[l.Class] = append(f.percents[l.Class], l.Percent)
		}
	}
	return nil
}

// eachCustomer calls do with each customer and what he owed, by ID. It reads some at a time.
func (f *foretold) eachCustomer(do func(models.Customer, balances)) error {
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(f.parties)), page) {
		found, err := f.customer(ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			do(found[id], f.parties[id])
		}
	}
	return nil
}
