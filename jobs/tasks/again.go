package tasks

import (
	"context"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
)

// Stuck are the IDs of the tasks that are queued and that nobody does.
type Stuck map[string]bool

// AddOwed is Add for a task that a row owes: one that is queued already, and that nobody does, is queued again (rule S6). stuck is
// asked for such tasks when it is first needed.
func (q *Queue) AddOwed(ctx context.Context, t Task, stuck func() (Stuck, error)) (bool, error) {
	fresh, err := q.Add(ctx, t)
	if err != nil || fresh {
		return fresh, err
	}
	ids, err := stuck()
	if err != nil || !ids[q.id(t)] {
		return false, err
	}
	return q.addAgain(ctx, t)
}

// Stuck returns the tasks that are queued and that nobody does: those that asynq has given up, and those that were abandoned.
func (q *Queue) Stuck(ctx context.Context) (Stuck, error) {
	stuck, err := q.givenUp(ctx)
	if err != nil {
		return nil, err
	}
	abandoned, err := q.abandoned(ctx, clock.System{}.Now())
	if err != nil {
		return nil, err
	}
	for id, is := range abandoned {
		stuck[id] = stuck[id] || is
	}
	return stuck, nil
}

// againAfter is how long a task that was given up rests before it is taken up again.
const againAfter = time.Minute

// givenUp returns the tasks that asynq has given up, and that have rested since.
func (q *Queue) givenUp(ctx context.Context) (Stuck, error) {
	rested := Stuck{}
	counts, err := ofEach(ctx, q, func(p redis.Pipeliner, queue string) *redis.IntCmd { return p.ZCard(ctx, keyOf(queue, archived)) })
	if err != nil {
		return nil, err
	}
	for i, name := range q.names {
		if counts[i].Val() == 0 {
			continue
		}
		of, err := q.inspector.ListArchivedTasks(name, asynq.PageSize(1000))
		if err != nil {
			return nil, away(err)
		}
		for _, t := range of {
			rested[t.ID] = clock.System{}.Now().Sub(t.LastFailedAt) > againAfter
		}
	}
	return rested, nil
}

// abandonedAfter is how long a lease may stay as it is. Then nobody renews it.
const abandonedAfter = 15 * time.Second

// lease says until when a worker has a task in hand. asynq renews it every five seconds.
type lease struct {
	until float64 // seconds, by the worker's clock
	since time.Time
}

// abandoned returns the tasks that Redis takes for active, and that no worker has in hand: Redis went away before
// the worker got the task, or before it could say that the task had ended. asynq finds them too, but after two minutes. now
// is by the system's clock; only its differences count.
func (q *Queue) abandoned(ctx context.Context, now time.Time) (Stuck, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, err := ofEach(ctx, q, func(p redis.Pipeliner, queue string) *redis.ZSliceCmd {
		return p.ZRangeWithScores(ctx, keyOf(queue, leases), 0, -1)
	})
	if err != nil {
		return nil, err
	}
	seen, left := map[string]lease{}, Stuck{}
	for _, of := range all {
		for _, l := range of.Val() {
			id, held := fmt.Sprint(l.Member), lease{l.Score, now}
			if before, known := q.leases[id]; known && before.until == held.until {
				held = before
			}
			seen[id], left[id] = held, now.Sub(held.since) > abandonedAfter
		}
	}
	q.leases = seen
	return left, nil
}

// addAgain enqueues a task that asynq has given up, or that was abandoned.
func (q *Queue) addAgain(ctx context.Context, t Task) (bool, error) {
	id := q.id(t)
	_, err := q.redis.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.ZRem(ctx, keyOf(t.Queue, archived), id)
		p.LRem(ctx, keyOf(t.Queue, active), 0, id)
		p.ZRem(ctx, keyOf(t.Queue, leases), id)
		p.Del(ctx, taskKey(t.Queue, id))
		return nil
	})
	if err != nil {
		return false, away(err)
	}
	return q.Add(ctx, t)
}

// ofEach asks one thing of each queue, all together, and returns the answers in the order of the queues.
func ofEach[Answer any](ctx context.Context, q *Queue, ask func(p redis.Pipeliner, queue string) Answer) ([]Answer, error) {
	answers := make([]Answer, 0, len(q.names))
	_, err := q.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, name := range q.names {
			answers = append(answers, ask(p, name))
		}
		return nil
	})
	return answers, away(err)
}
