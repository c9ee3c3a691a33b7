package receivables

import (
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestL16AgeIsDaysAfterTheDueDate(t *testing.T) {
	t.Parallel()
	for late, want := range map[models.Date]string{
		-400: "not_due", 0: "not_due", 1: "1-14", 14: "1-14", 15: "15-30", 30: "15-30", 31: "31-60", 60: "31-60", 61: "61-90", 90: "61-90", 91: "over_90", 4000: "over_90",
	} {
		if got := AgeOf(rows.Today-late, rows.Today).String(); got != want {
			t.Errorf("%d days after the due date the age is %s, want %s", late, got, want)
		}
	}
}

func TestL16DaysSalesOutstanding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		outstanding, invoiced models.Amount
		want                  int
		known                 bool
	}{{100_00, 300_00, 30, true}, {100_00, 899_99, 10, true}, {0, 1, 0, true}, {1, 0, 0, false}, {100_00, 1, 900_000, true}} {
		if days, known := DSO(tt.outstanding, tt.invoiced); days != tt.want || known != tt.known {
			t.Errorf("%s of %s: %d days, %t", tt.outstanding, tt.invoiced, days, known)
		}
	}
}

func TestL16Habit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		late []int
		want int
	}{{nil, 0}, {[]int{5}, 5}, {[]int{9, 1}, 5}, {[]int{2, 1}, 2}, {[]int{-2, -1}, -2}, {[]int{30, 2, 4}, 4}, {[]int{1, 2, 30, 3}, 3}} {
		var paid []store.PaidInvoice
		for _, days := range tt.late {
			paid = append(paid, store.PaidInvoice{DueDate: rows.Today, Paid: rows.Today + models.Date(days)})
		}
		if got := HabitOf(paid); got != (Habit{len(tt.late), tt.want}) {
			t.Errorf("%v days late: the habit is %v, want %d", tt.late, got, tt.want)
		}
	}
}

func TestL16WhatNoticesAchieve(t *testing.T) {
	t.Parallel()
	day := rows.Today
	got := EffectsOf([]store.NoticeResult{
		{Sequence: 2, IssueDate: day, Paid: day + 3},
		{Sequence: 1, IssueDate: day, Paid: day},
		{Sequence: 1, IssueDate: day, Paid: day + 14},
		{Sequence: 1, IssueDate: day, Paid: day + 15},
		{Sequence: 1, IssueDate: day, Paid: 0},
		{Sequence: 1, IssueDate: day, Paid: day - 1}, // the payment had come before
	})
	want := []Effect{{1, 4, 2}, {2, 1, 1}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the effects are %v, want %v", got, want)
	}
}

// TestD96ARepaymentIsNotOverdue has 300 and 200 kroner be long due, 120 of which are repayments: one alone on its invoice.
func TestD96ARepaymentIsNotOverdue(t *testing.T) {
	t.Parallel()
	owed := []store.Owed{{DueDate: rows.Today - 20, Invoices: 3, Amount: 500_00, Repayments: 120_00, OnlyRepayments: 1}}
	ages := AgesOf(owed, rows.Today)
	if ages.Part != (Part{3, 500_00}) || ages.By[To30] != (Part{2, 380_00}) || ages.By[NotDue] != (Part{1, 120_00}) {
		t.Errorf("the ages are %+v", ages)
	}
	var debtor Ages
	debtor.addInvoice(store.OwedInvoice{Age: int(To30), Amount: 300_00, Repayment: 20_00})
	debtor.addInvoice(store.OwedInvoice{Age: int(To30), Amount: 100_00, Repayment: 100_00})
	if debtor.Part != (Part{2, 400_00}) || debtor.Overdue() != (Part{1, 280_00}) {
		t.Errorf("a debtor's ages are %+v", debtor)
	}
	if f := ForecastOf(owed, rows.Today, 30, 4); f.Past.Due != 380_00 {
		t.Errorf("the forecast is %+v", f)
	}
}

// TestL16ForecastKeepsEachOre spreads random sums over random weeks. Nothing is lost, and everything lies in its week.
func TestL16ForecastKeepsEachOre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		today := rows.Today + models.Date(rapid.IntRange(0, 6).Draw(t, "today"))
		delay, weeks := rapid.IntRange(-20, 40).Draw(t, "delay"), rapid.IntRange(1, 9).Draw(t, "weeks")
		var owed []store.Owed
		var sum models.Amount
		for range rapid.IntRange(0, 20).Draw(t, "dates") {
			o := store.Owed{DueDate: today + models.Date(rapid.IntRange(-60, 90).Draw(t, "due")), Amount: models.Amount(rapid.Int64Range(1, 1e6).Draw(t, "amount"))}
			owed = append(owed, o)
			sum += o.Amount
		}
		f := ForecastOf(owed, today, delay, weeks)
		due, usual := f.Past.Due+f.Later.Due, f.Past.Usual+f.Later.Usual
		for i, w := range f.Weeks {
			due, usual = due+w.Due, usual+w.Usual
			end := f.Later.From
			if i+1 < len(f.Weeks) {
				end = f.Weeks[i+1].From
			}
			var want models.Amount
			for _, o := range owed {
				if o.DueDate >= w.From && o.DueDate < end {
					want += o.Amount
				}
			}
			if w.Due != want {
				t.Fatalf("from %s on %s falls due, want %s", w.From, w.Due, want)
			}
		}
		if due != sum || usual != sum {
			t.Fatalf("of %s %s falls due and %s is expected", sum, due, usual)
		}
	})
}
