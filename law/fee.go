package law

import (
	"fmt"

	"purr/models"
	"purr/models/calendar"
)

// Charge is what a notice charges besides interest, and where it comes from (rule E6c): a fee, or standard compensation.
// Amounts are in øre.
type Charge struct {
	Amount       models.Amount `json:"amount"`
	Maximum      models.Amount `json:"maximum"`                // what the law allows for this very notice
	Rule         string        `json:"rule"`                   // the provision behind the maximum
	Compensation bool          `json:"compensation,omitempty"` // it is standard compensation instead of a fee (forsinkelsesrenteloven § 3a)
	Outdated     bool          `json:"outdated,omitempty"`     // no figure is known for the day, so the last one is used (rule E6h)
}

// Fee returns the fee of a notice issued on a day, on an invoice with the given due date as printed. It is the
// policy's amount, at most the legal maximum (rule D29). The fee is zero until 14 days after lastDue, the due date
// of the last document (condition 2 of rule D27, inkassoforskriften § 1-2). Automatic dunning gives lastDue moved
// off weekends and holidays; a request through the API gives it as printed (rule E6d).
func (r *Rules) Fee(p models.Policy, due, lastDue, issued models.Date) Charge {
	if !Chargeable(lastDue, issued) {
		return Charge{Rule: noFeeBefore(lastDue)}
	}
	maximum, rule, known := r.MaxFee(issued, due)
	amount := maximum
	if p.Fee != nil {
		amount = min(*p.Fee, maximum)
	}
	return Charge{Amount: amount, Maximum: maximum, Rule: rule, Outdated: !known}
}

// noFeeBefore is the rule of a notice that has no fee because the last document was due too short a time before.
func noFeeBefore(lastDue models.Date) string {
	return fmt.Sprintf("inkassoforskriften § 1-2: no fee before %s", lastDue+models.ChargeableDays)
}

// Chargeable reports whether a document with the due date is overdue long enough for a fee on a day.
func Chargeable(due, on models.Date) bool { return on-due >= models.ChargeableDays }

// Compensation returns the standard compensation of a notice to a business, on an invoice with the given due date,
// moved by as many days as the invoice left late (forsinkelsesrenteloven § 3a). The claim to it arises with the late-payment interest, and a letter
// makes the claim. The law does not settle which of the two days counts, so the lower figure is used. The earlier
// fees are deducted from it (inkassoforskriften § 1-5). If no figure is known, the charge is zero and is not
// marked as compensation.
func (r *Rules) Compensation(due, issued models.Date, feesBefore models.Amount) Charge {
	arisen, ok := r.compensation.at(calendar.NextWeekday(due) + 1)
	claimed, _ := r.compensation.at(issued)
	if !ok {
		return Charge{Rule: "no standard compensation is known for the day", Outdated: true}
	}
	if claimed.value < arisen.value {
		arisen = claimed
	}
	c := Charge{
		Amount: arisen.value, Rule: fmt.Sprintf("forsinkelsesrenteloven § 3a: standard compensation %s of %s", arisen.value, arisen.from),
		Compensation: arisen.value > 0, Outdated: issued >= nextHalfYear(r.compensation.lastFrom()),
	}
	if feesBefore > 0 {
		c.Amount = max(c.Amount-feesBefore, 0)
		c.Rule += fmt.Sprintf(", less fees of %s charged before (inkassoforskriften § 1-5)", feesBefore)
	}
	c.Maximum = c.Amount
	return c
}
