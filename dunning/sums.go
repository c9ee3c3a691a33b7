package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// Sums are the sums of a day's plan: of its steps, and of the overdue invoices that its run leaves alone.
type Sums struct {
	Totals
	Invoices map[Reason][]int64 // the IDs of the invoices by reason; under the empty reason those with a notice or a hand-over
}

// LeftAlone returns how many overdue invoices the run leaves alone, whatever the reason.
func (s Sums) LeftAlone() (n int) {
	for reason, ids := range s.Invoices {
		if reason != "" {
			n += len(ids)
		}
	}
	return n
}

// Sums returns the sums of the plan of a day, today or later. It reads every overdue invoice. Within a reason the invoices
// are in the order of EachStep.
func (s *Snapshot) Sums(ctx context.Context, on models.Date) (Sums, error) {
	sums := Sums{Invoices: map[Reason][]int64{}} //nolint:exhaustive // it is filled as invoices are counted
	err := s.EachStep(ctx, on, func(step Step) error {
		sums.Add(step)
		sums.Invoices[step.Reason] = append(sums.Invoices[step.Reason], step.Invoice.ID)
		return nil
	})
	return sums, err
}

// StepsOf returns what the run of a day, today or later, does to each of some invoices, in their order. It leaves out those
// that the day's plan no longer lists.
func (s *Snapshot) StepsOf(ctx context.Context, on models.Date, ids []int64) (steps []Step, err error) {
	err = s.db.View(ctx, func(v store.View) error {
		invoices, err := v.InvoicesByID(ctx, s.creditor.ID, ids)
		if err != nil {
			return err
		}
		steps, err = s.steps(ctx, v, invoices, s.nextRun, on)
		return err
	})
	slices.SortFunc(steps, func(a, b Step) int { return slices.Index(ids, a.Invoice.ID) - slices.Index(ids, b.Invoice.ID) })
	return steps, err
}

// Age is a span of days after the due date, both ends inclusive.
type Age struct{ From, To int }

// Ages are the spans by which overdue invoices are told apart. The last one has no end but the largest number.
var Ages = []Age{{1, 14}, {15, 30}, {31, 60}, {61, 90}, {91, 365}, {366, 1 << 30}}

// Backlog is what dunning would do to the overdue invoices of one age once it is switched on.
type Backlog struct {
	Age
	Overdue int           // how many invoices are overdue today
	Written int           // how many of them would get a letter, or be handed over
	Owed    models.Amount // what is owed on these, in øre
}

// SwitchingOn returns, for each of Ages, how many of the invoices that are overdue today would get a letter within some days
// if the creditor had the policy p, switched on. Customers who have a policy of their own keep it.
func (s *Snapshot) SwitchingOn(ctx context.Context, p models.Policy, days int) ([]Backlog, error) {
	other := *s
	other.creditor.Policy = p
	other.creditor.Policy.Enabled = true
	backlog := make([]Backlog, len(Ages))
	for i, age := range Ages {
		backlog[i].Age = age
	}
	last := other.nextRun + models.Date(days) - 1
	err := s.db.View(ctx, func(v store.View) error {
		return s.eachOverdue(ctx, v, s.today, func(page []models.Invoice) error {
			sims, _, err := other.simulations(ctx, v, page, func(sim *simulation) { sim.runDays(other.nextRun, last, func(Step) {}) })
			if err != nil {
				return err
			}
			for i, sim := range sims {
				written := false
				sim.runDays(other.nextRun, last, func(step Step) { written = written || step.Action != Waive })
				late := int(s.today - page[i].DueDate)
				of := slices.IndexFunc(Ages, func(a Age) bool { return a.From <= late && late <= a.To })
				backlog[max(of, 0)].add(page[i], written)
			}
			return nil
		})
	})
	return backlog, err
}

func (b *Backlog) add(invoice models.Invoice, written bool) {
	b.Overdue++
	if written {
		b.Written++
		b.Owed += invoice.Balance
	}
}
