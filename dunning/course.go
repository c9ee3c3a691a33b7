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
	Entries  []models.Entry  // of the invoice itself, oldest first
	Notices  []models.Notice // in force, oldest first
}

// ReadCourse returns the course of an invoice of the creditor, whose standing today was read in the view.
func ReadCourse(ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, standing store.Standing, today models.Date) (Course, error) {
	news, err := bankNews(standing.BankNews, c)
	if err != nil {
		return Course{}, err
	}
	s := &Snapshot{rules: rules, creditor: c, missing: c.MissingToDun(), today: today, filesLate: news.Late(today)}
	payer := standing.LikelyPayer
	if standing.Queue && !payer && standing.Invoice.Claimed() > 0 {
		if payer, err = unmatched.PointsAt(ctx, v, c, standing.Customer.ID); err != nil {
			return Course{}, err
		}
	}
	s.likelyPayers = map[int64]bool{standing.Customer.ID: payer}
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
	var err error
	sim := simulation{Snapshot: s, basis: basis{invoice: invoice}, customer: customer}
	if sim.entries, err = v.EntriesOfInvoice(ctx, invoice.ID); err != nil {
		return Course{}, err
	}
	if sim.notices, err = v.NoticesOf(ctx, invoice.ID); err != nil {
		return Course{}, err
	}
	entries, notices := slices.Clone(sim.entries), slices.Clone(sim.notices)
	sim.freeCredit, sim.coming, sim.leaving = c.free, c.coming[invoice.ID], c.leaving
	sim.warnedOn = warnedOn(sim.notices)
	if owed := law.Allocate(sim.entries); invoice.Notices > 0 {
		sim.charges = owed.Fees + owed.Interest
	}
	dry := sim
	if dry.course(); dry.asks {
		sent, err := readPostOf(ctx, v, s.creditor, invoice, s.today)
		if err != nil {
			return Course{}, err
		}
		sim.setPost(sent)
		if n := slices.IndexFunc(notices, func(n models.Notice) bool { return n.ID == sim.renewal() }); n >= 0 {
			sim.renews = notices[n]
		} else if sim.renewal() != 0 { // it was withdrawn
			if sim.renews, err = v.Notice(ctx, s.creditor.ID, sim.renewal()); err != nil {
				return Course{}, err
			}
		}
	}
	course := sim.course()
	course.Customer, course.Entries, course.Notices = customer, entries, notices
	return course, nil
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
