package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/archive"
	"purr/clock"
	"purr/documents"
	"purr/dunning/law"
	"purr/internal/testkit"
	"purr/internal/testkit/bench"
	"purr/internal/testkit/rows"
	"purr/jobs"
	"purr/mailer"
	"purr/models"
	"purr/ocr"
	"purr/runs"
	"purr/store"
	"purr/webhook"
)

const (
	benchDocuments   = 250
	benchConcurrency = 8
	benchJobs        = benchDocuments // as many as the letters that are made and sent
)

// BenchmarkJobs queues invoices and waits until all have been rendered and their letters lie in the
// outbox. The limit is a worker that does nothing, with the same options and as many jobs.
func BenchmarkJobs(b *testing.B) {
	b.Run("embedded", func(b *testing.B) {
		benchmarkJobs(b, bench.SQLite(b).Store, "redis://"+miniredis.RunT(b).Addr())
	})
	b.Run("servers", func(b *testing.B) { benchmarkJobs(b, bench.MySQL(b).Store, testkit.Redis(b)) })
}

func benchmarkJobs(b *testing.B, db *store.DB, redisURL string) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		b.Fatal(err)
	}
	client := redis.NewClient(options)
	b.Cleanup(func() { _ = client.Close() })
	queue := jobs.NewQueue(client, slog.New(slog.DiscardHandler))
	outbox := b.TempDir()
	worker := newWorker(b, db, queue, outbox)
	creditor := rows.Creditor(b, db)
	var ours, limit bench.Rate
	sent := 0
	for b.Loop() {
		b.StopTimer()
		invoices := make([]models.Invoice, benchDocuments)
		for i := range invoices {
			invoices[i] = rows.Invoice(b, db, creditor)
		}
		stop, err := worker.Start(benchConcurrency, time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		ours.Time(benchJobs, func() {
			for _, i := range invoices {
				queue.DocumentMade(b.Context(), creditor.ID, i.Document())
			}
			awaitEmpty(b, queue)
		})
		b.StopTimer()
		stop()
		sent += benchDocuments
		if letters, err := os.ReadDir(filepath.Join(outbox, "paper")); err != nil || len(letters) != sent {
			b.Fatalf("%d letters of %d were sent: %v", len(letters), sent, err)
		}
		limit.Time(benchJobs, func() { doNothing(b, client, queue) })
		b.StartTimer()
	}
	bench.Report(b, "jobs", &ours, &limit)
}

func newWorker(b *testing.B, db *store.DB, queue *jobs.Queue, outboxDir string) *jobs.Worker {
	b.Helper()
	kept, err := archive.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	holder, err := jobs.Join(b.Context(), db, queue, b.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = holder.Leave(context.Background()) })
	outbox, err := mailer.NewOutbox(outboxDir)
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	return &jobs.Worker{
		DB: db, Queue: queue, Holder: holder, Documents: documents.New(db, kept),
		Channels: map[models.ShipmentMethod]mailer.Channel{models.ByPaper: outbox.Paper(), models.ByEmail: outbox.Email()},
		Importer: ocr.NewImporter(db, kept, log), Webhooks: webhook.NewSender(webhook.Timeout, clock.System{}, true), Log: log,
		Runs: &runs.Runs{DB: db, Rules: law.Default(), Clock: clock.System{}, Log: log},
	}
}

// doNothing does as many jobs, in which nothing is done.
func doNothing(b *testing.B, redis redis.UniversalClient, queue *jobs.Queue) {
	b.Helper()
	server := asynq.NewServerFromRedisClient(redis, asynq.Config{
		Concurrency: benchConcurrency, Queues: map[string]int{"purr": 1}, TaskCheckInterval: 50 * time.Millisecond,
		DelayedTaskCheckInterval: time.Second, LogLevel: asynq.ErrorLevel,
	})
	if err := server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error { return nil })); err != nil {
		b.Fatal(err)
	}
	defer server.Shutdown()
	client := asynq.NewClientFromRedisClient(redis)
	for i := range benchJobs {
		_, err := client.EnqueueContext(b.Context(), asynq.NewTask("nothing", nil), asynq.TaskID(fmt.Sprintf("nothing:%d", i)),
			asynq.Queue("purr"), asynq.MaxRetry(25), asynq.Timeout(time.Minute))
		if err != nil {
			b.Fatal(err)
		}
	}
	awaitEmpty(b, queue)
}

// awaitEmpty returns when every job is done, and fails the benchmark if one failed.
func awaitEmpty(b *testing.B, queue *jobs.Queue) {
	b.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		switch d, err := queue.Depth(b.Context()); {
		case err != nil || d.Retrying+d.Archived > 0:
			b.Fatalf("jobs failed: %+v, %v", d, err)
		case d.Waiting+d.Active == 0:
			return
		}
	}
}
