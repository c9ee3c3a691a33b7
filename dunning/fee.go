package dunning

import (
	"fmt"

	"purr/models"
)

// Charge is the fee of a notice and where it comes from (rule E6c). Amounts are in øre.
type Charge struct {
	Amount       models.Amount `json:"amount"`
	Maximum      models.Amount `json:"maximum"`                // what the law allows for this very notice
	Rule         string        `json:"rule"`                   // the provision behind the maximum
	Compensation bool          `json:"compensation,omitempty"` // it is standard compensation in the place of a fee (forsinkelsesrenteloven § 3a)
	Outdated     bool          `json:"outdated,omitempty"`     // no maximum is known for the year: the last one goes on (rule E6h)
}

// Fee returns the fee of a notice issued on a day: the policy's amount, at most the legal maximum (rule
// D29). There is none until 14 days after the due date of the last document (condition 2 of rule D27,
// inkassoforskriften § 1-2), given as lastDue: automatic dunning gives the one moved off weekends, a request
// through the API the plain one (rule E6d). A notice that is to have no fee has the zero Charge.
func Fee(p models.Policy, r *Rules, invoice models.Invoice, lastDue, issued models.Date) Charge {
	if !chargeable(lastDue, issued) {
		rule := fmt.Sprintf("inkassoforskriften § 1-2: no fee before %s", lastDue+models.ChargeableDays)
		return Charge{Rule: rule}
	}
	maximum, rule, known := r.MaxFee(issued, invoice.DueDate)
	amount := maximum
	if p.Fee != nil {
		amount = min(*p.Fee, maximum)
	}
	return Charge{Amount: amount, Maximum: maximum, Rule: rule, Outdated: !known}
}

// chargeable reports whether a document with the due date has been overdue long enough for a fee.
func chargeable(due, on models.Date) bool { return on-due >= models.ChargeableDays }
