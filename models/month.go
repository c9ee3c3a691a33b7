package models

import (
	"fmt"
	"time"
)

// Month is a calendar month: the date of its first day. The zero Month is none.
type Month Date

// MonthOf returns the month that a day is in.
func MonthOf(d Date) Month {
	t := d.Time()
	return Month(NewDate(t.Year(), t.Month(), 1))
}

// ParseMonth reads yyyy-mm, and refuses months that do not exist.
func ParseMonth(s string) (Month, error) {
	t, err := time.Parse("2006-01", s)
	if err != nil || t.Year() < 1 {
		return 0, fmt.Errorf("%q is not a month of the form yyyy-mm", s)
	}
	return Month(DateOf(t)), nil
}

// First returns the first day of the month.
func (m Month) First() Date { return Date(m) }

// Last returns the last day of the month.
func (m Month) Last() Date { return m.Plus(1).First() - 1 }

// Plus returns the month that is n months later, or earlier where n is below zero.
func (m Month) Plus(n int) Month {
	t := Date(m).Time()
	return Month(NewDate(t.Year(), t.Month()+time.Month(n), 1))
}

// String returns yyyy-mm, and an empty text for the zero Month.
func (m Month) String() string {
	if m == 0 {
		return ""
	}
	return Date(m).Time().Format("2006-01")
}

// MarshalText writes the month as String does.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
