package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// inspected returns what asynq's inspector says of both queues.
func (o *office) inspected(t *testing.T) (d Depth) {
	t.Helper()
	for _, name := range queues {
		info, err := o.queue.inspector.GetQueueInfo(name)
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
	for name, redisURL := range map[string]string{"inside": redisInside(t), "Redis": testkit.Redis(t)} {
		t.Run(name, func(t *testing.T) {
			o := &office{}
			o.connect(t, redisURL)
			client := asynq.NewClientFromRedisClient(o.redis)
			add := func(kind, queue string, options ...asynq.Option) {
				t.Helper()
				_, err := client.Enqueue(asynq.NewTask(kind, nil), append(options, asynq.Queue(queue), asynq.MaxRetry(3))...)
				must(t, err)
			}
			begun, goOn := make(chan struct{}), make(chan struct{})
			server := asynq.NewServerFromRedisClient(o.redis, asynq.Config{
				Concurrency: 2, Queues: map[string]int{queueName: 1}, LogLevel: asynq.FatalLevel, TaskCheckInterval: time.Millisecond,
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
			add("fails", queueName)
			add("fails for good", queueName)
			add("runs", queueName)
			add("waits", webhookQueue)
			add("waits", shipQueue)
			add("waits", lettersQueue)
			add("comes later", webhookQueue, asynq.ProcessIn(time.Hour))
			<-begun
			want := Depth{Waiting: 4, Active: 1, Retrying: 1, Archived: 1}
			waitFor(t, "the failed tasks to wait", func() bool {
				depth, err := o.queue.Depth(t.Context())
				return err == nil && depth == want
			})
			if got := o.inspected(t); got != want {
				t.Errorf("the inspector says %+v, want %+v", got, want)
			}
			close(goOn)
			server.Shutdown()
		})
	}
}

// TestO12ForgedTasksChangeNothing puts tasks into Redis that purr would never put there. Each is dropped with a line in
// the log, and no row is changed.
func TestO12ForgedTasksChangeNothing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		logged := &testkit.Log{}
		o.worker.Log = slog.New(slog.NewTextHandler(logged, nil))
		c := rows.Creditor(t, o.db)
		o.work(t, 2)
		today := models.DateOf(o.clock.Now())
		client := asynq.NewClientFromRedisClient(o.redis)
		for n, forged := range []struct{ kind, payload string }{
			{"laundry", `{}`},
			{kindShip, `not JSON`},
			{kindShip, `{"CreditorID":"1"}`},
			{kindShip, `{"CreditorID":` + strings.Repeat("9", 100_000) + `}`},
			{kindCollect, fmt.Sprintf(`{"CreditorID":%d,"HandOverID":-7}`, c.ID)},
			{kindImport, `{"FileID":12345}`},
			{kindSuggest, `{"CreditorID":-1}`},
			{kindRun, fmt.Sprintf(`{"CreditorID":%d,"Kind":"dunning","Date":%d}`, c.ID, today+1)},
			{kindRun, fmt.Sprintf(`{"CreditorID":%d,"Kind":"laundry","Date":%d}`, c.ID, today)},
			{kindRun, fmt.Sprintf(`{"CreditorID":0,"Kind":"dunning","Date":%d}`, today)},
		} {
			_, err := client.EnqueueContext(t.Context(), asynq.NewTask(forged.kind, []byte(forged.payload)), asynq.Queue(queueName), asynq.MaxRetry(maxRetry))
			must(t, err)
			waitFor(t, "the task to be dropped: "+logged.String(), func() bool {
				return strings.Count(logged.String(), "a task was dropped") == n+1
			})
		}
		// A lane of shipments finds nothing to do, whatever it is.
		for _, payload := range []string{`{"CreditorID":-1}`, fmt.Sprintf(`{"CreditorID":%d,"Lane":-1}`, c.ID), fmt.Sprintf(`{"CreditorID":%d,"Lane":9223372036854775807}`, c.ID)} {
			_, err := client.EnqueueContext(t.Context(), asynq.NewTask(kindShip, []byte(payload)), asynq.Queue(shipQueue), asynq.MaxRetry(maxRetry))
			must(t, err)
		}
		waitFor(t, "the queue to be empty", func() bool {
			depth, err := o.queue.Depth(t.Context())
			return err == nil && depth == Depth{}
		})
		if len(logged.String()) > 20_000 {
			t.Error("the log repeats a huge payload")
		}
		if _, made, err := o.db.LastRun(t.Context(), c.ID, models.RunDunning, today+100); made || err != nil {
			t.Errorf("there is a run (%v)", err)
		}
		if sent := o.sent(t); len(sent) != 0 {
			t.Errorf("sent were %v", sent)
		}
	})
}

// TestS6WhatNobodyHasInHandKeepsNothingWaiting takes a task up again that Redis takes for active, though nobody renews its
// lease. What a dead worker had in hand keeps no test clock waiting.
func TestS6WhatNobodyHasInHandKeepsNothingWaiting(t *testing.T) {
	t.Parallel()
	o := &office{}
	o.connect(t, testkit.Redis(t))
	lost, key, ctx := task{kind: kindCollect, key: "7"}, "asynq:{"+queueName+"}:", t.Context()
	id := o.queue.id(lost)
	take := func(until float64) {
		t.Helper()
		must(t, o.redis.ZAdd(ctx, key+"lease", redis.Z{Score: until, Member: id}).Err())
	}
	_, err := o.queue.add(ctx, lost)
	must(t, err)
	must(t, o.redis.LMove(ctx, key+"pending", key+"active", "LEFT", "RIGHT").Err())
	take(30)
	at := rows.Start
	abandoned := func(after time.Duration, want bool) {
		t.Helper()
		at = at.Add(after)
		if got, err := o.queue.abandoned(ctx, at); err != nil || got[id] != want {
			t.Errorf("abandoned: %t, %v, want %t", got[id], err, want)
		}
	}
	abandoned(0, false)
	abandoned(abandonedAfter, false)
	take(45) // it was renewed
	abandoned(time.Second, false)
	o.queue.leases = nil // waitIdle goes by the system's clock
	brief, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if waited, err := o.queue.waitIdle(brief); !errors.Is(err, context.DeadlineExceeded) || !waited {
		t.Errorf("while a worker lives: %t, %v", waited, err)
	}
	o.queue.leases = nil
	abandoned(0, false)
	abandoned(abandonedAfter+1, true)
	if fresh, err := o.queue.addAgain(ctx, lost); err != nil || !fresh {
		t.Errorf("it is queued again: %t, %v", fresh, err)
	}
	if d, err := o.queue.Depth(ctx); err != nil || d != (Depth{Waiting: 1}) {
		t.Errorf("the queue holds %+v, %v", d, err)
	}
	must(t, o.redis.LMove(ctx, key+"pending", key+"active", "LEFT", "RIGHT").Err())
	o.queue.generation.Add(1) // its worker has died
	if waited, err := o.queue.waitIdle(ctx); err != nil || waited {
		t.Errorf("a dead worker is waited for: %t, %v", waited, err)
	}
}
