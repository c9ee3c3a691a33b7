package dunning

import (
	"fmt"
	"slices"

	"purr/models"
)

// chargeOf returns what a notice that is ordered charges besides interest: its fee or, of a business whose policy
// says so, the standard compensation in its place, from the first notice on and without the 14 days that a fee
// waits for (forsinkelsesrenteloven § 3a). It is charged once for an invoice. It and the fees are set off against
// each other (inkassoforskriften § 1-5), and it is the larger: fees that were charged before it are deducted, and
// after it there are none. A notice that is asked for still keeps to condition 2 of rule D27.
func chargeOf(r *Rules, a account, o order) Charge {
	switch {
	case o.free:
		return Charge{}
	case a.compensated():
		return Charge{Rule: "inkassoforskriften § 1-5: fees are set off against the standard compensation that was charged before"}
	case !o.policy.Compensation || o.customer.OrganisationNumber == "":
		return o.fee
	}
	amount, rule, known := r.Compensation(o.today, a.invoice.DueDate)
	if amount == 0 {
		return o.fee
	}
	if before := feesIn(a.entries); before > 0 {
		amount = max(amount-before, 0)
		rule += fmt.Sprintf(", less fees of %s charged before (inkassoforskriften § 1-5)", before)
	}
	return Charge{Amount: amount, Maximum: amount, Rule: rule, Compensation: true, Outdated: !known}
}

// feesIn returns what was charged in fees and not reversed.
func feesIn(entries []models.Entry) (sum models.Amount) {
	for _, e := range entries {
		if e.Type == models.EntryOverdueCharge {
			sum += e.Amount
		}
	}
	return sum
}

// isCompensation reports whether a fee is compensation, or the reversal of it, given the notices that have charged
// some, by ID. 0 is the notice whose entries are not posted yet; a reversal by hand is of what was posted.
func isCompensation(e models.Entry, compensations []int64) bool {
	if e.NoticeID == 0 && e.Amount < 0 {
		return slices.ContainsFunc(compensations, func(id int64) bool { return id != 0 })
	}
	return slices.Contains(compensations, e.NoticeID)
}
