package dunning

import (
	"context"
	"slices"

	"purr/law"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// Course is what automatic dunning does to one invoice from today on, if nothing more is paid and nobody acts. It is made
// on the same snapshot and by the same Decide as a plan: each step is the one that the plan of its day has (rule E6).
type Course struct {
	Today Step        // what today's run does, or why it leaves the invoice alone
	Until models.Date // the last day on which Today's reason holds; zero if the reason does not end by itself, or if a step is taken today
	Steps []Step      // the steps to come within PlanDays, today's among them, in order
	Then  Reason      // why no step follows the last of Steps, or why there is none

	// What was read for it, as it is today.
	Customer models.Customer
	Plan     store.Plan      // the payment plan that runs; without ID if none does
	Entries  []models.Entry  // of the invoice itself, oldest first
	Notices  []models.Notice // in force, oldest first
}

// ReadCourse returns the course of an invoice of the creditor, whose standing today was read in the view.
func ReadCourse(ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, standing store.Standing, today models.Date) (Course, error) {
	var queue unmatched.InQueue
	if standing.Queue && !standing.LikelyPayer && standing.Invoice.Claimed() > 0 {
		var err error
		if queue, err = unmatched.PaymentsPerhapsOf(ctx, v, c, standing.Customer.ID, 0); err != nil {
			return Course{}, err
		}
	}
	return ReadCourseBeside(ctx, v, rules, c, standing, queue, today)
}

// ReadCourseBeside returns what ReadCourse does, for a caller who has read what waits in the queue of the invoice's customer.
func ReadCourseBeside(
	ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, standing store.Standing, queue unmatched.InQueue, today models.Date,
) (Course, error) {
	news, err := bankNews(standing.BankNews, c)
	if err != nil {
		return Course{}, err
	}
	s := &Snapshot{rules: rules, creditor: c, missing: c.MissingToDun(), today: today, filesLate: news.Late(today)}
	s.likelyPayers = map[int64]bool{standing.Customer.ID: standing.LikelyPayer || queue.Points}
	if err := s.setRun(standing.Run); err != nil {
		return Course{}, err
	}
	return s.course(ctx, v, standing)
}

// course reads what belongs to the invoice, few statements for one, and simulates its days.
func (s *Snapshot) course(ctx context.Context, v store.View, standing store.Standing) (Course, error) {
	invoice, customer, c := standing.Invoice, standing.Customer, credit{free: standing.FreeCredit}
	if c.free > 0 && movesCredit(s.policyFor(customer)) {
		credits, err := s.movesOf(ctx, v, map[int64]models.Customer{customer.ID: customer}, map[int64]models.Amount{customer.ID: c.free})
		if err != nil {
			return Course{}, err
		}
		c = credits[customer.ID]
	}
	entries, err := v.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return Course{}, err
	}
	notices, err := v.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return Course{}, err
	}
	plans, err := v.PlansOf(ctx, s.creditor.ID, invoice)
	if err != nil {
		return Course{}, err
	}
	sim := s.simulate(invoice, customer, c)
	sim.plan = plans[invoice.ID]
	sim.entries, sim.notices, sim.unread.Ledger = slices.Clone(entries), slices.Clone(notices), false
	sim.warnedOn = warnedOn(notices)
	if owed := law.Allocate(entries); invoice.Notices > 0 {
		sim.charges = owed.Fees + owed.Interest
	}
	if sim.needsLetters(s.today) || sim.needsLetters(s.today+PlanDays) {
		if err := sim.readLetters(ctx, v); err != nil {
			return Course{}, err
		}
	}
	course := sim.course()
	course.Plan = plans[invoice.ID]
	course.Customer, course.Notices = customer, notices
	course.Entries = slices.DeleteFunc(entries, func(e models.Entry) bool { return e.CreditNoteID != 0 })
	return course, nil
}

// readLetters reads the invoice's letters. A notice that will be issued anew is mostly among those that were read.
func (s *simulation) readLetters(ctx context.Context, v store.View) error {
	sent, err := readPostOf(ctx, v, s.creditor, s.invoice, s.today)
	if err != nil {
		return err
	}
	s.setPost(sent)
	if n := slices.IndexFunc(s.notices, func(n models.Notice) bool { return n.ID == s.renewal() }); n >= 0 {
		s.renews = s.notices[n]
	} else if s.renewal() != 0 { // it was withdrawn
		s.renews, err = v.Notice(ctx, s.creditor.ID, s.renewal())
	}
	return err
}

// course simulates today and each of the PlanDays that follow. Other than runDays it skips no day, so that it sees when a
// reason ends.
func (s *simulation) course() (c Course) {
	if s.nextRun > s.today {
		c.Today = s.left(s.today)
	}
	for on := s.nextRun; on <= s.today+PlanDays; on++ {
		step := s.run(on)
		if on == s.today {
			c.Today = step
		}
		if c.Until == 0 && c.Today.Action == Nothing && step.Decision != c.Today.Decision {
			c.Until = on - 1
		}
		if step.Action != Nothing {
			c.Steps = append(c.Steps, step)
			continue
		}
		if c.Then = step.Reason; c.Then.lasting() {
			break
		}
	}
	return c
}
