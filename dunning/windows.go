package dunning

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// Windows returns the windows of invoices for which a step may be due on a day under a policy. They contain every
// invoice that Decide takes a step with, and few others. The windows do not overlap.
func Windows(on models.Date, p models.Policy) []models.Window {
	if !p.Enabled {
		return nil
	}
	// The windows end at the latest possible deadline of each stage. Moving a due date off a weekend only makes a
	// step come later.
	windows := []models.Window{{Stage: models.StageOpen, From: firstDue(p), To: on - models.Date(p.FirstNoticeDays)}}
	if p.MaxNotices() > 1 {
		windows = append(windows, models.Window{Stage: models.StageReminded, To: on - models.Date(p.SecondNoticeDays)})
	}
	if p.HandOverDays != nil {
		windows = append(windows, models.Window{Stage: models.StageWarned, To: on - models.Date(*p.HandOverDays)})
	}
	return windows
}

// firstDue returns the first due date of the invoices that a policy follows, or zero. An invoice without a notice has its due
// date as its deadline.
func firstDue(p models.Policy) models.Date {
	if p.DueAfter == 0 {
		return 0
	}
	return p.DueAfter + 1
}

// waiverWindows returns the windows of the invoices with fees and interest that a run may waive, under a policy (rule L7).
func waiverWindows(p models.Policy) []models.Window {
	if !p.Enabled || p.Remainder != models.RemainderWaive {
		return nil
	}
	return []models.Window{{Stage: models.StageReminded}, {Stage: models.StageWarned}}
}

// handOverWindows returns the windows of the invoices that automatic dunning may hand over up to and including a
// day, under a policy. They contain every invoice that it hands over.
func handOverWindows(until models.Date, p models.Policy) []models.Window {
	if !p.Enabled || p.HandOverDays == nil {
		return nil
	}
	latest := until - models.Date(*p.HandOverDays) // the last deadline of a warning
	windows := []models.Window{{Stage: models.StageWarned, To: latest}}
	toPay := NoticeDueDate(p, 0)
	if p.WarningIs(2) {
		latest -= toPay + models.Date(p.SecondNoticeDays)
		windows = append(windows, models.Window{Stage: models.StageReminded, To: latest})
	}
	if p.DebtCollectionNotice != models.WarningNever {
		windows = append(windows, models.Window{Stage: models.StageOpen, From: firstDue(p), To: latest - toPay - models.Date(p.FirstNoticeDays)})
	}
	return windows
}

// policies are the dunning policies of a creditor and of its customers.
type policies struct {
	creditors models.Policy
	own       map[int64]models.Policy // by customer, as applied; only customers with a policy of their own (rule E6e)
}

// readPolicies reads the policies of a creditor's customers.
func readPolicies(ctx context.Context, v store.View, c models.Creditor) (policies, error) {
	customers, err := v.CustomersWithPolicy(ctx, c.ID)
	if err != nil {
		return policies{}, err
	}
	p := policies{creditors: c.Policy, own: make(map[int64]models.Policy, len(customers))}
	for _, customer := range customers {
		p.own[customer.ID] = customer.Policy.Apply(c.Policy)
	}
	return p, nil
}

// of returns a customer's policy.
func (p policies) of(customerID int64) models.Policy {
	if own, has := p.own[customerID]; has {
		return own
	}
	return p.creditors
}

// windows returns the windows of all policies: the creditor's for all invoices, and each customer's own policy for
// that customer's invoices. under gives the windows of one policy. So one customer's early reminders do not make a
// run read other customers' invoices.
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

// inAnother reports whether an invoice in one window is read in another one. The invoices of a customer with a
// policy of its own are read in that policy's windows.
func (p policies) inAnother(w models.Window, invoice models.Invoice) bool {
	_, own := p.own[invoice.CustomerID]
	return own && w.CustomerID == 0
}
