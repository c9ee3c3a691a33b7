package jobs

import (
	"context"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/jobs/tasks"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestO6ASchedulerThatGetsNothingDoneIsStalled: each piece of a sweep that succeeds shows that it works; one that fails does
// not. No piece may take for ever (rule O7).
func TestO6ASchedulerThatGetsNothingDoneIsStalled(t *testing.T) {
	o := openOffice(t, testkit.SQLite(t), redisInside(t))
	o.scheduler.pulse.BeatAt(clock.System{}.Now().Add(-2 * tasks.StalledAfter))
	if err := o.scheduler.Alive(t.Context()); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("quiet for too long: %v", err)
	}
	var limit time.Time
	_, err := o.scheduler.enqueue(t.Context(), func(ctx context.Context) ([]tasks.Task, error) {
		limit, _ = ctx.Deadline()
		return nil, models.Unavailable("the database", nil)
	})
	if left := time.Until(limit); err == nil || left <= 0 || left > askLimit {
		t.Errorf("the rows are asked for up to %s, %v", left, err)
	}
	if err := o.scheduler.Alive(t.Context()); err == nil {
		t.Error("a sweep that fails counts as work")
	}
	rows.Creditor(t, o.db)
	if _, err := o.scheduler.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := o.scheduler.Alive(t.Context()); err != nil {
		t.Errorf("after a sweep: %v", err)
	}
}
