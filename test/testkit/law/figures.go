// Package law is the law of late payment, and what a creditor's policy adds to it, written a second time: slow, day by
// day, with figures typed anew from the published tables. Tests compare the program with it. It uses models, and nothing
// of dunning, law or calendar.
package law

import (
	"slices"
	"strings"
	"time"

	"purr/models"
)

// rates are the legal rates of late-payment interest by half-year (forsinkelsesrenteloven § 3).
const rates = `
1994-01-01 12.00
2004-01-01 9.25   2004-07-01 8.75   2005-01-01 8.75   2005-07-01 9.00   2006-01-01 9.25   2006-07-01 9.75
2007-01-01 10.50  2007-07-01 11.50  2008-01-01 12.25  2008-07-01 12.75  2009-01-01 10.00  2009-07-01 8.25
2010-01-01 8.75   2010-07-01 9.00   2011-01-01 9.00   2011-07-01 9.25   2012-01-01 8.75   2012-07-01 8.50
2013-01-01 8.50   2013-07-01 9.50   2014-01-01 9.50   2014-07-01 9.50   2015-01-01 9.25   2015-07-01 9.00
2016-01-01 8.75   2016-07-01 8.50   2017-01-01 8.50   2017-07-01 8.50   2018-01-01 8.50   2018-07-01 8.50
2019-01-01 8.75   2019-07-01 9.25   2020-01-01 9.50   2020-07-01 8.00   2021-01-01 8.00   2021-07-01 8.00
2022-01-01 8.50   2022-07-01 9.25   2023-01-01 10.75  2023-07-01 11.75  2024-01-01 12.50  2024-07-01 12.50
2025-01-01 12.50  2025-07-01 12.25  2026-01-01 12.00  2026-07-01 12.25`

// compensations are the standard compensations by half-year, in kroner (forsinkelsesrenteloven § 3a).
const compensations = `
2020-07-01 430 2021-01-01 420 2021-07-01 400 2022-01-01 390 2022-07-01 400 2023-01-01 410 2023-07-01 460
2024-01-01 470 2024-07-01 460 2025-01-01 470 2025-07-01 460 2026-01-01 460 2026-07-01 430`

// holidays are the Norwegian holidays from 2021 to 2027 that fall on Monday to Friday, typed from a calendar.
const holidays = `
2021-01-01 2021-04-01 2021-04-02 2021-04-05 2021-05-13 2021-05-17 2021-05-24
2022-04-14 2022-04-15 2022-04-18 2022-05-17 2022-05-26 2022-06-06 2022-12-26
2023-04-06 2023-04-07 2023-04-10 2023-05-01 2023-05-17 2023-05-18 2023-05-29 2023-12-25 2023-12-26
2024-01-01 2024-03-28 2024-03-29 2024-04-01 2024-05-01 2024-05-09 2024-05-17 2024-05-20 2024-12-25 2024-12-26
2025-01-01 2025-04-17 2025-04-18 2025-04-21 2025-05-01 2025-05-29 2025-06-09 2025-12-25 2025-12-26
2026-01-01 2026-04-02 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2026-05-25 2026-12-25
2027-01-01 2027-03-25 2027-03-26 2027-03-29 2027-05-06 2027-05-17`

// Rate returns the legal rate of late-payment interest on a day, from 1994 to 2026.
func Rate(on models.Date) (rate models.Percent) {
	for row := range slices.Chunk(strings.Fields(rates), 2) {
		from, err := models.ParseDate(row[0])
		if err == nil && from <= on {
			err = rate.UnmarshalText([]byte(row[1]))
		}
		if err != nil {
			panic(err)
		}
	}
	return rate
}

// MaximumFee returns the maximum of the fee on a day: a twentieth of the inkassosats of 700 kroner until 2025 and of 750 from 2026 on, in whole kroner
// (inkassoforskriften § 1-2). It holds from October 2020 to 2026.
func MaximumFee(on models.Date) models.Amount {
	if on.Year() < 2026 {
		return 35_00
	}
	return 38_00
}

// Compensation returns the standard compensation on a day, from July 2020 to 2026.
func Compensation(on models.Date) (amount models.Amount) {
	for row := range slices.Chunk(strings.Fields(compensations), 2) {
		from, err := models.ParseDate(row[0])
		if err == nil && from <= on {
			amount, err = models.ParseAmount(row[1] + ".00")
		}
		if err != nil {
			panic(err)
		}
	}
	return amount
}

// IsWeekday reports whether a day from 2021 to 2027 is neither on a weekend nor a holiday.
func IsWeekday(on models.Date) bool {
	return on.Weekday() != time.Saturday && on.Weekday() != time.Sunday && !strings.Contains(holidays, on.String())
}

// Moved returns the first weekday from a due date on: a customer who pays then has paid in time (domstolloven § 149).
func Moved(due models.Date) models.Date {
	for !IsWeekday(due) {
		due++
	}
	return due
}

// BankDayBefore returns the last day before a date on which banks settle: they rest on weekends, holidays and Christmas Eve.
func BankDayBefore(on models.Date) models.Date {
	on--
	for !IsWeekday(on) || on.Time().Format("01-02") == "12-24" {
		on--
	}
	return on
}
