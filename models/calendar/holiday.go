// Package calendar knows the Norwegian days off: public holidays, days that due dates are moved to, and days on which
// banks settle. It knows nothing of invoices and policies.
package calendar

import (
	"slices"
	"sync"
	"time"

	"github.com/rickar/cal/v2/aa"
	"github.com/rickar/cal/v2/no"

	"purr/models"
)

// publicHolidays are the Norwegian public holidays (lov 24. februar 1995 nr. 12 om helligdager, lov 26. april 1947
// nr. 1 om 1. og 17. mai). The library's list lacks the two that are always Sundays.
var publicHolidays = append(slices.Clip(no.Holidays), aa.Easter, aa.Pentecost)

// known holds the holidays of every year asked for so far.
var known = struct {
	sync.RWMutex
	byYear map[int][]models.Date
}{byYear: make(map[int][]models.Date)}

// IsHoliday reports whether the day is a Norwegian public holiday. An ordinary Sunday is none.
func IsHoliday(d models.Date) bool { return slices.Contains(holidays(d.Year()), d) }

func holidays(year int) []models.Date {
	known.RLock()
	days, ok := known.byYear[year]
	known.RUnlock()
	if ok {
		return days
	}
	for _, h := range publicHolidays {
		midnight, _ := h.Calc(year)
		// The library counts in the machine's time zone, where a day may not begin at midnight.
		days = append(days, models.DateOf(midnight.Add(12*time.Hour)))
	}
	known.Lock()
	known.byYear[year] = days
	known.Unlock()
	return days
}
