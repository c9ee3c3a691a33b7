package dunning

import (
	"context"
	"maps"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// sharer tells which of the notices of a plan or a forecast share letters, as they come (rule L23). The first of those that are alike counts for
// the letter, and the first with a fee bears it: they come with the longest due first.
type sharer map[alike]*sharedLetter

// sharedLetter is the letter that the next notice of a group shares.
type sharedLetter struct {
	notices int // of the whole group
	first   int64
	charged bool
}

// take tells of one step. A notice that rides in a letter which bears its fee already gets none.
func (s sharer) take(step *Step) {
	if step.draft == nil || !step.draft.joins() {
		return
	}
	key := step.draft.alike()
	g := s[key]
	if g == nil {
		g = &sharedLetter{}
		s[key] = g
	}
	if g.notices%models.MostJoint == 0 {
		g.first, g.charged = step.Invoice.Number, false
	} else {
		step.Rides, step.Letter = true, g.first
	}
	g.notices++
	if step.Notice.Fee == 0 {
		return
	}
	if g.charged {
		step.Notice.Gross -= step.Notice.Fee
		step.Notice.Fee, step.Notice.Compensation, step.Sheet.OverdueCharge = 0, false, law.Charge{}
	}
	g.charged = true
}

// joinPlanned lets the notices of a page of a plan share letters, with each other and with those of the same customers on other pages.
func (s *Snapshot) joinPlanned(ctx context.Context, v store.View, steps []Step, on models.Date) error {
	customers, there := map[int64]bool{}, map[int64]bool{}
	for _, step := range steps {
		if there[step.Invoice.ID] = true; step.draft != nil && step.draft.joins() {
			customers[step.Invoice.CustomerID] = true
		}
	}
	if len(customers) == 0 {
		return nil
	}
	mates, err := s.matesOf(ctx, v, slices.Sorted(maps.Keys(customers)), there, on)
	if err != nil {
		return err
	}
	var drafts []draft
	for _, step := range slices.Concat(steps, mates) {
		if step.draft != nil {
			drafts = append(drafts, *step.draft)
		}
	}
	joined := map[int64]draft{}
	first := map[*joint]int64{}
	for _, d := range join(drafts) {
		if joined[d.invoice.ID] = d; d.joint != nil && first[d.joint] == 0 {
			first[d.joint] = d.invoice.Number
		}
	}
	for i, step := range steps {
		if d, is := joined[step.Invoice.ID]; is && d.joint != nil {
			steps[i].Notice, steps[i].Sheet, steps[i].Letter = d.notice, d.sheet, first[d.joint]
			steps[i].Rides = step.Invoice.Number != first[d.joint]
		}
	}
	return nil
}

// matesOf returns the steps of a day on further open invoices of some customers.
func (s *Snapshot) matesOf(ctx context.Context, v store.View, customers []int64, without map[int64]bool, on models.Date) ([]Step, error) {
	open, err := v.OpenInvoicesOf(ctx, s.creditor.ID, customers, mostOfCustomer)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, of := range open {
		for _, i := range of {
			if !without[i.ID] && i.DueDate < on {
				ids = append(ids, i.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	invoices, err := v.InvoicesByID(ctx, s.creditor.ID, ids)
	if err != nil {
		return nil, err
	}
	return s.steps(ctx, v, invoices, on)
}
