package reckoning

import "purr/models"

// Simple returns the simple interest on a principal for the days from one to another, both counted, at a rate per year: principal × rate
// × days ÷ days of the first day's year, rounded to øre, half up (rule D29).
func Simple(principal models.Amount, rate models.Percent, from, to models.Date) models.Amount {
	s := Segment{From: from, To: to, Days: int64(to-from) + 1, Principal: principal, Rate: rate}
	s.reckon()
	return s.Amount
}
