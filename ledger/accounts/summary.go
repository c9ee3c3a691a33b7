package accounts

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/models"
)

// summary is what a journal comes to. A form that begins with it is written when the journal has been read.
type summary struct {
	totals   Totals
	opening  models.Amount // what customers owed before the period, less their credit
	percents map[models.SalesClass][]models.Percent
	parties  map[int64]balances // of the customers who owed something at either end, or on whom something was booked
	customer func(ids []int64) (map[int64]models.Customer, error)
}

// balances are what a customer owed before a period, and what the period booked on him.
type balances struct{ opening, moved models.Amount }

// summary returns the summary of a journal that is not read yet: what customers owed before it.
func (j journal) summary(ctx context.Context) (*summary, error) {
	s := &summary{percents: make(map[models.SalesClass][]models.Percent), parties: map[int64]balances{}, customer: func(ids []int64) (map[int64]models.Customer, error) {
		return j.view.CustomersByID(ctx, j.creditor.ID, ids)
	}}
	owed, err := j.view.BalancesAfter(ctx, j.creditor.ID, j.booking.days.From-1, j.booking.zone)
	if err != nil {
		return nil, err
	}
	for customer, balance := range owed {
		s.parties[customer] = balances{opening: balance}
	}
	return s, nil
}

// add adds a voucher.
func (s *summary) add(v Voucher) {
	for _, l := range v.Lines {
		switch {
		case l.Kind == models.AccountReceivables:
			b := s.parties[v.Entry.CustomerID]
			b.moved += l.Amount
			s.parties[v.Entry.CustomerID] = b
		case l.Class != "" && !l.IsVAT && !slices.Contains(s.percents[l.Class], l.Percent):
			s.percents[l.Class] = append(s.percents[l.Class], l.Percent)
		}
	}
}

// agrees fails unless what each customer owed and the journal lead to what he owed at its end (rule D33).
func (s *summary) agrees(owed map[int64]models.Amount) error {
	differ := func(customer int64, closing models.Amount) error {
		b := s.parties[customer]
		if b.opening+b.moved == closing {
			return nil
		}
		return fmt.Errorf("the journal does not agree with the balance of customer %d: %s before it and %s booked are not %s, which was owed at its end",
			customer, b.opening, b.moved, closing)
	}
	for customer, closing := range owed {
		if err := differ(customer, closing); err != nil { // also who has nothing else
			return err
		}
	}
	for customer := range s.parties {
		if err := differ(customer, owed[customer]); err != nil {
			return err
		}
	}
	return nil
}

// eachCustomer calls do with each customer and what he owed, by ID. It reads some at a time.
func (s *summary) eachCustomer(do func(models.Customer, balances)) error {
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(s.parties)), page) {
		found, err := s.customer(ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			do(found[id], s.parties[id])
		}
	}
	return nil
}
