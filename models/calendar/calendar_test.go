package calendar_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/models"
	"purr/models/calendar"
)

func day(t testing.TB, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHolidaysOfTheYear compares every day of a year with a list of its public holidays.
func TestHolidaysOfTheYear(t *testing.T) {
	t.Parallel()
	const fixed = "01-01 05-01 05-17 12-25 12-26 "
	tests := []struct {
		year    string
		movable string // Maundy Thursday, Good Friday, Easter Sunday and Monday, Ascension, Whit Sunday and Monday
	}{
		{"2026", "04-02 04-03 04-05 04-06 05-14 05-24 05-25"},
		{"2027", "03-25 03-26 03-28 03-29 05-06 05-16 05-17"}, // Whit Monday is 17 May
		{"2028", "04-13 04-14 04-16 04-17 05-25 06-04 06-05"},
		{"2029", "03-29 03-30 04-01 04-02 05-10 05-20 05-21"},
		{"2030", "04-18 04-19 04-21 04-22 05-30 06-09 06-10"},
	}
	for _, tt := range tests {
		t.Run(tt.year, func(t *testing.T) {
			want := strings.Fields(fixed + tt.movable)
			slices.Sort(want)
			want = slices.Compact(want)
			var got []string
			for d := day(t, tt.year+"-01-01"); d <= day(t, tt.year+"-12-31"); d++ {
				if calendar.IsHoliday(d) {
					got = append(got, d.String()[len("yyyy-"):])
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("holidays are\n%v, want\n%v", got, want)
			}
		})
	}
}

func TestNextWeekdayD29(t *testing.T) {
	t.Parallel()
	tests := []struct{ due, counts, why string }{
		{"2026-10-15", "2026-10-15", "a Thursday stays"},
		{"2026-11-21", "2026-11-23", "a Saturday moves to Monday"},
		{"2026-11-22", "2026-11-23", "a Sunday moves to Monday"},
		{"2026-04-02", "2026-04-07", "Maundy Thursday moves past Easter"},
		{"2026-04-04", "2026-04-07", "Easter Saturday moves past Easter Monday"},
		{"2026-05-14", "2026-05-15", "Ascension Day moves to Friday"},
		{"2026-05-01", "2026-05-04", "1 May, a Friday, moves to Monday"},
		{"2026-05-17", "2026-05-18", "17 May, a Sunday, moves to Monday"},
		{"2027-05-15", "2027-05-18", "Whit Saturday moves past 17 May, which is Whit Monday"},
		{"2026-12-24", "2026-12-24", "24 December is a weekday"},
		{"2026-12-25", "2026-12-28", "Christmas Day, a Friday, moves past the weekend"},
		{"2026-12-31", "2026-12-31", "31 December is a weekday"},
		{"2028-01-01", "2028-01-03", "New Year's Day, a Saturday, moves to Monday"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := calendar.NextWeekday(day(t, tt.due)); got != day(t, tt.counts) {
				t.Errorf("%s counts as %s, want %s", tt.due, got, tt.counts)
			}
		})
	}
}

func TestBankDaysE6b(t *testing.T) {
	t.Parallel()
	tests := []struct{ day, before, next, why string }{
		{"2026-10-15", "2026-10-14", "2026-10-15", "a Thursday is one, the day before too"},
		{"2026-11-23", "2026-11-20", "2026-11-23", "before a Monday comes the Friday"},
		{"2026-11-21", "2026-11-20", "2026-11-23", "a Saturday is none"},
		{"2026-12-24", "2026-12-23", "2026-12-28", "24 December is none, nor the days to the Sunday"},
		{"2026-12-28", "2026-12-23", "2026-12-28", "after Christmas the last one was 23 December"},
		{"2027-01-04", "2026-12-31", "2027-01-04", "31 December is one, New Year's Day is none"},
		{"2026-04-07", "2026-04-01", "2026-04-07", "after Easter the last one was Wednesday"},
		{"2027-05-18", "2027-05-14", "2027-05-18", "after Whitsun and 17 May the last one was Friday"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := calendar.LastBankDayBefore(day(t, tt.day)); got != day(t, tt.before) {
				t.Errorf("before %s: %s, want %s", tt.day, got, tt.before)
			}
			if got := calendar.NextBankDay(day(t, tt.day)); got != day(t, tt.next) {
				t.Errorf("from %s: %s, want %s", tt.day, got, tt.next)
			}
		})
	}
}

// TestShiftedDays checks any day of two centuries: a shifted day is of the kind asked for, with none of
// that kind between, and there are never more days off in a row than Easter's five.
func TestShiftedDays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, last := models.NewDate(1950, time.January, 1), models.NewDate(2150, time.December, 31)
		d := models.Date(rapid.Int32Range(int32(first), int32(last)).Draw(t, "day"))
		weekday, bankDay, before := calendar.NextWeekday(d), calendar.NextBankDay(d), calendar.LastBankDayBefore(d)
		if !calendar.IsWeekday(weekday) || weekday-d > 5 {
			t.Fatalf("%s counts as %s", d, weekday)
		}
		if !calendar.IsBankDay(bankDay) || bankDay < weekday {
			t.Fatalf("the next bank day of %s is %s", d, bankDay)
		}
		if !calendar.IsBankDay(before) || before >= d || calendar.NextBankDay(before+1) < d {
			t.Fatalf("the last bank day before %s is %s", d, before)
		}
	})
}

func TestManyAskAtOnce(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for year := 2200; year < 2220; year++ {
				if !calendar.IsHoliday(models.NewDate(year, time.May, 17)) {
					t.Errorf("17 May %d is no holiday", year)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkNextWeekday(b *testing.B) {
	d := models.NewDate(2026, time.April, 2)
	for b.Loop() {
		calendar.NextWeekday(d)
	}
}
