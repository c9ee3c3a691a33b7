package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// What a run may take unasked where the creditor has set no ceiling: five times the largest of the last ten runs
// that took any step, and a hundred whatever those were. A wrong clock must not write to everyone.
const (
	ceilingFactor = 5
	ceilingRuns   = 10
	ceilingLeast  = 100
)

// Ceiling returns the most steps, notices and hand-overs together, that the run of a day takes without a person's
// approval.
func Ceiling(ctx context.Context, db *store.DB, c models.Creditor, date models.Date) (int, error) {
	if c.DunningCeiling != nil {
		return *c.DunningCeiling, nil
	}
	steps, err := db.LastSteps(ctx, c.ID, date, ceilingRuns)
	if err != nil || len(steps) == 0 {
		return ceilingLeast, err
	}
	return max(ceilingLeast, ceilingFactor*slices.Max(steps)), nil
}

// Asked is a run that is larger than it may be unasked.
type Asked struct {
	Due     Due // what it would do now
	Ceiling int
}

// String says what the run would do, after "the run".
func (a Asked) String() string {
	return fmt.Sprintf("would send %d notices and hand over %d invoices, more than the ceiling of %d", a.Due.Notices, a.Due.HandOvers, a.Ceiling)
}

// Ask returns nil where the run of today may go on, and otherwise what a person is to be asked: it would take more
// steps than the ceiling, and was not approved (rule E6f). A run that has begun counts what is left.
func Ask(ctx context.Context, db *store.DB, rules *Rules, c models.Creditor, date models.Date) (*Asked, error) {
	run, _, err := db.RunOf(ctx, c.ID, models.RunDunning, date)
	if err != nil || run.ApprovedAt != nil {
		return nil, err
	}
	ceiling, err := Ceiling(ctx, db, c, date)
	if err != nil {
		return nil, err
	}
	outlook, err := Look(ctx, db, rules, c, date)
	if err != nil {
		return nil, err
	}
	due, err := outlook.Due(ctx)
	if err != nil || due.Steps() <= ceiling {
		return nil, err
	}
	return &Asked{due, ceiling}, nil
}

// HoldRun has a run that was begun wait until a person approves it, and logs that it does.
func HoldRun(ctx context.Context, tx *store.Tx, runID int64, a Asked) error {
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
			run.BusinessDate, a.Due.Notices, a.Due.HandOvers, a.Ceiling),
	})
}

// ApproveRun lets a run that waits go on, which the sweep then sees to. It fails with the conflict run_not_waiting
// where it does not wait, or its day is over: the next day's run counts anew.
func ApproveRun(ctx context.Context, tx *store.Tx, c models.Creditor, runID int64, actor string) (models.Run, error) {
	if _, err := tx.Run(ctx, c.ID, runID); err != nil {
		return models.Run{}, err
	}
	run, err := tx.LockRun(ctx, runID)
	if err != nil {
		return run, err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return run, err
	}
	switch {
	case run.Kind != models.RunDunning:
		return run, models.NotFound("dunning run")
	case run.State != models.RunWaiting:
		return run, models.Conflict("run_not_waiting", "the dunning run of %s does not wait: it is %s", run.BusinessDate, run.State)
	case run.BusinessDate != today:
		return run, models.Conflict("run_not_waiting", "the day of the dunning run of %s is over: the next one counts anew", run.BusinessDate)
	}
	run.State, run.ApprovedBy, run.ApprovedAt = models.RunStarted, actor, &tx.Now
	if err := tx.UpdateRun(ctx, run); err != nil {
		return run, err
	}
	return run, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventRunApproved, Actor: actor, SubjectID: run.ID,
		Text: fmt.Sprintf("The dunning run of %s approved by %s, above %d steps", run.BusinessDate, actor, run.Ceiling),
	})
}
