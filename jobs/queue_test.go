package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"purr/internal/testkit"
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
			add("comes later", webhookQueue, asynq.ProcessIn(time.Hour))
			<-begun
			want := Depth{Waiting: 3, Active: 1, Retrying: 1, Archived: 1}
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
