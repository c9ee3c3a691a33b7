package tasks

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/test/testkit"
)

// TestTheBellWakesAWorkerThatRests holds that a worker rests while its queue is empty, and that a task starts at once all the
// same: queued by the same process, by another one, and moved back after a failure.
func TestTheBellWakesAWorkerThatRests(t *testing.T) {
	eachRedis(t, func(t *testing.T, url string) {
		own, _ := connect(t, url)
		other, _ := connect(t, url)
		own.bell.longest = time.Hour // only the bell wakes the worker
		did := make(chan bool, 10)
		var failures atomic.Int64
		server := own.server(Hands{mail, 1}, patience)
		must(t, server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
			if failures.Add(-1) >= 0 {
				return context.DeadlineExceeded
			}
			did <- true
			return nil
		})))
		t.Cleanup(func() { own.bell.end(mail, server) })
		t.Cleanup(own.bell.listen(t.Context(), own.log))
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
				return own.bell.rests[mail] == time.Hour, own.bell.rests
			})
		}
		for what, queue := range map[string]*Queue{"a task": own, "a task of another process": other} {
			resting()
			_, err := queue.Add(t.Context(), Task{Queue: mail, Kind: "ship", Key: what, Timeout: patience})
			must(t, err)
			started(what)
		}
		const failed = "asynq:{" + mail + "}:retry"
		for key, by := range map[string]*Queue{"3:0": own, "4:0": other} {
			for _, queue := range []*Queue{own, other} {
				if !queue.bell.isEmpty(t.Context(), failed) {
					t.Error("a task has failed before any did")
				}
			}
			failures.Store(1)
			_, err := own.Add(t.Context(), Task{Queue: mail, Kind: "ship", Key: key, Timeout: patience})
			must(t, err)
			testkit.Eventually(t, "the task waits for its next try", func() (bool, any) {
				d, err := own.Depth(t.Context())
				return err == nil && d.Retrying == 1, d
			})
			testkit.Eventually(t, "the process that did the task knows that one has failed", func() (bool, any) {
				return !own.bell.isEmpty(t.Context(), failed), nil // Redis knows before its answer has come
			})
			resting()
			must(t, by.retryNow())
			started("a task that is tried again")
		}
	})
}

// TestAPrivateRedisIsNotToldWhoWorks holds that tasks are done and tried again without it.
func TestAPrivateRedisIsNotToldWhoWorks(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = client.Close() })
	q := NewPrivate(client, queues, slog.New(slog.DiscardHandler))
	q.bell.longest = time.Hour // only the bell wakes the worker
	var tries atomic.Int64
	did := make(chan bool)
	worker := q.server(Hands{mail, 1}, patience)
	must(t, worker.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
		if tries.Add(1) == 1 {
			return context.DeadlineExceeded
		}
		did <- true
		return nil
	})))
	t.Cleanup(func() { q.bell.end(mail, worker) })
	t.Cleanup(q.bell.listen(t.Context(), q.log))
	_, err := q.Add(t.Context(), Task{Queue: mail, Kind: "ship", Key: "1:0", Timeout: patience})
	must(t, err)
	select {
	case <-did: // by asynq's own look for failed tasks
	case <-time.After(patience):
		t.Fatal("a task that failed is not tried again")
	}
	for _, key := range server.Keys() {
		if strings.HasPrefix(key, "asynq:servers") || strings.HasPrefix(key, "asynq:workers") {
			t.Errorf("Redis has %s", key)
		}
	}
}

// TestASetThatWasEmptyIsNotAskedForAgainAndAgain holds that what this process puts into a set is seen at once all the same.
func TestASetThatWasEmptyIsNotAskedForAgainAndAgain(t *testing.T) {
	t.Parallel()
	url := redisInside(t)
	client, other := dial(t, url), dial(t, url)
	bell := newBell(client, queues)
	const set = "asynq:{" + rest + "}:scheduled"
	want := func(why string, empty bool) {
		t.Helper()
		if got := bell.isEmpty(t.Context(), set); got != empty {
			t.Errorf("%s: it counts as empty: %t", why, got)
		}
	}
	want("nothing was put into it", true)
	must(t, other.ZAdd(t.Context(), set, redis.Z{Score: 1, Member: "of another process"}).Err())
	want("another process has put something into it", true)
	bell.empty[set] = bell.empty[set].Add(-emptyFor)
	want("some seconds later", false)
	must(t, other.ZRem(t.Context(), set, "of another process").Err())
	want("it was taken out", true)
	_, err := asynq.NewClientFromRedisClient(client).EnqueueContext(t.Context(), asynq.NewTask("later", nil), asynq.Queue(rest), asynq.ProcessIn(time.Hour))
	must(t, err)
	want("this process has put something into it", false)
}

// TestAConnectionThatIsMadeAgainRings loses the bell of a task with the connection on which this process listens.
func TestAConnectionThatIsMadeAgainRings(t *testing.T) {
	t.Parallel()
	options, err := redis.ParseURL(testkit.Redis(t))
	must(t, err)
	client, other := redis.NewClient(options), redis.NewClient(options)
	t.Cleanup(func() { _, _ = client.Close(), other.Close() })
	bell := newBell(client, queues)
	t.Cleanup(bell.listen(t.Context(), slog.New(slog.DiscardHandler)))
	rings := func() {
		t.Helper()
		for _, queue := range queues {
			select {
			case <-bell.rung[queue]:
			case <-time.After(patience):
				t.Fatalf("it does not ring for %s", queue)
			}
		}
	}
	rings() // it may have missed what was queued before
	listeners, err := other.Do(t.Context(), "CLIENT", "LIST", "TYPE", "pubsub").Text()
	must(t, err)
	killed := 0
	for listener := range strings.Lines(listeners) {
		fields := strings.Fields(listener)
		if !slices.Contains(fields, "db="+strconv.Itoa(options.DB)) { // another test's
			continue
		}
		must(t, other.Do(t.Context(), "CLIENT", "KILL", "ID", strings.TrimPrefix(fields[0], "id=")).Err())
		killed++
	}
	if killed != 1 {
		t.Fatalf("%d connections listen", killed)
	}
	rings()
}

// BenchmarkTaskStarts queues a task while its worker rests, in the same process and in another one, and measures until it begins.
func BenchmarkTaskStarts(b *testing.B) {
	for name, url := range map[string]string{"embedded": redisInside(b), "server": testkit.Redis(b)} {
		b.Run(name, func(b *testing.B) {
			own, _ := connect(b, url)
			other, _ := connect(b, url)
			began := make(chan time.Time)
			server := own.server(Hands{mail, 1}, patience)
			if err := server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
				began <- clock.System{}.Now()
				return nil
			})); err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { own.bell.end(mail, server) })
			b.Cleanup(own.bell.listen(b.Context(), own.log))
			for who, queue := range map[string]*Queue{"own": own, "another's": other} {
				var took []time.Duration
				for n := range 100 {
					testkit.Eventually(b, "the worker rests", func() (bool, any) {
						own.bell.mu.Lock()
						defer own.bell.mu.Unlock()
						return own.bell.rests[mail] == emptyRest, own.bell.rests
					})
					queued := clock.System{}.Now()
					if _, err := queue.Add(b.Context(), Task{Queue: mail, Kind: "ship", Key: fmt.Sprint(who, n), Timeout: patience}); err != nil {
						b.Fatal(err)
					}
					took = append(took, (<-began).Sub(queued))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[50].Microseconds())/1000, "p50-ms-"+who)
				b.ReportMetric(float64(took[99].Microseconds())/1000, "max-ms-"+who)
			}
		})
	}
}
