package tasks

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/models"
	"purr/test/testkit"
)

// patience is how long a test waits for what other goroutines must do.
const patience = testkit.Patience

// The queues of the tests.
const (
	rest  = "purr"
	mail  = "purr-shipments"
	hooks = "purr-webhooks"
)

var queues = []string{rest, mail, hooks}

// redisInside starts a Redis in the process, as purr serve does, and returns its URL.
func redisInside(t testing.TB) string {
	t.Helper()
	return "redis://" + miniredis.RunT(t).Addr()
}

// eachRedis runs the test on the Redis inside the process, and on a server.
func eachRedis(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Parallel()
	for name, url := range map[string]string{"inside the process": redisInside(t), "a server": testkit.Redis(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, url)
		})
	}
}

// dial returns a client.
func dial(t testing.TB, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// connect returns a queue with its client.
func connect(t testing.TB, url string) (*Queue, *redis.Client) {
	t.Helper()
	client := dial(t, url)
	return New(client, queues, slog.New(slog.DiscardHandler)), client
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inspected returns what asynq's inspector says of all queues.
func inspected(t *testing.T, q *Queue) (d Depth) {
	t.Helper()
	for _, name := range queues {
		info, err := q.inspector.GetQueueInfo(name)
		must(t, err)
		d.Waiting += info.Pending + info.Scheduled
		d.Active += info.Active
		d.Retrying += info.Retry
		d.Archived += info.Archived
	}
	return d
}

// TestDepthIsWhatTheInspectorSays has tasks in every state: what the keys of asynq say is what its inspector says.
func TestDepthIsWhatTheInspectorSays(t *testing.T) {
	eachRedis(t, func(t *testing.T, url string) {
		q, r := connect(t, url)
		client := asynq.NewClientFromRedisClient(r)
		add := func(kind, queue string, options ...asynq.Option) {
			t.Helper()
			_, err := client.Enqueue(asynq.NewTask(kind, nil), append(options, asynq.Queue(queue), asynq.MaxRetry(3))...)
			must(t, err)
		}
		begun, goOn := make(chan struct{}), make(chan struct{})
		server := asynq.NewServerFromRedisClient(r, asynq.Config{
			Concurrency: 2, Queues: map[string]int{rest: 1}, LogLevel: asynq.FatalLevel, TaskCheckInterval: time.Millisecond,
			RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return time.Hour },
		})
		must(t, server.Start(asynq.HandlerFunc(func(_ context.Context, task *asynq.Task) error {
			switch task.Type() {
			case "fails":
				return errors.New("it failed")
			case "fails for good":
				return asynq.SkipRetry
			}
			close(begun)
			<-goOn
			return nil
		})))
		add("fails", rest)
		add("fails for good", rest)
		add("runs", rest)
		add("waits", hooks)
		add("waits", mail)
		add("waits", mail)
		add("comes later", hooks, asynq.ProcessIn(time.Hour))
		<-begun
		want := Depth{Waiting: 4, Active: 1, Retrying: 1, Archived: 1}
		testkit.Eventually(t, "the failed tasks wait", func() (bool, any) {
			depth, err := q.Depth(t.Context())
			return err == nil && depth == want, depth
		})
		if got := inspected(t, q); got != want {
			t.Errorf("the inspector says %+v, want %+v", got, want)
		}
		close(goOn)
		server.Shutdown()
	})
}

// TestO6AWorkerThatTakesNoTasksIsStalled: one that is busy, or has nothing to do, is not.
func TestO6AWorkerThatTakesNoTasksIsStalled(t *testing.T) {
	eachRedis(t, func(t *testing.T, url string) {
		q, r := connect(t, url)
		own := &places{queue: rest, most: 1}
		own.pulse.BeatAt(clock.System{}.Now().Add(-2 * StalledAfter))
		alive := func() error { return (&Server{queue: q, places: []*places{own}}).Alive(t.Context()) }
		if err := alive(); err != nil {
			t.Errorf("with nothing to do: %v", err)
		}
		waiting := Task{Queue: rest, Kind: "import", Key: "7"}
		_, err := q.Add(t.Context(), waiting)
		must(t, err)
		if err := alive(); err != nil {
			t.Errorf("with a new task: %v", err)
		}
		from := clock.System{}.Now().Add(-2 * StalledAfter).UnixNano()
		must(t, r.HSet(t.Context(), taskKey(rest, q.id(waiting)), since, from).Err())
		if err := alive(); models.KindOf(err) != models.KindUnavailable || !strings.Contains(err.Error(), "have waited for 40s") {
			t.Errorf("with an old task and a free hand: %v", err)
		}
		own.busy.Store(1)
		if err := alive(); err != nil {
			t.Errorf("with no free hand: %v", err)
		}
	})
}

func TestAnUnusedQueueIsEmpty(t *testing.T) {
	t.Parallel()
	q, _ := connect(t, redisInside(t))
	if depth, err := q.Depth(t.Context()); err != nil || depth != (Depth{}) {
		t.Errorf("it is %+v, %v", depth, err)
	}
	if waited, err := q.WaitIdle(t.Context()); err != nil || waited {
		t.Errorf("an empty queue is waited for: %t, %v", waited, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	added, err := q.Add(ctx, Task{Queue: mail, Kind: "ship", Key: "1:0"})
	if err != nil || !added {
		t.Errorf("added is %t, %v", added, err)
	}
	cancel()
	if _, err := q.WaitIdle(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting without a worker ends with %v", err)
	}
}

// TestS6WhatNobodyHasInHandKeepsNothingWaiting takes a task up again that Redis takes for active, though nobody renews its
// lease. What a dead worker had in hand keeps no test clock waiting.
func TestS6WhatNobodyHasInHandKeepsNothingWaiting(t *testing.T) {
	t.Parallel()
	q, client := connect(t, testkit.Redis(t))
	lost, ctx := Task{Queue: rest, Kind: "collect", Key: "7"}, t.Context()
	id := q.id(lost)
	take := func(until float64) {
		t.Helper()
		must(t, client.ZAdd(ctx, keyOf(rest, leases), redis.Z{Score: until, Member: id}).Err())
	}
	_, err := q.Add(ctx, lost)
	must(t, err)
	must(t, client.LMove(ctx, keyOf(rest, pending), keyOf(rest, active), "LEFT", "RIGHT").Err())
	take(30)
	at := clock.System{}.Now()
	abandoned := func(after time.Duration, want bool) {
		t.Helper()
		at = at.Add(after)
		if got, err := q.abandoned(ctx, at); err != nil || got[id] != want {
			t.Errorf("abandoned: %t, %v, want %t", got[id], err, want)
		}
	}
	abandoned(0, false)
	abandoned(abandonedAfter, false)
	take(45) // it was renewed
	abandoned(time.Second, false)
	q.leases = nil // waitIdle goes by the system's clock
	brief, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if waited, err := q.WaitIdle(brief); !errors.Is(err, context.DeadlineExceeded) || !waited {
		t.Errorf("while a worker lives: %t, %v", waited, err)
	}
	q.leases = nil
	abandoned(0, false)
	abandoned(abandonedAfter+1, true)
	if fresh, err := q.addAgain(ctx, lost); err != nil || !fresh {
		t.Errorf("it is queued again: %t, %v", fresh, err)
	}
	if d, err := q.Depth(ctx); err != nil || d != (Depth{Waiting: 1}) {
		t.Errorf("the queue holds %+v, %v", d, err)
	}
	must(t, client.LMove(ctx, keyOf(rest, pending), keyOf(rest, active), "LEFT", "RIGHT").Err())
	q.generation.Add(1) // its worker has died
	if waited, err := q.WaitIdle(ctx); err != nil || waited {
		t.Errorf("a dead worker is waited for: %t, %v", waited, err)
	}
}
