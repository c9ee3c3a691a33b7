package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// PlanDays is the greatest number of days ahead for which a plan can be made (rule E6).
const PlanDays = 366

// CanPlan returns nil if a plan of the day can be made today. Otherwise it returns the fault date_in_past or
// out_of_range (rule E6).
func CanPlan(on, today models.Date) error {
	switch {
	case on < today:
		return models.Invalid("date_in_past", "date", "must not be before today, %s", today)
	case on > today+PlanDays:
		return models.Invalid("out_of_range", "date", "must be at most %d days ahead, %s", PlanDays, today+PlanDays)
	}
	return nil
}

// Plan returns a page of the plan of a day, today or later, and the number of all steps in the plan (rule E6). For
// every overdue invoice, in order of ID, the plan says what the day's run does to it, or why the run does nothing.
// The plan of a later day assumes that every run before it is made on its day, and that nothing is paid. Once today's
// run is made, the plan for today has no steps: what has fallen due since is too early for it (rule L12).
func (s *Snapshot) Plan(ctx context.Context, on models.Date, p store.Page) (steps []Step, total int64, err error) {
	err = s.db.View(ctx, func(v store.View) error {
		var page []models.Invoice
		if page, total, err = s.planned(ctx, v, on, p); err != nil {
			return err
		}
		if steps, err = s.steps(ctx, v, page, on); err != nil {
			return err
		}
		return s.joinPlanned(ctx, v, steps, on)
	})
	return steps, total, err
}

// EachStep calls do with every step of a day's plan: by today's stage of the invoice, and within a stage the
// longest due first. Friendly reminders of what is not overdue come before them.
func (s *Snapshot) EachStep(ctx context.Context, on models.Date, do func(Step) error) error {
	return s.db.View(ctx, func(v store.View) error {
		if err := s.befriended(ctx, v, on, do); err != nil {
			return err
		}
		shares := sharer{}
		return s.eachOverdue(ctx, v, on, func(page []models.Invoice) error {
			steps, err := s.steps(ctx, v, page, on)
			if err != nil {
				return err
			}
			for _, step := range steps {
				shares.take(&step)
				if err := do(step); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// planned returns the invoices of a page of the plan of a day, and the number of all invoices in the plan.
func (s *Snapshot) planned(ctx context.Context, v store.View, on models.Date, p store.Page) ([]models.Invoice, int64, error) {
	gone, err := s.gone(ctx, v, on-1)
	if err != nil {
		return nil, 0, err
	}
	var kind []int64 // of which a friendly reminder leaves before they are overdue
	err = s.befriended(ctx, v, on, func(step Step) error {
		kind = append(kind, step.Invoice.ID)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	ids, total, err := s.listed(ctx, v, gone, kind, on, p)
	if err != nil {
		return nil, 0, err
	}
	invoices, err := v.InvoicesByID(ctx, s.creditor.ID, ids)
	return invoices, total, err
}

// listed returns the IDs of a page of the invoices that are overdue on a day, without the IDs in gone and with those in more, and the
// number of all of them. If both are empty, the database makes the page.
func (s *Snapshot) listed(ctx context.Context, v store.View, gone, more []int64, on models.Date, p store.Page) (ids []int64, total int64, err error) {
	if len(gone)+len(more) > 0 {
		if ids, err = v.InvoiceIDs(ctx, s.creditor.ID, overdueStatuses, on); err != nil {
			return nil, 0, err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			_, found := slices.BinarySearch(gone, id)
			return found
		})
		ids = append(ids, more...)
		slices.Sort(ids)
		return store.OnPage(p, ids), int64(len(ids)), nil
	}
	page, total, err := v.Invoices(ctx, s.creditor.ID, store.InvoiceFilter{Statuses: overdueStatuses, Today: on}, p)
	if err != nil {
		return nil, 0, err
	}
	for _, i := range page {
		ids = append(ids, i.ID)
	}
	return ids, total, nil
}

// gone returns the IDs, in order, of the invoices that the plan of the day after last does not list although they are
// overdue: the runs until that day hand them over, close them for a small remainder or waive what is left, or the next run
// pays them with the customer's credit.
func (s *Snapshot) gone(ctx context.Context, v store.View, last models.Date) ([]int64, error) {
	gone, partly, err := s.paidByCredit(ctx, v)
	if err != nil {
		return nil, err
	}
	simulate := func(page []models.Invoice) error {
		sims, err := simulations(ctx, v, page, last, s)
		if err != nil {
			return err
		}
		for _, sim := range sims {
			if sim.runDays(last, func(Step) {}); sim.invoice.HandedOver != 0 || sim.invoice.Closed != models.NotClosed || sim.invoice.Claimed() == 0 {
				gone = append(gone, sim.invoice.ID)
			}
		}
		return nil
	}
	if s.nextRun <= last {
		under := func(p models.Policy) []models.Window { return handOverWindows(last, p) }
		if err := s.eachIn(ctx, v, v.InvoicesInWindow, under, simulate); err != nil {
			return nil, err
		}
		if err := s.eachIn(ctx, v, v.InvoicesOwingOnlyCharges, waiverWindows, simulate); err != nil {
			return nil, err
		}
		if err := s.eachClosing(ctx, v, partly, last, simulate); err != nil {
			return nil, err
		}
	}
	slices.Sort(gone)
	return slices.Compact(gone), nil
}

// eachClosing calls do with the invoices that the runs until a day may close for a small remainder (rule L25), a page at a time: also with
// those of which the next run pays a part with the customer's credit.
func (s *Snapshot) eachClosing(ctx context.Context, v store.View, partly []int64, last models.Date, do func(page []models.Invoice) error) error {
	if !s.policies.closesSome() {
		return nil
	}
	under := func(p models.Policy) []models.Window { return closingWindows(last, p) }
	if err := s.eachIn(ctx, v, v.InvoicesInWindow, under, do); err != nil {
		return err
	}
	for some := range slices.Chunk(partly, pageSize) {
		invoices, err := v.InvoicesByID(ctx, s.creditor.ID, some)
		if err != nil {
			return err
		}
		if err := do(invoices); err != nil {
			return err
		}
	}
	return nil
}

// overdueStatuses are the statuses of the invoices that the plan lists: overdue, or with a notice whose deadline
// has not passed.
var overdueStatuses = []models.Status{
	models.InvoiceOverdueChargeable, models.InvoiceOverdue, models.OverdueNoticeOverdue, models.OverdueNoticeSent,
	models.DebtCollectionNoticeOverdue, models.DebtCollectionNoticeSent,
}

// overdueWindows are the windows of overdueStatuses on a day: one for each stage.
func overdueWindows(on models.Date) []models.Window {
	return []models.Window{{Stage: models.StageOpen, To: on - 1}, {Stage: models.StageReminded}, {Stage: models.StageWarned}}
}

// eachOverdue calls do with the invoices that will be overdue on a day if nothing is paid, a page at a time: by stage, and
// within a stage the longest due first. Every page but the last is full, so that few statements read what belongs to them.
func (s *Snapshot) eachOverdue(ctx context.Context, v store.View, on models.Date, do func(page []models.Invoice) error) error {
	var rest []models.Invoice
	for _, w := range overdueWindows(on) {
		err := eachPage(ctx, v.InvoicesInWindow, s.creditor.ID, w, func(page []models.Invoice) error {
			rest = append(rest, page...)
			if len(rest) < pageSize {
				return nil
			}
			page, rest = rest[:pageSize], slices.Clone(rest[pageSize:])
			return do(page)
		})
		if err != nil {
			return err
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return do(rest)
}

// steps returns what the run of a day does to each of the invoices, or why it does nothing. It leaves out the
// invoices that the plan does not list.
func (s *Snapshot) steps(ctx context.Context, v store.View, invoices []models.Invoice, on models.Date) ([]Step, error) {
	sims, err := simulations(ctx, v, invoices, on, s)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(sims))
	if err := inFull(ctx, v, sims, func(i int) { steps[i] = sims[i].stepOn(on) }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(steps, func(step Step) bool { return step.Action == Nothing && !step.Reason.Listed() }), nil
}
