package avtalegiro

import (
	"time"

	"purr/models"
	"purr/models/calendar"
)

// LastDay returns the last bank day on which a claim that is due on a day may leave. It leaves the payer lead_days calendar days. With the
// bank's notice it leaves on the last bank day of a month at the latest, for what is due from the 15th of the next month until the 14th of
// the one after (domain: AvtaleGiro's handbook 3.1).
func LastDay(due models.Date, a models.AvtaleGiro) models.Date {
	last := bankDayUntil(due - models.Date(a.LeadDays))
	if a.Notice != models.BankNotice {
		return last
	}
	year, month, day := due.Time().Date()
	if day < 15 {
		month--
	}
	return min(last, calendar.LastBankDayBefore(models.NewDate(year, month, 1)))
}

// CancelBy returns the last bank day on which a cancellation of a claim that is due on a day may leave: the day before, or the bank day
// before that.
func CancelBy(due models.Date) models.Date { return bankDayUntil(due - 1) }

// DrawnUntil returns the last day on which no step of dunning is taken with an invoice that is drawn: two bank days after the due date, which
// is moved to a bank day.
func DrawnUntil(due models.Date) models.Date {
	day := calendar.NextBankDay(due)
	for range 2 {
		day = calendar.NextBankDay(day + 1)
	}
	return day
}

func bankDayUntil(day models.Date) models.Date {
	if calendar.IsBankDay(day) {
		return day
	}
	return calendar.LastBankDayBefore(day)
}

// FileDay returns the bank day whose file takes a claim that is owed at a moment: today's until it is made, at 13:00 in Oslo, or else that of
// the next bank day. looked is the day for which the creditor's claims were last looked at; a clock that was ahead may have made it a later one.
func FileDay(now time.Time, looked models.Date) (models.Date, error) {
	zone, err := models.Creditor{TimeZone: models.BankZone}.Location()
	if err != nil {
		return 0, err
	}
	today := models.DateOf(now.In(zone))
	if calendar.IsBankDay(today) && today != looked && now.Before(at(today, models.ClaimCut, zone)) {
		return today, nil
	}
	return calendar.NextBankDay(today + 1), nil
}

// Due returns the bank day for which a creditor's claims are to be looked at at a moment, and false if they are not: between 13:00 and
// 14:00 in Oslo, once each bank day.
func Due(now time.Time, looked models.Date) (day models.Date, is bool, err error) {
	day, err = FileDay(now, looked)
	if err != nil {
		return 0, false, err
	}
	from, err := Moment(day, models.ClaimHour)
	return day, err == nil && !now.Before(from), err
}

// Moment returns an hour of a day in Oslo.
func Moment(day models.Date, hour int) (time.Time, error) {
	zone, err := models.Creditor{TimeZone: models.BankZone}.Location()
	if err != nil {
		return time.Time{}, err
	}
	return at(day, hour, zone), nil
}

func at(day models.Date, hour int, zone *time.Location) time.Time {
	year, month, date := day.Time().Date()
	return time.Date(year, month, date, hour, 0, 0, 0, zone)
}

// MayDeliver reports whether a file that is to be delivered by a day may leave at a moment: on a bank day, before 14:00. Otherwise it
// returns from when on it may, and in over whether that is too late.
func MayDeliver(now time.Time, by models.Date) (may bool, next time.Time, over bool, err error) {
	zone, err := models.Creditor{TimeZone: models.BankZone}.Location()
	if err != nil {
		return false, time.Time{}, false, err
	}
	day := models.DateOf(now.In(zone))
	if calendar.IsBankDay(day) && now.Before(at(day, models.ClaimCut, zone)) {
		return day <= by, time.Time{}, day > by, nil
	}
	day = calendar.NextBankDay(day + 1)
	return false, at(day, firstHour, zone), day > by, nil
}

// firstHour is the hour of a bank day from which a file that waits is brought.
const firstHour = 6
