package jobs_test

import (
	"context"
	"log/slog"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/jobs"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// quietInbox has no files.
type quietInbox struct{}

func (quietInbox) Poll(context.Context) error { return nil }

// BenchmarkIdleSweepOfManyCreditors sweeps 100 000 creditors with webhooks, none of whom is owed anything (rule D113). It reports what the
// sweeps of five seconds cost this process, in percent of a core: on SQLite that is all. The limit is to count the creditors once.
func BenchmarkIdleSweepOfManyCreditors(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		const many = 100_000
		now := clock.NewTest(rows.Start)
		s := sweeper(b, db, now)
		hook := models.Webhook{URL: "https://example.no/", Enabled: true}
		c := rows.Creditor(b, s.DB)
		rows.Write(b, s.DB, func(tx *store.Tx) error {
			hook.CreditorID = c.ID
			return tx.CreateWebhook(b.Context(), &hook)
		})
		rows.ManyCreditors(b, db.Bare, map[bool]string{true: "sqlite", false: "mysql"}[db.Rows == 20], many, rows.Today)
		began := time.Now()
		if n, err := s.Sweep(b.Context()); n != 0 || err != nil {
			b.Fatalf("the first sweep queued %d, %v", n, err)
		}
		first := time.Since(began)
		before, sweeps := cpu(b), 0
		for b.Loop() {
			sweeps++
			if n, err := s.Sweep(b.Context()); n != 0 || err != nil {
				b.Fatalf("a sweep queued %d, %v", n, err)
			}
			for range 5 { // each second
				due, err := s.DB.Ask(b.Context(), s.DB.Common(), store.LeasedShipments.Due(), store.NewEvents.Or(store.DeliveriesDue))
				if err != nil || slices.Contains(due.There, true) {
					b.Fatalf("due is %+v, %v", due, err)
				}
			}
		}
		b.ReportMetric(float64(first.Milliseconds()), "ms/first")
		b.ReportMetric(100*(cpu(b)-before).Seconds()/float64(sweeps)/5, "%core")
		began = time.Now()
		var n int
		if err := db.Bare.QueryRowContext(b.Context(), "SELECT COUNT(*) FROM creditors").Scan(&n); n != many || err != nil {
			b.Fatalf("%d creditors, %v", n, err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "ms-limit")
	})
}

func sweeper(b *testing.B, db bench.Database, now *clock.Test) *jobs.Scheduler {
	b.Helper()
	client := newRedis(b)
	log := slog.New(slog.DiscardHandler)
	return &jobs.Scheduler{DB: db.Store.WithClock(now), Queue: jobs.NewQueue(client, log), Inbox: quietInbox{}, Bounces: quietInbox{}, Clock: now, Log: log}
}

// cpu returns the time that this process has computed.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// newRedis starts a Redis in the process.
func newRedis(t testing.TB) redis.UniversalClient {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { _ = client.Close() })
	return client
}
