package dunning

import (
	"purr/calendar"
	"purr/models"
)

// Claim is what late interest runs on.
type Claim struct {
	DueDate   models.Date     // the invoice's, as printed
	ChargedTo models.Date     // the last day that interest was charged for, zero where none was; a reversal does not move it
	Entries   []models.Entry  // the invoice's, in any order
	OwnRate   *models.Percent // per year, of the creditor's policy; nil is the legal rate
	Business  bool            // the customer has an organisation number (rule E6a)
}

// Interest is the late interest on a claim, in øre: the sum of its segments (rule E6c).
type Interest struct {
	Amount   models.Amount `json:"amount"`
	Segments []Segment     `json:"segments,omitempty"`
}

// Segment is a span of days with one principal and one rate, within one half-year.
type Segment struct {
	From      models.Date    `json:"from"` // inclusive
	To        models.Date    `json:"to"`   // inclusive
	Days      int            `json:"days"`
	YearDays  int            `json:"year_days"` // 365, or 366 in a leap year
	Principal models.Amount  `json:"principal"`
	Rate      models.Percent `json:"rate"` // per year
	Amount    models.Amount  `json:"amount"`
	Outdated  bool           `json:"outdated,omitempty"` // no rate is known for the half-year: the last one goes on (rule E6h)
}

// interest returns principal × rate × days ÷ days of the year, rounded half away from zero to øre.
func (s Segment) interest() models.Amount {
	return models.MulDiv(s.Principal, int64(s.Rate)*int64(s.Days), 100*100*int64(s.YearDays))
}

// Interest returns the simple interest on the claim's unpaid principal, from the day after the due date
// moved off weekends and holidays, or after the day charged to when that is later, through the given day
// (rule D29, forsinkelsesrenteloven §§ 2 and 3, gjeldsbrevloven § 5).
func (r *Rules) Interest(c Claim, through models.Date) Interest {
	principal := principalHistory(c.Entries)
	var sum Interest
	for from := max(calendar.NextWeekday(c.DueDate), c.ChargedTo) + 1; from <= through; {
		to := min(through, r.segmentEnd(principal, from))
		if unpaid, _ := principal.at(from); unpaid.value > 0 {
			rate, known := r.rateOf(c, from)
			s := Segment{
				From: from, To: to, Days: int(to - from + 1), YearDays: from.DaysInYear(),
				Principal: unpaid.value, Rate: rate, Outdated: !known,
			}
			s.Amount = s.interest()
			sum.Amount += s.Amount
			sum.Segments = append(sum.Segments, s)
		}
		from = to + 1
	}
	return sum
}

// segmentEnd returns the last day of the segment that begins on a day: before 1 January, 1 July, a new rate
// and a new principal.
func (r *Rules) segmentEnd(principal timeline[models.Amount], from models.Date) models.Date {
	end := nextHalfYear(from)
	if day, ok := r.interest.next(from); ok {
		end = min(end, day)
	}
	if day, ok := principal.next(from); ok {
		end = min(end, day)
	}
	return end - 1
}

// rateOf returns the claim's rate on a day: the creditor's own, which may be above the legal one only
// towards a business (rule E6a, forsinkelsesrenteloven § 4).
func (r *Rules) rateOf(c Claim, on models.Date) (rate models.Percent, known bool) {
	legal, known := r.InterestRate(on)
	switch {
	case c.OwnRate == nil:
		return legal, known
	case c.Business:
		return *c.OwnRate, true
	}
	return min(*c.OwnRate, legal), known
}
