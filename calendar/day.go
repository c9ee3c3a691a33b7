package calendar

import (
	"time"

	"purr/models"
)

// IsWeekday reports whether the day is neither a Saturday, a Sunday nor a public holiday: a day on which a
// due date may stand and letters are sent (rules D29, E6a).
func IsWeekday(d models.Date) bool {
	w := d.Weekday()
	return w != time.Saturday && w != time.Sunday && !IsHoliday(d)
}

// NextWeekday returns the day itself when it is a weekday, otherwise the first weekday after it: what a due
// date counts as (rule D29, gjeldsbrevloven § 5).
func NextWeekday(d models.Date) models.Date {
	for !IsWeekday(d) {
		d++
	}
	return d
}

// IsBankDay reports whether Norwegian banks settle on the day: on every weekday but 24 December (Norges
// Bank's settlement days).
func IsBankDay(d models.Date) bool {
	_, month, day := d.Time().Date()
	return IsWeekday(d) && (month != time.December || day != 24)
}

// LastBankDayBefore returns the latest bank day before the day, which itself does not count (rule E6b).
func LastBankDayBefore(d models.Date) models.Date {
	d--
	for !IsBankDay(d) {
		d--
	}
	return d
}

// NextBankDay returns the day itself when it is a bank day, otherwise the first bank day after it.
func NextBankDay(d models.Date) models.Date {
	for !IsBankDay(d) {
		d++
	}
	return d
}
