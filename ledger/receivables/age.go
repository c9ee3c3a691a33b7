// Package receivables tells what customers owe: by age, by customer, as a statement of one customer, and as the figures of
// the page about money; and it has a statement sent (rule L16). What it computes from what it has read is in pure functions.
// It knows no dunning, no mail, and neither HTTP nor pages.
package receivables

import (
	"cmp"
	"slices"

	"purr/models"
	"purr/store"
)

// Age is how many days ago something fell due, as a range.
type Age int

// The ages, in order.
const (
	NotDue Age = iota
	To14
	To30
	To60
	To90
	Over90
	numAges
)

// String returns the age as the interface writes it, such as "15-30".
func (a Age) String() string {
	return [numAges]string{"not_due", "1-14", "15-30", "31-60", "61-90", "over_90"}[a]
}

// limits are for how many days something may have been due in each age but the last.
var limits = [numAges - 1]models.Date{0, 14, 30, 60, 90}

// AgeOf returns the age, on a day, of what fell due on another day. On its due date it is not due yet.
func AgeOf(due, day models.Date) Age {
	for age, most := range limits {
		if day-due <= most {
			return Age(age)
		}
	}
	return Over90
}

// firstDays returns the first due date that each age but the last has on a day.
func firstDays(day models.Date) []models.Date {
	days := make([]models.Date, len(limits))
	for age, most := range limits {
		days[age] = day - most
	}
	return days
}

// Part is a number of open invoices, with the øre that are owed on them.
type Part struct {
	Invoices int
	Amount   models.Amount
}

// Ages is what is owed, in all and by age.
type Ages struct {
	Part
	By [numAges]Part // by Age; together they are the whole
}

func (a *Ages) add(age Age, p Part) {
	for _, sum := range []*Part{&a.Part, &a.By[age]} {
		sum.Invoices += p.Invoices
		sum.Amount += p.Amount
	}
}

// Overdue returns the part that has fallen due.
func (a Ages) Overdue() Part {
	return Part{a.Invoices - a.By[NotDue].Invoices, a.Amount - a.By[NotDue].Amount}
}

// addInvoice adds what is owed on an invoice. A repayment is not due before it is asked for (rule D96).
func (a *Ages) addInvoice(o store.OwedInvoice) {
	if claimed := o.Amount - o.Repayment; claimed > 0 {
		a.add(Age(o.Age), Part{1, claimed})
		a.add(NotDue, Part{0, o.Repayment})
	} else {
		a.add(NotDue, Part{1, o.Repayment})
	}
}

// AgesOf adds up what is owed by its age on a day. Repayments are not due before they are asked for (rule D96).
func AgesOf(owed []store.Owed, day models.Date) (a Ages) {
	for _, o := range owed {
		a.add(AgeOf(o.DueDate, day), Part{o.Invoices - o.OnlyRepayments, o.Amount - o.Repayments})
		a.add(NotDue, Part{o.OnlyRepayments, o.Repayments})
	}
	return a
}

// Debtor is a customer who owes something.
type Debtor struct {
	CustomerID int64
	Ages
}

// debtors adds up by customer what is owed.
type debtors struct {
	byID map[int64]*Debtor // by customer
	all  []*Debtor
	room []Debtor // for the next ones: a slice of all would be copied as it grows
}

// debtorsTogether is for how many debtors there is room at once.
const debtorsTogether = 1000

func (d *debtors) add(o store.OwedInvoice) {
	debtor := d.byID[o.CustomerID]
	if debtor == nil {
		if len(d.room) == 0 {
			d.room = make([]Debtor, debtorsTogether)
		}
		debtor, d.room = &d.room[0], d.room[1:]
		debtor.CustomerID = o.CustomerID
		d.byID[o.CustomerID], d.all = debtor, append(d.all, debtor)
	}
	debtor.addInvoice(o)
}

// largestFirst returns the debtors, who owes most first.
func (d *debtors) largestFirst() []*Debtor {
	type key struct { // beside each other, so that sorting is fast
		amount models.Amount
		id     int64
		debtor *Debtor
	}
	keys := make([]key, len(d.all))
	for n, debtor := range d.all {
		keys[n] = key{debtor.Amount, debtor.CustomerID, debtor}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.id, b.id)) })
	for n, k := range keys {
		d.all[n] = k.debtor
	}
	return d.all
}
