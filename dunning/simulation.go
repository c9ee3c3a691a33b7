package dunning

import (
	"context"
	"slices"

	"purr/calendar"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Step is what the run of a day does to an invoice, or why it does nothing.
type Step struct {
	Decision
	On      models.Date
	Invoice models.Invoice // before the run
	Notice  models.Notice  // the reminder or warning, without its lines; it is not written
	Sheet   law.Sheet      // behind the notice's amounts
}

// simulation takes an invoice through the runs of some days. Without entries and notices it takes the same steps.
// Then it lacks interest, compensation and the amounts that depend on them.
type simulation struct {
	*Snapshot
	basis
	customer models.Customer
	warnedOn models.Date // when the debt-collection warning was issued, or zero
}

// simulations returns the simulation of each of the invoices from today on, without entries and notices.
func (s *Snapshot) simulations(ctx context.Context, v store.View, invoices []models.Invoice) ([]simulation, error) {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.CustomerID
	}
	slices.Sort(ids)
	customers, err := v.CustomersByID(ctx, s.creditor.ID, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	warned, err := warnings(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	sims := make([]simulation, len(invoices))
	for i, invoice := range invoices {
		sims[i] = simulation{
			Snapshot: s, basis: basis{invoice: invoice}, customer: customers[invoice.CustomerID], warnedOn: warned[invoice.ID],
		}
	}
	return sims, nil
}

// warnings returns when the debt-collection warning of each of the invoices was issued that has one.
func warnings(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Date, error) {
	var ids []int64
	for _, invoice := range invoices {
		if invoice.Warned {
			ids = append(ids, invoice.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	if err != nil {
		return nil, err
	}
	issued := make(map[int64]models.Date, len(ids))
	for id, all := range notices {
		for _, n := range all {
			if n.Warning {
				issued[id] = n.IssueDate
			}
		}
	}
	return issued, nil
}

// exactSimulations returns the simulations of the invoices, with entries and notices for those that get a notice.
// A dry run finds these invoices first. So nothing is read for the others, which are the majority.
func (s *Snapshot) exactSimulations(ctx context.Context, v store.View, invoices []models.Invoice, dryRun func(*simulation)) ([]simulation, error) {
	sims, err := s.simulations(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, sim := range sims { // a copy of each
		if dryRun(&sim); len(sim.notices) > 0 {
			ids = append(ids, sim.invoice.ID)
		}
	}
	if len(ids) == 0 {
		return sims, nil
	}
	entries, err := v.EntriesOfInvoices(ctx, ids)
	if err != nil {
		return nil, err
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range sims {
		id := sims[i].invoice.ID
		sims[i].entries, sims[i].notices = entries[id], notices[id]
	}
	return sims, nil
}

// decide decides on the invoice on a day.
func (s *simulation) decide(on models.Date) Decision {
	return s.Snapshot.decide(s.invoice, s.customer.Hold, s.policyFor(s.customer), s.warnedOn, on)
}

// draft returns the draft of the notice that d decides on.
func (s *simulation) draft(d Decision, on models.Date) draft {
	return draft{
		basis: s.basis, customer: s.customer, policy: s.policyFor(s.customer),
		warning: d.Action == Warn, fee: d.Fee, addInterest: d.AddInterest, today: on,
	}
}

// run simulates the run of a day, and changes the invoice as the run does.
func (s *simulation) run(on models.Date) Step {
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	switch step.Action {
	case Remind, Warn:
		n, sheet := s.draft(step.Decision, on).notice(s.rules)
		n.Gross = s.invoice.Balance + n.Fee + n.Interest
		step.Notice, step.Sheet = n, sheet
		s.entries, s.notices = append(s.entries, chargesOf(n)...), append(s.notices, n)
		if n.Warning {
			s.warnedOn = on
		}
		s.invoice.Notices, s.invoice.Warned, s.invoice.Deadline, s.invoice.Balance = n.Sequence, n.Warning, n.DueDate, n.Gross
	case HandOver:
		s.invoice.HandedOver = on
	case Nothing:
	}
	return step
}

// left returns why the invoice is left alone on a day whose run is made. A step that has fallen due since is the next
// run's: for this one it is too early (rule L12).
func (s *simulation) left(on models.Date) Step {
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	if step.Action != Nothing {
		step.Decision = Decision{Action: Nothing, Reason: TooEarly}
	}
	return step
}

// runDays simulates the runs of the days from first to last, both inclusive. It calls do with each step except
// Nothing.
func (s *simulation) runDays(first, last models.Date, do func(Step)) {
	for on := first; on <= last; on++ {
		step := s.run(on)
		switch {
		case step.Action != Nothing:
			do(step)
		case step.Reason.lasting():
			return
		case step.Reason.waiting():
			on = s.nextStepDue() - 1 // on the days between, the reason is the same
		}
	}
}

// nextStepDue returns the first day on which the invoice's next step may be taken.
func (s *simulation) nextStepDue() models.Date {
	_, days := nextStep(s.invoice, s.policyFor(s.customer))
	return calendar.NextWeekday(s.invoice.Deadline) + models.Date(days)
}
