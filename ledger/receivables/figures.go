package receivables

import (
	"slices"

	"purr/models"
	"purr/store"
)

// DSODays is the number of days of sales with which days sales outstanding is reckoned.
const DSODays = 90

// DSO returns days sales outstanding: for how many days of sales money is outstanding, given what was invoiced in the last
// DSODays days. It is rounded half up, and false if nothing was invoiced.
func DSO(outstanding, invoiced models.Amount) (days int, known bool) {
	if invoiced <= 0 {
		return 0, false
	}
	return int(models.MulDiv(outstanding, DSODays, int64(invoiced))), true
}

// Money is what was invoiced and what was paid in a period, in øre.
type Money struct{ Invoiced, Paid models.Amount }

// MoneyOf adds up the days from one to another, both inclusive. What was paid is payments less payouts.
func MoneyOf(days []store.DayMoney, from, to models.Date) (m Money) {
	for _, d := range days {
		switch {
		case d.Day < from || d.Day > to:
		case d.Type == models.EntryInvoice:
			m.Invoiced += d.Amount
		case d.Type == models.EntryPayment || d.Type == models.EntryOCR || d.Type == models.EntryRepayment:
			m.Paid -= d.Amount
		}
	}
	return m
}

// Booked adds up all entries after a day: how much the ledger has grown since its end.
func Booked(days []store.DayMoney, after models.Date) (sum models.Amount) {
	for _, d := range days {
		if d.Day > after {
			sum += d.Amount
		}
	}
	return sum
}

// Habit is how late payments come.
type Habit struct {
	Payments int // that it was seen in
	DaysLate int // the median; below zero for days before the due date
}

// HabitOf returns the habit that shows in payments. Without payments it is zero.
func HabitOf(paid []store.PaidInvoice) Habit {
	late := make([]int, len(paid))
	for i, p := range paid {
		late[i] = int(p.Paid - p.DueDate)
	}
	return Habit{len(late), median(late)}
}

// median returns the middle number; of two middle ones their mean, rounded away from zero. It sorts the numbers.
func median(of []int) int {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	middle := of[len(of)/2]
	if len(of)%2 == 1 {
		return middle
	}
	sum := middle + of[len(of)/2-1]
	if sum%2 != 0 && sum < 0 {
		sum--
	} else if sum%2 != 0 {
		sum++
	}
	return sum / 2
}

// Expected is money that is expected within a time, in øre.
type Expected struct {
	From  models.Date   // its first day
	Due   models.Amount // what falls due in this time
	Usual models.Amount // what comes in this time if all are as late as usual
}

// Forecast is what open invoices will bring. Each of its two sums, Due and Usual, adds up to what is owed.
type Forecast struct {
	Past  Expected   // what fell due, or was expected, before today
	Weeks []Expected // from today; the first ends on Sunday, the others are whole weeks
	Later Expected
}

// ForecastOf spreads what is owed over a number of weeks: by due date, and by the due date moved by the usual delay. It leaves out
// repayments, which nobody is asked for (rule D96).
func ForecastOf(owed []store.Owed, today models.Date, delay, weeks int) Forecast {
	f := Forecast{Weeks: make([]Expected, weeks)}
	monday := today - models.Date((today.Weekday()+6)%7)
	for i := range f.Weeks {
		f.Weeks[i].From = max(today, monday+models.Date(7*i))
	}
	f.Later.From = monday + models.Date(7*weeks)
	in := func(day models.Date) *Expected {
		switch {
		case day < today:
			return &f.Past
		case day >= f.Later.From:
			return &f.Later
		}
		return &f.Weeks[(day-monday)/7]
	}
	for _, o := range owed {
		in(o.DueDate).Due += o.Amount - o.Repayments
		in(o.DueDate + models.Date(delay)).Usual += o.Amount - o.Repayments
	}
	return f
}

// EffectDays is within how many days of a notice a payment counts as its effect.
const EffectDays = 14

// Effect is what the notices with one sequence number have achieved.
type Effect struct {
	Sequence int // 1 for the first notice on an invoice
	Notices  int
	Paid     int // of them, those whose invoice was paid within EffectDays days
}

// EffectsOf adds up the results of notices by sequence, in order. It leaves out notices whose invoice was paid before.
func EffectsOf(results []store.NoticeResult) []Effect {
	var effects []Effect
	for _, r := range results {
		if r.Paid != 0 && r.Paid < r.IssueDate {
			continue
		}
		place, known := slices.BinarySearchFunc(effects, r.Sequence, func(e Effect, sequence int) int { return e.Sequence - sequence })
		if !known {
			effects = slices.Insert(effects, place, Effect{Sequence: r.Sequence})
		}
		effects[place].Notices++
		if r.Paid != 0 && r.Paid <= r.IssueDate+EffectDays {
			effects[place].Paid++
		}
	}
	return effects
}
