package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/models"
)

// stalledAfter is how long a part may show no sign of work that it owes before it counts as stalled. Whoever asks for its
// health hears of it within 30 s (rule O6).
const stalledAfter = 20 * time.Second

// pulse is when a part last showed that it works. It counts real time, also on a test clock.
type pulse struct{ last atomic.Pointer[time.Time] }

func (p *pulse) beat() {
	now := clock.System{}.Now()
	p.last.Store(&now)
}

// quiet returns how long ago the last beat was. A part that has never begun is not quiet.
func (p *pulse) quiet() time.Duration {
	last := p.last.Load()
	if last == nil {
		return 0
	}
	return clock.System{}.Now().Sub(*last)
}

// Alive fails if the scheduler has got nothing done for a while, although it sweeps every few seconds.
func (s *Scheduler) Alive(context.Context) error {
	if quiet := s.pulse.quiet(); quiet > stalledAfter {
		return models.Unavailable("the scheduler", fmt.Errorf("no sweep has got on for %s", quiet.Round(time.Second)))
	}
	return nil
}

// hands are the places for jobs of one queue in a worker.
type hands struct {
	queue string
	most  int32
	busy  atomic.Int32
	pulse pulse // when a job last began or ended
}

// count notes the beginning and the end of each job.
func (h *hands) count(next asynq.Handler) asynq.Handler {
	return asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error {
		h.busy.Add(1)
		h.pulse.beat()
		defer func() {
			h.busy.Add(-1)
			h.pulse.beat()
		}()
		return next.ProcessTask(ctx, t)
	})
}

// Alive fails if tasks have waited for a while although the worker has a hand free for them.
func (w *Worker) Alive(ctx context.Context) error {
	for _, h := range w.hands {
		quiet := h.pulse.quiet()
		if h.busy.Load() >= h.most || quiet <= stalledAfter {
			continue
		}
		waited, err := w.Queue.longestWait(ctx, h.queue)
		if err != nil {
			return err
		}
		if waited > stalledAfter {
			return models.Unavailable("the worker", fmt.Errorf("tasks of %s have waited for %s, and it takes none", h.queue, waited.Round(time.Second)))
		}
	}
	return nil
}

// longestWait returns how long the task that is next in a queue has waited. Like Depth, it reads asynq's own keys.
func (q *Queue) longestWait(ctx context.Context, queue string) (time.Duration, error) {
	prefix := "asynq:{" + queue + "}:"
	id, err := q.redis.LIndex(ctx, prefix+"pending", -1).Result()
	if err == nil {
		var since int64 // in nanoseconds
		if since, err = q.redis.HGet(ctx, prefix+"t:"+id, "pending_since").Int64(); err == nil {
			return clock.System{}.Now().Sub(time.Unix(0, since)), nil
		}
	}
	if errors.Is(err, redis.Nil) { // none waits
		return 0, nil
	}
	return 0, models.Unavailable("the queue", err)
}
