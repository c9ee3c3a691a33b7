package calendar

import (
	"time"

	"purr/models"
)

// IsWeekday reports whether the day is neither a Saturday, a Sunday nor a public holiday. Due dates are moved to
// weekdays, and letters are sent on weekdays only (rules D29, E6a).
func IsWeekday(d models.Date) bool {
	w := d.Weekday()
	return w != time.Saturday && w != time.Sunday && !IsHoliday(d)
}

// NextWeekday returns the day itself if it is a weekday, otherwise the first weekday after it. A due date counts
// as that day (rule D29, gjeldsbrevloven § 5).
func NextWeekday(d models.Date) models.Date {
	for !IsWeekday(d) {
		d++
	}
	return d
}

// IsBankDay reports whether Norwegian banks settle on the day. They settle on every weekday except 24 December
// (Norges Bank's settlement days).
func IsBankDay(d models.Date) bool {
	_, month, day := d.Time().Date()
	return IsWeekday(d) && (month != time.December || day != 24)
}

// LastBankDayBefore returns the latest bank day that is earlier than the day (rule E6b).
func LastBankDayBefore(d models.Date) models.Date {
	d--
	for !IsBankDay(d) {
		d--
	}
	return d
}

// NextBankDay returns the day itself if it is a bank day, otherwise the first bank day after it.
func NextBankDay(d models.Date) models.Date {
	for !IsBankDay(d) {
		d++
	}
	return d
}
