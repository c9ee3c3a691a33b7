package jobs

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/testkit"
)

// TestTheBellWakesAWorkerThatRests holds that a worker rests while its queue is empty, and that a task starts at once all the
// same: queued by the same process, by another one, and moved back after a failure.
func TestTheBellWakesAWorkerThatRests(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"inside the process": redisInside(t), "a server": testkit.Redis(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connect := func() *Queue {
				options, err := redis.ParseURL(url)
				must(t, err)
				client := redis.NewClient(options)
				t.Cleanup(func() { _ = client.Close() })
				return NewQueue(client, slog.New(slog.DiscardHandler))
			}
			own, other := connect(), connect()
			own.bell.longest = time.Hour // only the bell wakes the worker
			w := &Worker{Queue: own, Log: slog.New(slog.DiscardHandler)}
			did := make(chan bool, 10)
			var failures atomic.Int64
			server := w.server(shipQueue, 1, patience)
			must(t, server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
				if failures.Add(-1) >= 0 {
					return context.DeadlineExceeded
				}
				did <- true
				return nil
			})))
			t.Cleanup(func() { own.bell.end(shipQueue, server) })
			t.Cleanup(own.bell.listen(t.Context(), w.Log))
			started := func(what string) {
				t.Helper()
				select {
				case <-did:
				case <-time.After(patience):
					t.Fatalf("%s did not wake the worker", what)
				}
			}
			resting := func() {
				t.Helper()
				testkit.Eventually(t, "the worker rests", func() (bool, any) {
					own.bell.mu.Lock()
					defer own.bell.mu.Unlock()
					return own.bell.rests[shipQueue] == time.Hour, own.bell.rests
				})
			}
			for what, queue := range map[string]*Queue{"a task": own, "a task of another process": other} {
				resting()
				_, err := queue.add(t.Context(), task{kind: kindShip, key: what, payload: shipPayload{}, timeout: patience})
				must(t, err)
				started(what)
			}
			failures.Store(1)
			_, err := own.add(t.Context(), task{kind: kindShip, key: "3:0", payload: shipPayload{}, timeout: patience})
			must(t, err)
			testkit.Eventually(t, "the task waits for its next try", func() (bool, any) {
				d, err := own.Depth(t.Context())
				return err == nil && d.Retrying == 1, d
			})
			resting()
			must(t, own.retryNow())
			started("a task that is tried again")
		})
	}
}
