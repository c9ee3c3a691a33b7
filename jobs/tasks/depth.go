package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
)

// Depth is the number of tasks in each state.
type Depth struct{ Waiting, Active, Retrying, Archived int }

// Depth counts the tasks. It reads asynq's own keys, which takes a tenth of the time of asynq's inspector: the test
// clock counts hundreds of times a second. A test compares the two.
func (q *Queue) Depth(ctx context.Context) (d Depth, err error) {
	type counts struct{ pending, scheduled, active, retry, archived *redis.IntCmd }
	all, err := ofEach(ctx, q, func(p redis.Pipeliner, queue string) counts {
		return counts{
			p.LLen(ctx, keyOf(queue, pending)), p.ZCard(ctx, keyOf(queue, scheduled)), p.LLen(ctx, keyOf(queue, active)),
			p.ZCard(ctx, keyOf(queue, retry)), p.ZCard(ctx, keyOf(queue, archived)),
		}
	})
	if err != nil {
		return Depth{}, err
	}
	for _, of := range all {
		d.Waiting += int(of.pending.Val() + of.scheduled.Val())
		d.Active += int(of.active.Val())
		d.Retrying += int(of.retry.Val())
		d.Archived += int(of.archived.Val())
	}
	return d, nil
}

// Waiting returns how many tasks of a queue wait for a worker.
func (q *Queue) Waiting(ctx context.Context, queue string) (int64, error) {
	n, err := q.redis.LLen(ctx, keyOf(queue, pending)).Result()
	return n, away(err)
}

// longestWait returns how long the task that is next in a queue has waited. Like Depth, it reads asynq's own keys.
func (q *Queue) longestWait(ctx context.Context, queue string) (time.Duration, error) {
	id, err := q.redis.LIndex(ctx, keyOf(queue, pending), -1).Result()
	if err == nil {
		var from int64
		if from, err = q.redis.HGet(ctx, taskKey(queue, id), since).Int64(); err == nil {
			return clock.System{}.Now().Sub(time.Unix(0, from)), nil
		}
	}
	if errors.Is(err, redis.Nil) { // none waits
		return 0, nil
	}
	return 0, away(err)
}

// A waiting test clock counts the tasks after idleFirst, and again after pauses that double up to idleLongest: most work takes
// a moment, and each count costs as much as a small piece of work.
const (
	idleFirst   = time.Millisecond
	idleLongest = 16 * time.Millisecond
)

// WaitIdle waits until no task waits or runs, and reports whether one did. It makes failed tasks run again at once, until they
// succeed or are archived. A task that a dead worker had in hand, or that was abandoned, does not run.
func (q *Queue) WaitIdle(ctx context.Context) (waited bool, err error) {
	pause := idleFirst
	for idle := 0; ; {
		d, err := q.Depth(ctx)
		if err != nil {
			return waited, err
		}
		if d.Active > 0 {
			if d.Active, err = q.running(ctx); err != nil {
				return waited, err
			}
		}
		if d.Archived = 0; d == (Depth{}) {
			// One look may miss a task that another one queues before it ends: the queues are read one after the other.
			if idle++; idle == 2 {
				return waited, nil
			}
			continue
		}
		idle, waited = 0, true
		if d.Retrying > 0 {
			if err := q.retryNow(); err != nil {
				return waited, err
			}
		}
		select {
		case <-ctx.Done():
			return waited, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, idleLongest)
	}
}

// running returns how many tasks living workers have in hand.
func (q *Queue) running(ctx context.Context) (n int, err error) {
	abandoned, err := q.abandoned(ctx, clock.System{}.Now())
	if err != nil {
		return 0, err
	}
	for _, name := range q.names {
		ids, err := q.redis.LRange(ctx, keyOf(name, active), 0, -1).Result()
		if err != nil {
			return 0, away(err)
		}
		for _, id := range ids {
			if strings.HasSuffix(id, q.mark()) && !abandoned[id] {
				n++
			}
		}
	}
	return n, nil
}

// retryNow makes the tasks that wait for another try run at once.
func (q *Queue) retryNow() error {
	known, err := q.inspector.Queues()
	if err != nil {
		return away(err)
	}
	for _, name := range q.names {
		if !slices.Contains(known, name) {
			continue // it has had no task since Redis was emptied
		}
		q.bell.notice([]string{keyOf(name, retry)}) // another process may have put something there
		if _, err := q.inspector.RunAllRetryTasks(name); err != nil {
			return away(err)
		}
	}
	return nil
}
