package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"purr/internal/testkit"
)

// TestAGlanceSeesWhatTheInspectorSees has tasks be in every state: what is asked of asynq's own keys is what its
// inspector says.
func TestAGlanceSeesWhatTheInspectorSees(t *testing.T) {
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
				if task.Type() == "fails" {
					return errors.New("it failed")
				}
				close(begun)
				<-goOn
				return nil
			})))
			add("fails", queueName)
			add("runs", queueName)
			add("waits", webhookQueue)
			add("comes later", webhookQueue, asynq.ProcessIn(time.Hour))
			<-begun
			want := Depth{Waiting: 2, Active: 1, Retrying: 1}
			waitFor(t, "the failed task to wait", func() bool {
				depth, err := o.queue.Depth()
				return err == nil && depth == want
			})
			if got, err := o.queue.glance(t.Context()); err != nil || got != want {
				t.Errorf("at a glance the queue is %+v, %v, want %+v", got, err, want)
			}
			close(goOn)
			server.Shutdown()
		})
	}
}
