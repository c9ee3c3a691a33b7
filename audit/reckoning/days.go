package reckoning

import (
	"time"

	"purr/models"
	"purr/models/calendar"
)

// LeastDays is how many days a letter gives at least, from the day on which it really left: a debt-collection warning by inkassoloven § 9, and a
// reminder so that a second fee may follow (inkassoforskriften § 1-3). purr gives them in every notice (rule D28).
const LeastDays = 14

// FeeDays is how many days after the due date a letter with a fee may leave (inkassoforskriften § 1-2).
const FeeDays = 14

// WarningMonths is after how many months another letter may bear a fee, although two did (inkassoforskriften § 1-3).
const WarningMonths = 6

// LimitationYears is after how many years a claim lapses (foreldelsesloven § 2).
const LimitationYears = 3

// Shift returns the day as which a due date counts: itself, or where it is a Saturday, a Sunday, a public holiday, 1 May or
// 17 May, the next day that is none (gjeldsbrevloven § 5, rule D29).
func Shift(day models.Date) models.Date {
	for !SendingDay(day) {
		day++
	}
	return day
}

// SendingDay reports whether letters leave on a day: it is neither a Saturday, a Sunday nor a public holiday (rule E6a).
func SendingDay(day models.Date) bool {
	weekday := day.Weekday()
	return weekday != time.Saturday && weekday != time.Sunday && !calendar.IsHoliday(day)
}

// LastBankDay returns the last bank day before a day: banks neither book on days on which no letters leave nor on 24 December (rule E6b).
func LastBankDay(before models.Date) models.Date {
	for day := before - 1; ; day-- {
		at := day.Time()
		if eve := at.Month() == time.December && at.Day() == 24; SendingDay(day) && !eve {
			return day
		}
	}
}

// DaysToPay returns how many days a letter gives, from the day on which it really left to its printed last day. The last day is the same weekday as
// the day of leaving after 14 days, and is not moved from a holiday (inkassoloven § 9). It is negative where the letter left after its last day.
func DaysToPay(left, deadline models.Date) int { return int(deadline - left) }

// Deadline returns the last day to pay that a letter of a day prints by a policy: the days to pay, and those that the post and the
// printer need (rules D28, L2, D94).
func Deadline(issued models.Date, daysToPay, postalDays, printDays int) models.Date {
	return issued + models.Date(daysToPay) + models.Date(postalDays) + models.Date(printDays)
}

// RunsUntil returns the last day on which a letter's deadline still runs: the printed one, moved by as many days as the letter left late (rule
// D94).
func RunsUntil(issued, left, deadline models.Date) models.Date { return deadline + max(0, left-issued) }

// FirstFeeDay returns the first day on which a letter on a claim may bear a fee: 14 days after its due date (inkassoforskriften § 1-2). Automatic dunning
// asks with the shifted due date (rule E6d); what is meant by the law where a due date is no weekday is not settled.
func FirstFeeDay(due models.Date) models.Date { return due + FeeDays }

// Lapses returns the day on which a claim lapses (foreldelsesloven §§ 2, 3): three years after its due date, or after the last day on
// which it was acknowledged (§ 14) or taken to court (§ 15); acknowledged is zero where it never was. From 29 February it is 28 February (rule L26).
func Lapses(due, acknowledged models.Date) models.Date {
	year, month, day := max(due, acknowledged).Time().Date()
	if month == time.February && day == 29 {
		day = 28 // three years after a leap year is none
	}
	return min(models.NewDate(year+LimitationYears, month, day), models.NewDate(9999, time.December, 31))
}

// monthsAfter returns the day so many months later, or the last day of that month where it is shorter.
func monthsAfter(day models.Date, months int) models.Date {
	year, month, date := day.Time().Date()
	last := models.NewDate(year, month+time.Month(months)+1, 1) - 1
	return min(last, models.NewDate(year, month+time.Month(months), 1)+models.Date(date-1))
}
