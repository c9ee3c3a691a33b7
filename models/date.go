package models

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Date is a calendar day, without a time or a zone. The zero Date is no date at all. Dates compare
// with < and ==, and a day is added with +1.
type Date int32

// epoch is the number of days from 1 January of year 1, which is Date 1, to 1 January 1970.
const epoch = 719162

// NewDate returns the day of the given year, month and day of the month, normalised as time.Date does.
func NewDate(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()/86400 + epoch + 1)
}

// DateOf returns the day on which the moment falls in its own location.
func DateOf(t time.Time) Date { return NewDate(t.Year(), t.Month(), t.Day()) }

// ParseDate reads yyyy-mm-dd, and refuses days that do not exist.
func ParseDate(s string) (Date, error) {
	if len(s) == len(time.DateOnly) && s[4] == '-' && s[7] == '-' {
		year, month, day := wholeOf(s[:4]), wholeOf(s[5:7]), wholeOf(s[8:])
		if year >= 1 && month >= 1 && month <= 12 && day >= 1 {
			d := NewDate(year, time.Month(month), day)
			if day <= 28 || d.Time().Day() == day {
				return d, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is not a date of the form yyyy-mm-dd", s)
}

// wholeOf returns the number that a short text of digits writes, below zero if it has anything else.
func wholeOf(s string) (n int) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// Time returns midnight UTC of the day.
func (d Date) Time() time.Time { return time.Unix((int64(d)-epoch-1)*86400, 0).UTC() }

// String returns yyyy-mm-dd, and an empty text for the zero Date.
func (d Date) String() string {
	if d == 0 {
		return ""
	}
	return d.Time().Format(time.DateOnly)
}

// Year returns the calendar year.
func (d Date) Year() int { return d.Time().Year() }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time().Weekday() }

// DaysInYear returns 366 for a day of a leap year, otherwise 365.
func (d Date) DaysInYear() int {
	y := d.Year()
	return int(NewDate(y+1, time.January, 1) - NewDate(y, time.January, 1))
}

// MarshalText writes the day as String does.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads yyyy-mm-dd. It reads an empty text as the zero Date.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	v, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = v
	return nil
}

// Value gives the day to a database: yyyy-mm-dd, NULL for the zero Date.
func (d Date) Value() (driver.Value, error) {
	if d == 0 {
		return nil, nil //nolint:nilnil // NULL is what driver.Valuer returns for it.
	}
	return d.String(), nil
}

// Scan takes the day from a database: a time, a text that begins with yyyy-mm-dd, or NULL.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = 0
		return nil
	case time.Time:
		*d = DateOf(v)
		return nil
	case []byte:
		return d.Scan(string(v))
	case string:
		if len(v) == 0 {
			*d = 0
			return nil
		}
		day, err := ParseDate(v[:min(len(v), len(time.DateOnly))])
		if err == nil {
			*d = day
		}
		return err
	}
	return fmt.Errorf("a %T is not a date", src)
}
