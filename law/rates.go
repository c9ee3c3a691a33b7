package law

import (
	"fmt"
	"time"

	"purr/models"
)

// Act names a statute on debt collection by its year. Its rules hold from the day on which it is in force.
type Act string

// The statutes. Under the one of 2026 only licensed agencies send debt-collection warnings, and a creditor
// takes no fee before a rate is set.
const (
	Act1988 Act = "1988" // LOV-1988-05-13-26
	Act2026 Act = "2026" // LOV-2026-05-22-19

	// ActUnknown stands from the first day of which nobody can say yet which statute is in force (rule L11). The one
	// before goes on, with a warning (rule E6h).
	ActUnknown Act = "unknown"
)

// Rules are the rates and maxima of the law, each from a date on (rules D29, E6h). They never change once
// loaded.
type Rules struct {
	figures      figures                  // what the rest was read from
	interest     timeline[models.Percent] // per year
	inkassosats  timeline[models.Amount]  // by the day the letter is sent
	feeFraction  timeline[int64]          // by the invoice's due date; the fee is the inkassosats divided by it
	feeRounding  timeline[models.Amount]  // by the day the letter is sent; the fee is a multiple of it
	fee2026      timeline[models.Amount]  // by the day the letter is sent
	compensation timeline[models.Amount]
	acts         timeline[Act]
}

// InterestRate returns the legal rate of late-payment interest per year on a day (forsinkelsesrenteloven § 3). After
// the last half-year with a rate it returns the last one, and known is false (rule E6h). Before the first rate it
// returns zero, and known is false.
func (r *Rules) InterestRate(on models.Date) (rate models.Percent, known bool) {
	p, ok := r.interest.at(on)
	return p.value, ok && on < nextHalfYear(r.interest.lastFrom())
}

// MaxFee returns the legal maximum in øre of the fee for a notice of a day, on an invoice with the given due date as
// printed, and the rule it comes from. After the last year with a figure it returns the last one, and known is false
// (rule E6h).
func (r *Rules) MaxFee(issued, due models.Date) (maximum models.Amount, rule string, known bool) {
	if r.actOn(issued) == Act2026 {
		return r.maxFee2026(issued)
	}
	return r.maxFee1988(issued, due)
}

// maxFee1988 is a fraction of the inkassosats (inkassoforskriften § 1-2). The day on which the letter is sent
// decides the inkassosats; the invoice's due date decides the fraction.
func (r *Rules) maxFee1988(issued, due models.Date) (maximum models.Amount, rule string, known bool) {
	sats, hasSats := r.inkassosats.at(issued)
	fraction, hasFraction := r.feeFraction.at(due)
	unit, hasUnit := r.feeRounding.at(issued)
	if !hasSats || !hasFraction || !hasUnit {
		return 0, "no inkassosats is known for the day", false
	}
	maximum = models.MulDiv(sats.value, 1, fraction.value*int64(unit.value)) * unit.value
	rule = fmt.Sprintf("inkassoforskriften § 1-2: 1/%d of the inkassosats %s of %s", fraction.value, sats.value, sats.from)
	return maximum, rule, issued < nextYear(r.inkassosats.lastFrom())
}

// maxFee2026 is the rate set under § 19 of the statute of 2026, or zero until a rate is set.
func (r *Rules) maxFee2026(issued models.Date) (maximum models.Amount, rule string, known bool) {
	fee, ok := r.fee2026.at(issued)
	if !ok {
		return 0, "LOV-2026-05-22-19 § 19: no fee before a rate is set", false
	}
	return fee.value, fmt.Sprintf("LOV-2026-05-22-19 § 19: the rate of %s", fee.from), issued < nextYear(r.fee2026.lastFrom())
}

// OwnWarning reports whether a creditor may itself send a debt-collection warning on the day.
func (r *Rules) OwnWarning(on models.Date) bool { return r.actOn(on) == Act1988 }

func (r *Rules) actOn(day models.Date) Act {
	p, _ := r.acts.at(day)
	return p.value
}

// halfYear returns the 1 January or 1 July on which the day's half-year begins.
func halfYear(d models.Date) models.Date {
	year, month, _ := d.Time().Date()
	return models.NewDate(year, (month-1)/6*6+1, 1)
}

// nextHalfYear returns the first 1 January or 1 July after the day.
func nextHalfYear(d models.Date) models.Date {
	year, month, _ := halfYear(d).Time().Date()
	return models.NewDate(year, month+6, 1)
}

// nextYear returns the first 1 January after the day.
func nextYear(d models.Date) models.Date { return models.NewDate(d.Year()+1, time.January, 1) }
