package law

import (
	"purr/models"
	"purr/models/calendar"
)

// Claim is the part of a claim that late-payment interest depends on.
type Claim struct {
	DueDate   models.Date     // the invoice's as printed, moved by as many days as the invoice left late (rule L1)
	ChargedTo models.Date     // the last day for which interest was charged, zero if none was; a reversal does not move it
	Entries   []models.Entry  // the invoice's, in any order
	OwnRate   *models.Percent // per year, of the policy for the customer; nil is the legal rate
	Business  bool            // the customer has an organisation number (rule E6a)
	Free      models.Periods  // days that bear no interest, because a person waived it (rule N11)
}

// NewClaim returns the claim on an invoice, given how many days after its issue date the invoice left, its entries, its
// notices in order, and the policy for its customer.
func NewClaim(invoice models.Invoice, late int, entries []models.Entry, notices []models.Notice, customer models.Customer, p models.Policy) Claim {
	c := Claim{DueDate: invoice.DueDate + models.Date(late), Entries: entries, OwnRate: p.InterestRate, Business: customer.Recipient.OrganisationNumber != "", Free: invoice.InterestFree}
	for _, n := range notices {
		if n.Interest > 0 {
			c.ChargedTo = n.IssueDate
		}
	}
	return c
}

// bearsFrom returns the first day for which interest must still be charged. It is the day after the due date moved
// off weekends and holidays, or the day after ChargedTo if that is later (gjeldsbrevloven § 5).
func (c Claim) bearsFrom() models.Date { return max(calendar.NextWeekday(c.DueDate), c.ChargedTo) + 1 }

// Interest is the late-payment interest on a claim, in øre: the sum of its segments (rule E6c).
type Interest struct {
	Amount   models.Amount `json:"amount"`
	Segments []Segment     `json:"segments,omitempty"`
}

// Segment is a period with one principal and one rate, within one half-year.
type Segment struct {
	From      models.Date    `json:"from"` // inclusive
	To        models.Date    `json:"to"`   // inclusive
	Days      int            `json:"days"`
	YearDays  int            `json:"year_days"` // 365, or 366 in a leap year
	Principal models.Amount  `json:"principal"`
	Rate      models.Percent `json:"rate"` // per year
	Amount    models.Amount  `json:"amount"`
	Outdated  bool           `json:"outdated,omitempty"` // no rate is known for the half-year, so the last one is used (rule E6h)
}

// Interest returns the simple interest on the claim's unpaid principal (rule D29, forsinkelsesrenteloven §§ 2 and
// 3). It runs from the first day not charged for yet through the given day, but not on days that are free of it. Each segment is principal × rate ×
// days ÷ days of the year, rounded half away from zero to øre.
func (r *Rules) Interest(c Claim, through models.Date) Interest {
	principal := principalHistory(c.Entries)
	var sum Interest
	for from := c.bearsFrom(); from <= through; {
		to := min(through, r.segmentEnd(principal, from))
		if free, ahead := c.Free.At(from); ahead && free.From <= from {
			from = free.To + 1
			continue
		} else if ahead {
			to = min(to, free.From-1)
		}
		if unpaid, _ := principal.at(from); unpaid.value > 0 {
			rate, known := r.rateOf(c, from)
			sum.add(Segment{From: from, To: to, Principal: unpaid.value, Rate: rate, Outdated: !known})
		}
		from = to + 1
	}
	return sum
}

// add adds a segment. It sets the segment's days and amount.
func (i *Interest) add(s Segment) {
	s.Days, s.YearDays = int(s.To-s.From+1), s.From.DaysInYear()
	s.Amount = models.MulDiv(s.Principal, int64(s.Rate)*int64(s.Days), 100*100*int64(s.YearDays))
	i.Amount += s.Amount
	i.Segments = append(i.Segments, s)
}

// segmentEnd returns the last day of the segment that begins on a day. A new segment begins on 1 January, on 1
// July, with a new rate and with a new principal.
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

// rateOf returns the claim's rate on a day. The creditor's own rate may be above the legal one only
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

// InterestAhead is the interest that a claim bears from now on (rule D29).
type InterestAhead struct {
	From models.Date    // the first day for which no notice has charged interest, and which is not free of it
	Free models.Periods // the days after From that bear none
	Rate models.Percent // per year, on the day given
}

// InterestAhead returns the interest that a claim bears from now on, at the rate of a day. It needs no entries.
func (r *Rules) InterestAhead(c Claim, on models.Date) InterestAhead {
	rate, _ := r.rateOf(c, on)
	from := c.bearsFrom()
	if c.Free.Has(from) {
		free, _ := c.Free.At(from)
		from = free.To + 1
	}
	ahead := InterestAhead{From: from, Rate: rate}
	for _, free := range c.Free {
		if free.From > from {
			ahead.Free = append(ahead.Free, free)
		}
	}
	return ahead
}
