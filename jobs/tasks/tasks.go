// Package tasks keeps what is to be done in Redis, and hands it to who does it. It stands around the library asynq, and it alone
// knows the keys and scripts of that library (keys.go); a test holds the two together, and fails with each new version until somebody
// has looked. A task that is lost harms nothing: a row owes its work, and a sweep asks for it again. Begin to read at Queue; Add,
// AddOwed and Serve are what the others call. The package knows nothing of kinds of work, of rows, or of the database.
package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/models"
)

// Task is a job to be queued. Its ID is made of kind and key, so that Redis holds it once.
type Task struct {
	Queue   string
	Kind    string
	Key     string
	Payload any           // is kept as JSON
	Timeout time.Duration // the longest that it may take
}

// Queue holds tasks. A task that cannot be enqueued is not lost: the row that owes it stays, and the sweep reads it
// again. It is safe for concurrent use.
type Queue struct {
	redis     redis.UniversalClient
	names     []string
	inspector *asynq.Inspector
	bell      *bell
	farewell  *farewell
	log       *slog.Logger
	// generation is the number of workers that have died. It is part of a task's ID: what a dead worker was doing stays
	// active in Redis for minutes, and must not keep out the same work for another one.
	generation atomic.Int64

	mu     sync.Mutex
	leases map[string]lease // by task ID, as abandoned has seen them last
}

// New returns the queues of the names on a Redis. It adds a hook to the client, which the caller closes.
func New(r redis.UniversalClient, names []string, log *slog.Logger) *Queue {
	return &Queue{redis: r, names: names, inspector: asynq.NewInspectorFromRedisClient(r), bell: newBell(r, names), farewell: newFarewell(r), log: log}
}

// NewPrivate is New on a Redis that no other process sees.
func NewPrivate(r redis.UniversalClient, names []string, log *slog.Logger) *Queue {
	q := New(r, names, log)
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
func (q *Queue) Ping(ctx context.Context) error { return away(q.redis.Ping(ctx).Err()) }

// Probe fails if Redis takes no tasks: it does not answer, refuses to write, or its memory is full (rule K4). It writes a key
// that lasts a minute beside each queue, for in a Cluster each may be on another server.
func (q *Queue) Probe(ctx context.Context) error {
	for _, name := range q.names {
		if err := q.redis.Set(ctx, "purr:{"+name+"}:readyz", 1, time.Minute).Err(); err != nil {
			return away(err)
		}
	}
	return nil
}

// SetGeneration tells how many workers have died. What they were doing keeps out none of the tasks that are enqueued from then on.
func (q *Queue) SetGeneration(deaths int64) { q.generation.Store(deaths) }

// id returns the ID under which Redis holds the task.
func (q *Queue) id(t Task) string { return t.Kind + ":" + t.Key + q.mark() }

// mark returns the end of the IDs of this generation's tasks.
func (q *Queue) mark() string { return fmt.Sprintf("#%d", q.generation.Load()) }

// Add enqueues a task. It reports false if the task is queued already. It fails with models.KindUnavailable if Redis does
// not take it.
func (q *Queue) Add(ctx context.Context, t Task) (bool, error) {
	payload, err := json.Marshal(t.Payload)
	if err != nil {
		return false, fmt.Errorf("enqueue %s %s: %w", t.Kind, t.Key, err)
	}
	// A client registers the queue in Redis only once. Redis may have been emptied since. Then tasks would be done but
	// not counted. So each call uses a new client.
	client := asynq.NewClientFromRedisClient(q.redis)
	_, err = client.EnqueueContext(ctx, asynq.NewTask(t.Kind, payload),
		asynq.TaskID(q.id(t)), asynq.Queue(t.Queue), asynq.MaxRetry(maxRetry), asynq.Timeout(t.Timeout))
	switch {
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return false, nil
	case err != nil:
		return false, away(fmt.Errorf("enqueue %s %s: %w", t.Kind, t.Key, err))
	}
	return true, nil
}

// Hint enqueues a task whose row the sweep would find as well. So it only logs a failure.
func (q *Queue) Hint(ctx context.Context, t Task) {
	if _, err := q.Add(ctx, t); err != nil {
		q.log.Warn("a job was not queued; the sweep will", "kind", t.Kind, "key", t.Key, "error", err)
	}
}

// away says that Redis has not done what it was asked for, if there is an error.
func away(err error) error {
	if err != nil {
		return models.Unavailable("the queue", err)
	}
	return nil
}
