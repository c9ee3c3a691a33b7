package dunning

import (
	"purr/calendar"
	"purr/models"
)

// Further is the interest that a claim goes on to bear.
type Further struct {
	From models.Date    // the first day that no notice has charged interest for
	Rate models.Percent // per year, on the day that was asked for
}

// Further returns what interest an invoice's claim goes on to bear, given its notices in order and the policy for
// its customer (rule D29).
func (r *Rules) Further(invoice models.Invoice, notices []models.Notice, customer models.Customer, p models.Policy, on models.Date) Further {
	charged := newAccount(invoice, nil, notices).chargedTo
	rate, _ := r.rateOf(Claim{OwnRate: p.InterestRate, Business: customer.OrganisationNumber != ""}, on)
	return Further{From: max(calendar.NextWeekday(invoice.DueDate), charged) + 1, Rate: rate}
}
