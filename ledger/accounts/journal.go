package accounts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// page is how many entries, and how many customers, are read at a time.
const page = 1000

// Totals are what a journal adds up to.
type Totals struct {
	Vouchers int
	Debit    models.Amount // and credit
	Moved    models.Amount // by how much customers owe more
	Series   models.AllVoucherSeries
	Sums     models.AccountSums
}

// counter numbers vouchers and adds them up.
type counter struct {
	next     map[int]int64 // the next number of each year
	first    map[int]int64
	vouchers int
	debit    models.Amount
	moved    models.Amount
	sums     map[string]models.AccountSum
}

func newCounter(next map[int]int64) *counter {
	return &counter{next: maps.Clone(next), first: map[int]int64{}, sums: map[string]models.AccountSum{}}
}

// number gives a voucher its number, and adds it.
func (c *counter) number(v *Voucher) {
	year := v.Date.Year()
	v.Number = max(c.next[year], 1)
	if _, begun := c.first[year]; !begun {
		c.first[year] = v.Number
	}
	c.next[year] = v.Number + 1
	c.vouchers++
	for _, l := range v.Lines {
		sum := c.sums[l.Account]
		if l.Amount > 0 {
			sum.Debit, c.debit = sum.Debit+l.Amount, c.debit+l.Amount
		} else {
			sum.Credit -= l.Amount
		}
		c.sums[l.Account] = sum
		if l.Kind == models.AccountReceivables {
			c.moved += l.Amount
		}
	}
}

// totals returns what was added.
func (c *counter) totals() Totals {
	t := Totals{Vouchers: c.vouchers, Debit: c.debit, Moved: c.moved}
	for _, year := range slices.Sorted(maps.Keys(c.first)) {
		t.Series = append(t.Series, models.VoucherSeries{Year: year, First: c.first[year], Last: c.next[year] - 1})
	}
	for _, account := range slices.Sorted(maps.Keys(c.sums)) {
		sum := c.sums[account]
		sum.Account = account
		t.Sums = append(t.Sums, sum)
	}
	return t
}

// journal is what is read for the vouchers of a period.
type journal struct {
	view     store.View
	creditor models.Creditor
	booking  booking
	next     map[int]int64 // the first numbers, by year
}

// each calls do with each voucher of the period, in the order of booking, until do fails. It reads some entries at a time, so that
// memory stays flat.
func (j journal) each(ctx context.Context, do func(Voucher) error) (Totals, error) {
	count, after := newCounter(j.next), store.BookedMark{}
	filter := store.BookedFilter{Dates: j.booking.days, Zone: j.booking.zone}
	for {
		found, err := j.view.BookedEntries(ctx, j.creditor.ID, filter, after, page)
		if err != nil {
			return Totals{}, err
		}
		if len(found) == 0 {
			return count.totals(), nil
		}
		postings, err := j.postings(ctx, found)
		if err != nil {
			return Totals{}, err
		}
		for _, p := range postings {
			after = p.entry.Mark(after)
			v, err := j.booking.voucher(p)
			if err != nil {
				return Totals{}, err
			}
			if len(v.Lines) == 0 {
				continue
			}
			count.number(&v)
			if err := do(v); err != nil {
				return Totals{}, err
			}
		}
	}
}

// into writes each voucher, and proves what they come to. The summary is nil unless the form begins with it.
func (j journal) into(ctx context.Context, w writer, s *summary, before []models.AccountExport) (t Totals, opening models.Amount, err error) {
	t, err = j.each(ctx, func(v Voucher) error {
		if s != nil {
			s.add(v)
		}
		return w.voucher(v)
	})
	if err != nil {
		return t, 0, err
	}
	opening, owed, err := j.agree(ctx, t, before)
	if err != nil || s == nil {
		return t, opening, err
	}
	s.totals, s.opening = t, opening
	return t, opening, s.agrees(owed)
}

// postings returns entries with what the accounts must know besides: one question a kind for all of them.
func (j journal) postings(ctx context.Context, found []store.BookedEntry) ([]posting, error) {
	var sold, notes, byHand []int64
	for _, e := range found {
		switch {
		case e.Movement == models.MovementInvoiced:
			sold = append(sold, e.InvoiceID)
		case e.Movement == models.MovementCredited:
			sold, notes = append(sold, e.InvoiceID), append(notes, e.CreditNoteID)
		case e.Movement == models.MovementPaidByHand && e.DeletionID == 0:
			byHand = append(byHand, e.ID)
		}
	}
	told, err := j.view.ToldEntries(ctx, byHand)
	if err != nil {
		return nil, err
	}
	whole, err := j.view.VATOfInvoices(ctx, sold)
	if err != nil {
		return nil, err
	}
	partial, err := j.view.VATOfPartialCreditNotes(ctx, notes)
	if err != nil {
		return nil, err
	}
	postings := make([]posting, len(found))
	for n, e := range found {
		postings[n] = posting{entry: e, told: e.DeletionID == 0 && told[e.ID]}
		if e.Movement == models.MovementCredited {
			postings[n].parts = partial[e.CreditNoteID]
		}
		if postings[n].parts == nil {
			postings[n].parts = whole[e.InvoiceID] // asked for alone where something was sold
		}
	}
	return postings, nil
}

// agree fails unless the opening balance and the journal are the closing balance, which is what the customers owe (rules A1c, D33), and
// the period before ended with the opening balance. It returns the opening balance, and what each customer owed at the end.
func (j journal) agree(ctx context.Context, t Totals, before []models.AccountExport) (opening models.Amount, owed map[int64]models.Amount, err error) {
	sums, err := j.view.Booked(ctx, j.creditor.ID, j.booking.days, j.booking.zone)
	if err != nil {
		return 0, nil, err
	}
	for _, s := range sums {
		if s.Before && !s.OfRate() {
			opening += s.Amount
		}
	}
	owed, err = j.view.BalancesAfter(ctx, j.creditor.ID, j.booking.days.To, j.booking.zone)
	if err != nil {
		return 0, nil, err
	}
	closing := total(owed)
	if opening+t.Moved != closing {
		return 0, nil, fmt.Errorf("the journal does not agree with the balances: %s before %s and %s booked are not %s, which customers owed when %s was over",
			opening, j.booking.days.From, t.Moved, closing, j.booking.days.To)
	}
	for _, e := range before {
		if e.To == j.booking.days.From-1 && e.Closing != opening {
			return 0, nil, fmt.Errorf("the journal of %s to %s ended with %s, and what follows begins with %s", e.From, e.To, e.Closing, opening)
		}
	}
	return opening, owed, nil
}

// owedAfter returns what all customers owed, less their credit, when a day was over.
func owedAfter(ctx context.Context, v store.View, creditorID int64, day models.Date, zone *time.Location) (sum models.Amount, err error) {
	owed, err := v.BalancesAfter(ctx, creditorID, day, zone)
	if err != nil {
		return 0, err
	}
	return total(owed), nil
}

// total adds up what customers owe.
func total(owed map[int64]models.Amount) (sum models.Amount) {
	for _, balance := range owed {
		sum += balance
	}
	return sum
}

// nextNumbers returns the next number of each year after some exports.
func nextNumbers(before []models.AccountExport) map[int]int64 {
	next := map[int]int64{}
	for _, e := range before {
		for _, s := range e.Series {
			next[s.Year] = max(next[s.Year], s.Last+1)
		}
	}
	return next
}

// firstNumbers returns the numbers with which an export begins in each year.
func firstNumbers(e models.AccountExport) map[int]int64 {
	first := map[int]int64{}
	for _, s := range e.Series {
		first[s.Year] = cmp.Or(s.First, 1)
	}
	return first
}
