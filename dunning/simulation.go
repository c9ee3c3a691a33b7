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
	customer   models.Customer
	charges    models.Amount  // how much of the invoice's balance is fees and interest
	freeCredit models.Amount  // the customer's
	coming     []models.Entry // credit that the next run moves to the invoice if the policy says so; without date
	leaving    models.Amount  // how much of the free credit that run moves to this and other invoices
}

// simulations returns the simulation of each of the invoices from today on, without entries and notices.
func (s *Snapshot) simulations(ctx context.Context, v store.View, invoices []models.Invoice) ([]simulation, error) {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.CustomerID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	customers, err := v.CustomersByID(ctx, s.creditor.ID, ids)
	if err != nil {
		return nil, err
	}
	credits, err := s.readCredits(ctx, v, customers, ids)
	if err != nil {
		return nil, err
	}
	charges, err := readCharges(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	sims := make([]simulation, len(invoices))
	for i, invoice := range invoices {
		c := credits[invoice.CustomerID]
		sims[i] = simulation{
			Snapshot: s, basis: basis{invoice: invoice}, customer: customers[invoice.CustomerID],
			charges: charges[invoice.ID], freeCredit: c.free, coming: c.coming[invoice.ID], leaving: c.leaving,
		}
	}
	return sims, nil
}

// readCharges reads how much of each invoice's balance is fees and interest, by the invoice's ID. Without a notice there
// are none.
func readCharges(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Amount, error) {
	var noticed []int64
	for _, i := range invoices {
		if i.Notices > 0 {
			noticed = append(noticed, i.ID)
		}
	}
	if len(noticed) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	entries, err := v.EntriesOfInvoices(ctx, noticed)
	if err != nil {
		return nil, err
	}
	charges := make(map[int64]models.Amount, len(noticed))
	for _, id := range noticed {
		owed := law.Allocate(entries[id])
		charges[id] = owed.Fees + owed.Interest
	}
	return charges, nil
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
	return s.Snapshot.decide(State{
		Invoice: s.invoice, Charges: s.charges, CustomerHold: s.customer.Hold, FreeCredit: s.freeCredit,
		NoAddress: s.customer.Recipient.Address1 == "",
	}, s.policyFor(s.customer), on)
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
	s.moveCredit(on)
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	switch step.Action {
	case Remind, Warn:
		n, sheet := s.draft(step.Decision, on).notice(s.rules)
		n.Gross = s.invoice.Balance + n.Fee + n.Interest
		step.Notice, step.Sheet = n, sheet
		s.entries, s.notices = append(s.entries, chargesOf(n)...), append(s.notices, n)
		s.charges += n.Fee + n.Interest
		s.invoice.Notices, s.invoice.Warned, s.invoice.Deadline, s.invoice.Balance = n.Sequence, n.Warning, n.DueDate, n.Gross
	case HandOver:
		s.invoice.HandedOver = on
	case Waive:
		s.invoice.Balance = 0
	case Nothing:
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
