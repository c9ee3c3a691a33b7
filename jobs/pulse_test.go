package jobs

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// aWhileAgo makes a pulse quiet for longer than a part may be.
func aWhileAgo(p *pulse) {
	past := clock.System{}.Now().Add(-2 * stalledAfter)
	p.last.Store(&past)
}

// TestO6AWorkerThatTakesNoTasksIsStalled: one that is busy, or has nothing to do, is not.
func TestO6AWorkerThatTakesNoTasksIsStalled(t *testing.T) {
	o := openOffice(t, testkit.SQLite(t), redisInside(t))
	own := &hands{queue: queueName, most: 1}
	aWhileAgo(&own.pulse)
	o.worker.hands = []*hands{own}
	alive := func() error { return o.worker.Alive(t.Context()) }
	if err := alive(); err != nil {
		t.Errorf("with nothing to do: %v", err)
	}
	waiting := importTask(models.PaymentFile{ID: 7})
	if _, err := o.queue.add(t.Context(), waiting); err != nil {
		t.Fatal(err)
	}
	if err := alive(); err != nil {
		t.Errorf("with a new task: %v", err)
	}
	since := clock.System{}.Now().Add(-2 * stalledAfter).UnixNano()
	if err := o.redis.HSet(t.Context(), "asynq:{purr}:t:"+o.queue.id(waiting), "pending_since", since).Err(); err != nil {
		t.Fatal(err)
	}
	if err := alive(); models.KindOf(err) != models.KindUnavailable || !strings.Contains(err.Error(), "have waited for 40s") {
		t.Errorf("with an old task and a free hand: %v", err)
	}
	own.busy.Store(1)
	if err := alive(); err != nil {
		t.Errorf("with no free hand: %v", err)
	}
}

// TestO6ASchedulerThatGetsNothingDoneIsStalled: each piece of a sweep that succeeds shows that it works; one that fails does
// not. No piece may take for ever (rule O7).
func TestO6ASchedulerThatGetsNothingDoneIsStalled(t *testing.T) {
	o := openOffice(t, testkit.SQLite(t), redisInside(t))
	aWhileAgo(&o.scheduler.pulse)
	if err := o.scheduler.Alive(t.Context()); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("quiet for too long: %v", err)
	}
	var limit time.Time
	_, err := o.scheduler.enqueue(t.Context(), func(ctx context.Context) ([]task, error) {
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
