package dunning

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// policies are the dunning policies that a creditor's customers have.
type policies struct {
	creditors models.Policy
	own       map[int64]models.Policy // as applied, by customer; of the few that have one of their own (rule E6e)
}

// readPolicies reads the policies of a creditor's customers.
func readPolicies(ctx context.Context, db *store.DB, c models.Creditor) (policies, error) {
	customers, err := db.CustomersWithPolicy(ctx, c.ID)
	p := policies{creditors: c.Policy, own: make(map[int64]models.Policy, len(customers))}
	for _, customer := range customers {
		p.own[customer.ID] = customer.Policy.Apply(c.Policy)
	}
	return p, err
}

// of returns a customer's policy.
func (p policies) of(customerID int64) models.Policy {
	if own, has := p.own[customerID]; has {
		return own
	}
	return p.creditors
}

// windows returns where to look for invoices, given where under a policy: under the creditor's among all invoices,
// and under each other policy among the invoices of the customer who has it, so that one customer's early reminders
// make nobody else's invoices be read.
func (p policies) windows(under func(models.Policy) []models.Window) []models.Window {
	all := under(p.creditors)
	for _, customerID := range slices.Sorted(maps.Keys(p.own)) {
		for _, w := range under(p.own[customerID]) {
			w.CustomerID = customerID
			all = append(all, w)
		}
	}
	return all
}

// foundElsewhere reports whether an invoice in one of the windows is to be left to another: what a customer
// with a policy of its own owes is found by that.
func (p policies) foundElsewhere(w models.Window, invoice models.Invoice) bool {
	_, own := p.own[invoice.CustomerID]
	return own && w.CustomerID == 0
}
