package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// Sums are a day's plan in short: the sums of its steps, and a line for each invoice that it lists.
type Sums struct {
	Totals
	Lines map[Reason][]Line // by reason, in the order of EachStep; under the empty reason those with a notice, a hand-over or a closing
}

// Line says what a day's run does to an invoice, or why it does nothing.
type Line struct {
	Number   int64  // the invoice's
	Name     string // the recipient's
	Deadline models.Date
	Action   Action
	Reason   Reason
	Method   models.ShipmentMethod // of a notice; empty where the policy has reminders go on paper (rule L22)
	Rides    bool                  // it shares the letter of a line before it (rule L23)
	Fee      models.Amount         // the notice's, as the interest is, in øre
	Interest models.Amount
	Owed     models.Amount // on the invoice after the step; of one that is closed for a small remainder, that
}

func (s Step) line() Line {
	l := Line{
		Number: s.Invoice.Number, Name: s.Invoice.Recipient.Name1, Deadline: s.Invoice.Deadline, Action: s.Action, Reason: s.Reason, Method: s.Method, Rides: s.Rides,
		Fee: s.Notice.Fee, Interest: s.Notice.Interest, Owed: s.Invoice.Claimed(),
	}
	switch s.Action {
	case Remind, Warn:
		l.Owed = s.Notice.Gross
	case Close:
		l.Owed = s.Left
	case HandOver, Befriend, Waive, Nothing:
	}
	return l
}

// LeftAlone returns how many overdue invoices the run leaves alone, whatever the reason.
func (s Sums) LeftAlone() (n int) {
	for reason, lines := range s.Lines {
		if reason != "" {
			n += len(lines)
		}
	}
	return n
}

// Sums returns the plan of a day, today or later, in short. It reads every overdue invoice: some ten statements, and as many
// again for each further page of them.
func (s *Snapshot) Sums(ctx context.Context, on models.Date) (Sums, error) {
	sums := Sums{Lines: map[Reason][]Line{}} //nolint:exhaustive // it is filled as invoices are counted
	err := s.EachStep(ctx, on, func(step Step) error {
		sums.Add(step)
		sums.Lines[step.Reason] = append(sums.Lines[step.Reason], step.line())
		return nil
	})
	return sums, err
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
			sims, err := simulations(ctx, v, page, last, &other)
			if err != nil {
				return err
			}
			for i, sim := range sims {
				written := false
				sim.runDays(last, func(step Step) {
					written = written || step.Action != Waive && step.Action != Close && step.Action != Befriend
				})
				late := int(s.today - page[i].DueDate)
				age := slices.IndexFunc(Ages, func(a Age) bool { return a.From <= late && late <= a.To })
				backlog[max(age, 0)].add(page[i], written)
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
		b.Owed += invoice.Claimed()
	}
}
