// Package jobs does the work in the background. The rows of the store say what is due; the package queues it through
// asynq and does it. Each job has one file: payload, task, handler, and how the sweep finds due rows. The package
// knows nothing of HTTP and decides no business rule itself.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/models"
)

// The queues' names keep our tasks apart from those of other programs on the same Redis. Shipments, webhooks
// and a print shop's letters have queues and workers of their own: slow mail servers, endpoints and shops delay nothing else.
const (
	queueName    = "purr"
	shipQueue    = "purr-shipments"
	webhookQueue = "purr-webhooks"
	lettersQueue = "purr-letters"
)

var queues = []string{queueName, shipQueue, webhookQueue, lettersQueue}

// Queue enqueues tasks. A task that cannot be enqueued is not lost: the row that owes it stays, and the sweep reads it
// again. It is safe for concurrent use.
type Queue struct {
	redis     redis.UniversalClient
	inspector *asynq.Inspector
	bell      *doorbell
	farewell  *farewell
	log       *slog.Logger
	// generation is the number of workers that have died. It is part of a task's ID: what a dead worker was doing stays
	// active in Redis for minutes, and must not keep out the same work for another one.
	generation atomic.Int64

	mu     sync.Mutex
	leases map[string]lease // by task ID, as abandoned has seen them last
}

// lease says until when a worker has a task in hand. asynq renews it every five seconds.
type lease struct {
	until float64 // seconds, by the worker's clock
	since time.Time
}

// NewQueue returns the queue on a Redis. It adds a hook to the client, which the caller closes.
func NewQueue(r redis.UniversalClient, log *slog.Logger) *Queue {
	return &Queue{redis: r, inspector: asynq.NewInspectorFromRedisClient(r), bell: newDoorbell(r), farewell: newFarewell(r), log: log}
}

// NewPrivateQueue is NewQueue on a Redis that no other process sees.
func NewPrivateQueue(r redis.UniversalClient, log *slog.Logger) *Queue {
	q := NewQueue(r, log)
	q.bell.private = true
	return q
}

// Ending is called when the program begins to end. From then on Redis is waited for only while it answers (rule D90). ended is called
// when all that uses the queue has ended.
func (q *Queue) Ending() (ended func()) {
	if q.bell.private {
		return func() {}
	}
	return q.farewell.watch(q.Probe)
}

// Ping fails if Redis does not answer.
func (q *Queue) Ping(ctx context.Context) error {
	if err := q.redis.Ping(ctx).Err(); err != nil {
		return models.Unavailable("the queue", err)
	}
	return nil
}

// Probe fails if Redis takes no tasks: it does not answer, refuses to write, or its memory is full (rule K4). It writes a key
// that lasts a minute beside each queue, for in a Cluster each may be on another server.
func (q *Queue) Probe(ctx context.Context) error {
	for _, name := range queues {
		if err := q.redis.Set(ctx, "purr:{"+name+"}:readyz", 1, time.Minute).Err(); err != nil {
			return models.Unavailable("the queue", err)
		}
	}
	return nil
}

// DocumentMade hints that a new document of the creditor is to be sent.
func (q *Queue) DocumentMade(ctx context.Context, creditorID int64, d models.Document) {
	q.hint(ctx, shipTask(shipPayload{CreditorID: creditorID, Lane: d.ID % shipLanes}))
}

// task is a job to be queued. Its ID is made of kind and key, so that Redis holds it once.
type task struct {
	kind    string
	key     string
	payload any
	timeout time.Duration
}

func (t task) queue() string {
	switch t.kind {
	case kindShip:
		return shipQueue
	case kindDeliver:
		return webhookQueue
	case kindBatch, kindReceipts:
		return lettersQueue
	}
	return queueName
}

// id returns the ID under which Redis holds the task.
func (q *Queue) id(t task) string {
	return t.kind + ":" + t.key + q.mark()
}

// mark returns the end of the IDs of this generation's tasks.
func (q *Queue) mark() string { return fmt.Sprintf("#%d", q.generation.Load()) }

// add enqueues a task. It reports false if the task is queued already. It fails with models.KindUnavailable if Redis does
// not take it.
func (q *Queue) add(ctx context.Context, t task) (bool, error) {
	payload, err := json.Marshal(t.payload)
	if err != nil {
		return false, fmt.Errorf("enqueue %s %s: %w", t.kind, t.key, err)
	}
	// A client registers the queue in Redis only once. Redis may have been emptied since. Then tasks would be done but
	// not counted. So each call uses a new client.
	client := asynq.NewClientFromRedisClient(q.redis)
	_, err = client.EnqueueContext(ctx, asynq.NewTask(t.kind, payload),
		asynq.TaskID(q.id(t)), asynq.Queue(t.queue()), asynq.MaxRetry(maxRetry), asynq.Timeout(t.timeout))
	switch {
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return false, nil
	case err != nil:
		return false, models.Unavailable("the queue", fmt.Errorf("enqueue %s %s: %w", t.kind, t.key, err))
	}
	return true, nil
}

// stuck returns the IDs of the tasks that are queued and that nobody does: those that asynq has given up, and those that were
// abandoned.
func (q *Queue) stuck(ctx context.Context, now time.Time) (map[string]bool, error) {
	givenUp, err := q.givenUp(ctx)
	if err != nil {
		return nil, err
	}
	abandoned, err := q.abandoned(ctx, now)
	if err != nil {
		return nil, err
	}
	for id, is := range abandoned {
		givenUp[id] = givenUp[id] || is
	}
	return givenUp, nil
}

// againAfter is how long a task that was given up rests before it is taken up again.
const againAfter = time.Minute

// givenUp returns the IDs of the tasks of a queue that asynq has given up, and that have rested since.
func (q *Queue) givenUp(ctx context.Context) (map[string]bool, error) {
	rested := map[string]bool{}
	var counts []*redis.IntCmd
	_, err := q.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, name := range queues {
			counts = append(counts, p.ZCard(ctx, "asynq:{"+name+"}:archived"))
		}
		return nil
	})
	if err != nil {
		return nil, models.Unavailable("the queue", err)
	}
	for i, name := range queues {
		if counts[i].Val() == 0 {
			continue
		}
		archived, err := q.inspector.ListArchivedTasks(name, asynq.PageSize(1000))
		if err != nil {
			return nil, models.Unavailable("the queue", err)
		}
		for _, t := range archived {
			rested[t.ID] = clock.System{}.Now().Sub(t.LastFailedAt) > againAfter
		}
	}
	return rested, nil
}

// abandonedAfter is how long a lease may stay as it is. Then nobody renews it.
const abandonedAfter = 15 * time.Second

// abandoned returns the IDs of the tasks that Redis takes for active, and that no worker has in hand: Redis went away before
// the worker got the task, or before it could say that the task had ended. asynq finds them too, but after two minutes. now
// is by the system's clock; only its differences count.
func (q *Queue) abandoned(ctx context.Context, now time.Time) (map[string]bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []*redis.ZSliceCmd
	_, err := q.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, name := range queues {
			all = append(all, p.ZRangeWithScores(ctx, "asynq:{"+name+"}:lease", 0, -1))
		}
		return nil
	})
	if err != nil {
		return nil, models.Unavailable("the queue", err)
	}
	seen, left := map[string]lease{}, map[string]bool{}
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
func (q *Queue) addAgain(ctx context.Context, t task) (bool, error) {
	key, id := "asynq:{"+t.queue()+"}:", q.id(t)
	_, err := q.redis.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.ZRem(ctx, key+"archived", id)
		p.LRem(ctx, key+"active", 0, id)
		p.ZRem(ctx, key+"lease", id)
		p.Del(ctx, key+"t:"+id)
		return nil
	})
	if err != nil {
		return false, models.Unavailable("the queue", err)
	}
	return q.add(ctx, t)
}

// waiting returns how many tasks of a queue wait for a worker.
func (q *Queue) waiting(ctx context.Context, queue string) (int64, error) {
	n, err := q.redis.LLen(ctx, "asynq:{"+queue+"}:pending").Result()
	if err != nil {
		return 0, models.Unavailable("the queue", err)
	}
	return n, nil
}

// hint enqueues a task whose row the sweep would find as well. So it only logs a failure.
func (q *Queue) hint(ctx context.Context, t task) {
	if _, err := q.add(ctx, t); err != nil {
		q.log.Warn("a job was not queued; the sweep will", "kind", t.kind, "key", t.key, "error", err)
	}
}

// Depth is the number of tasks in each state.
type Depth struct{ Waiting, Active, Retrying, Archived int }

// Depth counts the tasks. It reads asynq's own keys, which takes a tenth of the time of asynq's inspector: the test
// clock counts hundreds of times a second. A test compares the two.
func (q *Queue) Depth(ctx context.Context) (Depth, error) {
	var waiting, active, retrying, archived []*redis.IntCmd
	_, err := q.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, name := range queues {
			key := "asynq:{" + name + "}:"
			waiting = append(waiting, p.LLen(ctx, key+"pending"), p.ZCard(ctx, key+"scheduled"))
			active = append(active, p.LLen(ctx, key+"active"))
			retrying = append(retrying, p.ZCard(ctx, key+"retry"))
			archived = append(archived, p.ZCard(ctx, key+"archived"))
		}
		return nil
	})
	if err != nil {
		return Depth{}, models.Unavailable("the queue", err)
	}
	sum := func(counts []*redis.IntCmd) (n int) {
		for _, c := range counts {
			n += int(c.Val())
		}
		return n
	}
	return Depth{sum(waiting), sum(active), sum(retrying), sum(archived)}, nil
}

// A waiting test clock counts the tasks after idleFirst, and again after pauses that double up to idleLongest: most work takes
// a moment, and each count costs as much as a small piece of work.
const (
	idleFirst   = time.Millisecond
	idleLongest = 16 * time.Millisecond
)

// waitIdle waits until no task waits or runs, and reports whether one did. It makes failed tasks run again at once, until they
// succeed or are archived. A task that a dead worker had in hand, or that was abandoned, does not run.
func (q *Queue) waitIdle(ctx context.Context) (waited bool, err error) {
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
	for _, name := range queues {
		active, err := q.redis.LRange(ctx, "asynq:{"+name+"}:active", 0, -1).Result()
		if err != nil {
			return 0, models.Unavailable("the queue", err)
		}
		for _, id := range active {
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
		return models.Unavailable("the queue", err)
	}
	for _, name := range queues {
		if !slices.Contains(known, name) {
			continue // it has had no task since Redis was emptied
		}
		q.bell.notice([]string{"asynq:{" + name + "}:retry"}) // another process may have put something there
		if _, err := q.inspector.RunAllRetryTasks(name); err != nil {
			return models.Unavailable("the queue", err)
		}
	}
	return nil
}
