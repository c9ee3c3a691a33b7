package dunning

import (
	"context"

	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Course is what automatic dunning does to one invoice from today on, if nothing more is paid and nobody acts. It is made
// on the same snapshot and by the same Decide as a plan: each step is the one that the plan of its day has (rule E6).
type Course struct {
	Today Step        // what today's run does, or why it leaves the invoice alone
	Until models.Date // the last day on which Today's reason holds; zero if the reason does not end by itself, or if a step is taken today
	Steps []Step      // the steps to come within PlanDays, today's among them, in order
	Then  Reason      // why no step follows the last of Steps, or why there is none
}

// ReadCourse returns the course of an invoice of the creditor, as it was read in the view. Every payment in the queue
// must have been searched for its likely payer, as before a run.
func ReadCourse(ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, invoice models.Invoice, today models.Date) (Course, error) {
	payer, err := v.IsLikelyPayer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return Course{}, err
	}
	s := &Snapshot{
		rules: rules, creditor: c, missing: c.MissingToDun(), today: today,
		likelyPayers: map[int64]bool{invoice.CustomerID: payer}, filesLate: true,
	}
	run, _, err := v.RunOf(ctx, c.ID, models.RunDunning, today)
	if err != nil {
		return Course{}, err
	}
	if err := s.setRun(run); err != nil {
		return Course{}, err
	}
	course, err := s.course(ctx, v, invoice)
	if err != nil || course.Today.Reason != PaymentFileLate && !run.HeldBack {
		return course, err
	}
	// Whether the bank's files are late takes several statements to find out. It matters now only.
	news, err := readBankNews(ctx, v, c)
	if err != nil {
		return Course{}, err
	}
	s.filesLate = news.Late(today)
	if err := s.setRun(run); err != nil {
		return Course{}, err
	}
	return s.course(ctx, v, invoice)
}

func (s *Snapshot) course(ctx context.Context, v store.View, invoice models.Invoice) (Course, error) {
	sims, err := s.exactSimulations(ctx, v, []models.Invoice{invoice}, func(sim *simulation) { sim.course() })
	if err != nil {
		return Course{}, err
	}
	return sims[0].course(), nil
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
