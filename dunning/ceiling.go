package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// If the creditor has set no ceiling, the ceiling is five times the steps of the largest of the last ten runs that
// took any, and at least a hundred. So a wrong clock does not write to every customer.
const (
	ceilingFactor = 5
	ceilingRuns   = 10
	ceilingLeast  = 100
)

// leastCeiling returns what a creditor's ceiling is at least.
func leastCeiling(c models.Creditor) int {
	if c.DunningCeiling != nil {
		return *c.DunningCeiling
	}
	return ceilingLeast
}

// Ceiling returns the most steps that a day's run takes without a person's approval. Notices and hand-overs count
// together.
func Ceiling(ctx context.Context, db *store.DB, c models.Creditor, date models.Date) (int, error) {
	if c.DunningCeiling != nil {
		return *c.DunningCeiling, nil
	}
	steps, err := db.LastSteps(ctx, c.ID, date, ceilingRuns)
	if err != nil {
		return 0, err
	}
	return max(ceilingLeast, ceilingFactor*slices.Max(append(steps, 0))), nil // steps may be empty
}

// CountSteps returns how many steps today's run would take now, without their amounts. It reads what the run
// reads, but is many times faster.
func (s *Snapshot) CountSteps(ctx context.Context) (n Totals, err error) {
	if due, err := s.windows(ctx, s.db, s.dueUnder); err != nil || len(due) == 0 {
		return Totals{}, err
	}
	err = s.db.View(ctx, func(v store.View) error {
		n, err = s.countSteps(ctx, v)
		return err
	})
	return n, err
}

func (s *Snapshot) countSteps(ctx context.Context, v store.View) (n Totals, err error) {
	todays := *s
	todays.nextRun = s.today // though it was made before
	err = s.eachDue(ctx, v, func(page []models.Invoice) error {
		page = slices.DeleteFunc(page, func(i models.Invoice) bool { return s.decideUnread(i).Action == Nothing })
		sims, err := simulations(ctx, v, page, s.today, &todays)
		if err != nil {
			return err
		}
		for _, sim := range sims {
			if step := sim.run(s.today); step.Action != Close { // no step, and most are in other windows
				n.Add(Step{Decision: step.Decision})
			}
		}
		return nil
	})
	return n, err
}

// AboveCeiling is a run that would take more steps than its ceiling.
type AboveCeiling struct {
	Totals  Totals // of the steps that the run would take now, without their amounts
	Ceiling int
}

// String says what the run would do, as the end of a sentence that begins with "the run".
func (a AboveCeiling) String() string {
	return fmt.Sprintf("would send %d notices and hand over %d invoices, more than the ceiling of %d", a.Totals.Notices(), a.Totals.HandOvers, a.Ceiling)
}

// CheckCeiling returns nil if today's run may go on. Otherwise the run must wait for a person: it would take more
// steps than its ceiling and was not approved (rule E6f). A run that has begun counts only its remaining steps.
func (s *Snapshot) CheckCeiling(ctx context.Context) (*AboveCeiling, error) {
	if s.approved {
		return nil, nil
	}
	totals, err := s.CountSteps(ctx)
	if err != nil || totals.Steps() <= leastCeiling(s.creditor) {
		return nil, err
	}
	ceiling, err := Ceiling(ctx, s.db, s.creditor, s.today)
	if err != nil || totals.Steps() <= ceiling {
		return nil, err
	}
	return &AboveCeiling{totals, ceiling}, nil
}

// AwaitApproval makes a begun run wait for a person's approval, and logs the wait.
func AwaitApproval(ctx context.Context, tx *store.Tx, runID int64, a AboveCeiling) error {
	run, err := tx.LockRun(ctx, runID)
	if err != nil || run.ApprovedAt != nil || run.State == models.RunWaiting {
		return err
	}
	run.State, run.Ceiling = models.RunWaiting, a.Ceiling
	if err := tx.UpdateRun(ctx, run); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: run.CreditorID, Type: models.EventRunWaiting, SubjectID: run.ID,
		Text: fmt.Sprintf("The dunning run of %s waits to be approved: it would send %d notices and hand over %d invoices, together more than %d",
			run.BusinessDate, a.Totals.Notices(), a.Totals.HandOvers, a.Ceiling),
		Facts: models.Facts{"date": run.BusinessDate, "notices": a.Totals.Notices(), "hand_overs": a.Totals.HandOvers, "ceiling": a.Ceiling},
	})
}

// Approval is a person's approval of a run that waits.
type Approval struct {
	RunID int64
	Steps *int // how many steps the person has seen that the run would take; nil for however many they are
	Actor string
}

// ApproveRun approves a run that waits; the sweep then makes it. It fails with the conflict run_not_waiting if the
// run does not wait or its day is over. The next day's run counts its own steps. It fails with the conflict plan_changed,
// which says the number of now, if the run would no longer take as many steps as the person has seen.
func ApproveRun(ctx context.Context, tx *store.Tx, rules *law.Rules, c models.Creditor, a Approval) (models.Run, error) {
	if _, err := tx.Run(ctx, c.ID, a.RunID); err != nil {
		return models.Run{}, err
	}
	run, err := tx.LockRun(ctx, a.RunID)
	if err != nil {
		return models.Run{}, err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Run{}, err
	}
	switch {
	case run.Kind != models.RunDunning:
		return models.Run{}, models.NotFound("dunning run")
	case run.State != models.RunWaiting:
		return models.Run{}, errNotWaiting(run)
	case run.BusinessDate != today:
		return models.Run{}, models.Conflict("run_not_waiting", "the day of the dunning run of %s is over: the next one counts anew", run.BusinessDate)
	}
	if err := a.check(ctx, tx, rules, c, today); err != nil {
		return models.Run{}, err
	}
	run.State, run.ApprovedBy, run.ApprovedAt = models.RunStarted, a.Actor, &tx.Now
	if err := tx.UpdateRun(ctx, run); err != nil {
		return models.Run{}, err
	}
	return run, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventRunApproved, Actor: a.Actor, SubjectID: run.ID,
		Text:  fmt.Sprintf("The dunning run of %s approved by %s, above %d steps", run.BusinessDate, a.Actor, run.Ceiling),
		Facts: models.Facts{"date": run.BusinessDate, "ceiling": run.Ceiling},
	})
}

// errNotWaiting is the conflict of a run that does not wait. It says who has approved the run (rule D115).
func errNotWaiting(run models.Run) error {
	said := fmt.Sprintf("the dunning run of %s does not wait: it is %s", run.BusinessDate, run.State)
	var change *models.Change
	if run.ApprovedAt != nil {
		change = &models.Change{Event: models.EventRunApproved, Actor: run.ApprovedBy, At: *run.ApprovedAt}
	}
	return &models.Error{Kind: models.KindConflict, Code: "run_not_waiting", Msg: said, Change: change}
}

// check fails if today's run would not take the steps that the person has seen.
func (a Approval) check(ctx context.Context, tx *store.Tx, rules *law.Rules, c models.Creditor, today models.Date) error {
	if a.Steps == nil {
		return nil
	}
	rules, err := RulesFor(ctx, rules, tx, c.ID)
	if err != nil {
		return err
	}
	snapshot, err := fullSnapshot(ctx, tx.View(), rules, c, today)
	if err != nil {
		return err
	}
	now, err := snapshot.countSteps(ctx, tx.View())
	if err != nil || now.Steps() == *a.Steps {
		return err
	}
	return models.Conflict("plan_changed", "the run would now take %d steps, not %d: look at its plan again", now.Steps(), *a.Steps)
}
