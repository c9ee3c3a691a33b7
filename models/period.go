package models

import (
	"database/sql/driver"
	"slices"
)

// Period is some days in a row, the first and the last included.
type Period struct {
	From Date `json:"from"`
	To   Date `json:"to"`
}

// Periods are days in order of time. No two of them touch.
type Periods []Period

// Value gives the periods to a database: JSON, NULL if there are none.
func (ps Periods) Value() (driver.Value, error) { return jsonValue(ps, len(ps) == 0) }

// Scan takes the periods from a database.
func (ps *Periods) Scan(src any) error {
	*ps = nil
	return scanJSON(src, ps)
}

// Before returns the days before a day.
func (ps Periods) Before(day Date) (cut Periods) {
	for _, p := range ps {
		if p.To = min(p.To, day-1); p.From <= p.To {
			cut = append(cut, p)
		}
	}
	return cut
}

// With returns the days with those of one period more. A period without a day adds none.
func (ps Periods) With(more Period) (all Periods) {
	if more.From > more.To {
		return slices.Clone(ps)
	}
	for _, p := range ps {
		if p.To+1 < more.From || more.To+1 < p.From {
			all = append(all, p)
			continue
		}
		more = Period{min(p.From, more.From), max(p.To, more.To)}
	}
	all = append(all, more)
	slices.SortFunc(all, func(a, b Period) int { return int(a.From - b.From) })
	return all
}

// At returns the period that a day is in, or else the next one, and false if there is none.
func (ps Periods) At(day Date) (Period, bool) {
	for _, p := range ps {
		if day <= p.To {
			return p, true
		}
	}
	return Period{}, false
}

// Has reports whether a day is one of the days.
func (ps Periods) Has(day Date) bool {
	p, found := ps.At(day)
	return found && p.From <= day
}
