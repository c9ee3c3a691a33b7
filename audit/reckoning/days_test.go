package reckoning_test

import (
	"testing"

	"purr/audit/reckoning"
	"purr/models"
	"purr/models/calendar"
	"purr/test/testkit/law"
)

// TestU3DaysOff holds the days off against those that were typed from a calendar.
func TestU3DaysOff(t *testing.T) {
	t.Parallel()
	for d := day(t, "2021-01-01"); d < day(t, "2027-06-01"); d++ {
		if got := reckoning.SendingDay(d); got != law.IsWeekday(d) {
			t.Errorf("%s %s: %t", d.Weekday(), d, got)
		}
		if got := reckoning.LastBankDay(d); got != calendar.LastBankDayBefore(d) {
			t.Errorf("the last bank day before %s is %s", d, got)
		}
		if got := reckoning.Shift(d); got != law.Moved(d) {
			t.Errorf("%s counts as %s, want %s", d, got, law.Moved(d))
		}
	}
}

// TestU3DaysToPay counts days from the real leaving.
func TestU3DaysToPay(t *testing.T) {
	t.Parallel()
	monday := day(t, "2026-06-15")
	deadline := reckoning.Deadline(monday, 14, 2, 1)
	if deadline != day(t, "2026-07-02") || reckoning.DaysToPay(monday+3, monday+14) != 11 || reckoning.DaysToPay(monday+3, monday) != -3 {
		t.Errorf("the deadline of %s with post and print is %s", monday, deadline)
	}
	if got := reckoning.RunsUntil(monday, monday+3, monday+17); got != monday+20 {
		t.Errorf("a letter that left three days late runs until %s (D94)", got)
	}
	if got := reckoning.RunsUntil(monday, monday, monday+14); got != monday+14 {
		t.Errorf("a letter that left on its day runs until %s", got)
	}
	if got := reckoning.FirstFeeDay(day(t, "2026-11-01")); got != day(t, "2026-11-15") {
		t.Errorf("the first day of a fee is %s", got)
	}
}

// TestL26Lapses has the ends of months, and the end of all days.
func TestL26Lapses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ due, acknowledged, want string }{
		{"2024-01-15", "", "2027-01-15"},
		{"2024-02-29", "", "2027-02-28"},
		{"2024-01-15", "2025-03-01", "2028-03-01"},
		{"2024-01-15", "2023-12-01", "2027-01-15"},
		{"9998-01-15", "", "9999-12-31"},
	} {
		var acknowledged models.Date
		if err := acknowledged.UnmarshalText([]byte(test.acknowledged)); err != nil {
			t.Fatal(err)
		}
		got := reckoning.Lapses(day(t, test.due), acknowledged)
		if got != day(t, test.want) || got != models.LapsesOn(day(t, test.due), acknowledged) {
			t.Errorf("due on %s, acknowledged on %q: lapses on %s, want %s", test.due, test.acknowledged, got, test.want)
		}
	}
}
