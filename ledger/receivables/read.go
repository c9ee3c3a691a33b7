package receivables

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// Report is what all customers of a creditor owe.
type Report struct {
	Ages
	Day     models.Date
	Debtors []*Debtor // all of them, who owes most first
}

// Read returns what is owed to the creditor, by its age on a day, where repayments are not due. For a day before today it is what was owed at the end of
// that day, on the invoices that are not closed now. For another day it is what is owed now.
func Read(ctx context.Context, v store.View, creditorID int64, day, today models.Date) (Report, error) {
	d := debtors{byID: map[int64]*Debtor{}}
	r := Report{Day: day}
	err := v.OwedInvoices(ctx, creditorID, past(day, today), firstDays(day), func(o store.OwedInvoice) {
		d.add(o)
		r.addInvoice(o)
	})
	if err != nil {
		return Report{}, err
	}
	r.Debtors = d.largestFirst()
	return r, nil
}

// Figures are the figures of a creditor's money on a day.
type Figures struct {
	Owed     []store.Owed // by due date
	Ages     Ages
	DSO      int  // days sales outstanding (see DSO)
	HasDSO   bool // something was invoiced in the last DSODays days
	Earlier  int  // DSO as it was DSODays days ago, reckoned back from the ledger
	HasThen  bool // something was invoiced in the DSODays days before that
	Days     []store.DayMoney
	Habit    Habit // of all customers
	Forecast Forecast
	Effects  []Effect // of notices
}

// How many rows the figures are drawn from, at most.
const (
	habitPayments  = 500
	effectNotices  = 1000
	effectPeriod   = 90 // days in which the notices were issued, each at least EffectDays ago
	forecastWeeks  = 8
	customerHabits = 12 // payments of one customer
)

// ReadFigures returns the figures of a creditor on a day, which is today.
func ReadFigures(ctx context.Context, v store.View, creditorID int64, today models.Date) (f Figures, err error) {
	if f.Owed, err = v.OwedByDueDate(ctx, creditorID, 0); err != nil {
		return f, err
	}
	if f.Days, err = v.MoneyByDay(ctx, creditorID, store.Dates{From: today - 2*DSODays + 1}); err != nil {
		return f, err
	}
	payments, err := v.LastPayments(ctx, creditorID, 0, habitPayments)
	if err != nil {
		return f, err
	}
	results, err := v.NoticeResults(ctx, creditorID, store.Dates{From: today - EffectDays - effectPeriod, To: today - EffectDays}, effectNotices)
	if err != nil {
		return f, err
	}
	then := today - DSODays
	f.Ages, f.Habit, f.Effects = AgesOf(f.Owed, today), HabitOf(payments), EffectsOf(results)
	f.Forecast = ForecastOf(f.Owed, today, f.Habit.DaysLate, forecastWeeks)
	f.DSO, f.HasDSO = DSO(f.Ages.Amount, MoneyOf(f.Days, then+1, today).Invoiced)
	f.Earlier, f.HasThen = DSO(f.Ages.Amount-Booked(f.Days, then), MoneyOf(f.Days, then-DSODays+1, then).Invoiced)
	return f, nil
}

// HabitOfCustomer returns the habit that the customer's last payments show.
func HabitOfCustomer(ctx context.Context, v store.View, creditorID, customerID int64) (Habit, error) {
	payments, err := v.LastPayments(ctx, creditorID, customerID, customerHabits)
	if err != nil {
		return Habit{}, err
	}
	return HabitOf(payments), nil
}

// past returns the day if it is before today, otherwise zero: all entries count.
func past(day, today models.Date) models.Date {
	if day < today {
		return day
	}
	return 0
}

// CustomersOf returns the customers who owe, by ID.
func CustomersOf(ctx context.Context, v store.View, creditorID int64, debtors []*Debtor) (map[int64]models.Customer, error) {
	return ofDebtors(ctx, creditorID, debtors, v.CustomersByID)
}

// LapsesOf returns when the first claim on each of the customers lapses who owe, by ID (rule L26). Customers of whom nothing is claimed now are not
// among them.
func LapsesOf(ctx context.Context, v store.View, creditorID int64, debtors []*Debtor) (map[int64]store.Lapse, error) {
	return ofDebtors(ctx, creditorID, debtors, v.LapsesOf)
}

// ofDebtors reads something of customers who owe, by ID.
func ofDebtors[T any](
	ctx context.Context, creditorID int64, debtors []*Debtor, read func(ctx context.Context, creditorID int64, ids []int64) (map[int64]T, error),
) (map[int64]T, error) {
	const batch = 1000
	all := make(map[int64]T, len(debtors))
	for some := range slices.Chunk(debtors, batch) {
		ids := make([]int64, len(some))
		for i, d := range some {
			ids[i] = d.CustomerID
		}
		found, err := read(ctx, creditorID, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, found)
	}
	return all, nil
}
