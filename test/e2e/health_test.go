package e2e_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit"
)

// TestO6EveryPartTellsOfItsHealth asks a worker and a scheduler whether they can work: with Redis, without, with one that
// refuses to write, and stopped. What an operator sees is purr health, which containers run (rules O6, K4).
func TestO6EveryPartTellsOfItsHealth(t *testing.T) {
	t.Parallel()
	queue := testkit.RedisServer(t)
	where := []string{"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + testkit.MySQL(t), "PURR_REDIS_URL=" + queue.URL}
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "A")
	worker, scheduler := begin(t, where, "worker", "--listen", "127.0.0.1:0"), begin(t, where, "scheduler", "--listen", "127.0.0.1:0")
	health := func(p *process) result { return run(t, nil, "health", p.listening()) }
	becomes := func(code int, what string) {
		t.Helper()
		for _, p := range []*process{worker, scheduler} {
			begun := time.Now()
			eventually(t, what, func() (bool, any) {
				r := health(p)
				return r.code == code && (code == 0 || strings.Contains(r.stderr, `field="queue"`)), r
			})
			if took := time.Since(begun); took > toldWithin {
				t.Errorf("%s: seen after %s", what, took)
			}
		}
	}
	becomes(0, "ready")
	for _, p := range []*process{worker, scheduler} {
		c := newClient(t, p.listening, "")
		if page := string(c.Get("//metrics").Is(http.StatusOK).Body); !strings.Contains(page, `purr_oldest_owed_seconds{kind="shipment"} 0`) {
			t.Errorf("the metrics are %s", page)
		}
		c.Get("//healthz").Is(http.StatusOK)
		c.Get("/api/v1/invoices").Is(http.StatusUnauthorized)
	}

	queue.Kill()
	becomes(1, "Redis is gone")
	queue.Start()
	becomes(0, "Redis is back")
	options, err := redis.ParseURL(queue.URL)
	must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	must(t, client.ConfigSet(t.Context(), "min-replicas-to-write", "1").Err())
	becomes(1, "Redis refuses to write")
	must(t, client.ConfigSet(t.Context(), "min-replicas-to-write", "0").Err())
	becomes(0, "Redis takes tasks again")

	must(t, scheduler.command.Process.Signal(syscall.SIGSTOP))
	begun := time.Now()
	if r := health(scheduler); r.code != 1 || time.Since(begun) > toldWithin {
		t.Errorf("a stopped scheduler: exit code %d after %s: %s", r.code, time.Since(begun), r.stderr)
	}
	must(t, scheduler.command.Process.Signal(syscall.SIGCONT))
	becomes(0, "the scheduler goes on")
	if r := run(t, nil, "health", "ftp://127.0.0.1"); r.code != 1 {
		t.Errorf("a wrong address: %+v", r)
	}
}
