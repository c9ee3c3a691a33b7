package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"purr/clock"
	"purr/collection"
	"purr/documents"
	"purr/dunning"
	"purr/mailer"
	"purr/models"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store"
	"purr/webhook"
)

// maxRetry is how often asynq tries a task again that failed unexpectedly, before it is archived and
// waits for a person. What is expected to fail, such as an unreachable mail server, is kept on the row
// and has its own pauses (rule R5c).
const maxRetry = 25

// Worker does the jobs. All fields must be set unless their comment says otherwise.
type Worker struct {
	DB         *store.DB
	Queue      *Queue
	Documents  *documents.Store
	Email      mailer.EmailSender
	Letters    mailer.LetterSender
	Collection *collection.Store
	Collector  mailer.CollectorSender
	Importer   *ocr.Importer
	Bank       *inbound.BankFolder // nil where files are not fetched from the bank
	Webhooks   *webhook.Sender
	BaseURL    string // what URIs in webhooks' bodies begin with; empty leaves them paths
	Rules      *dunning.Rules
	Clock      clock.Clock
	Log        *slog.Logger
}

// handlers lists every job in the order in which work flows.
func (w *Worker) handlers() map[string]asynq.HandlerFunc {
	return map[string]asynq.HandlerFunc{
		kindRender:  handle(w.render),  // a document without a PDF
		kindShip:    handle(w.ship),    // a shipment that is owed
		kindCollect: handle(w.collect), // a hand-over of which the debt collector is owed something
		kindFetch:   handle(w.fetch),   // a look into the bank's folder that is due
		kindImport:  handle(w.imports), // a payment file that is not at its end
		kindSuggest: handle(w.suggest), // a payment in the queue that nobody has looked at
		kindRun:     handle(w.run),     // a business date without its run
		kindDeliver: handle(w.deliver), // events that a webhook is owed
	}
}

// handle reads a job's payload and does it. A payload that cannot be read will never be: it is archived.
func handle[P any](do func(context.Context, P) error) asynq.HandlerFunc {
	return func(ctx context.Context, t *asynq.Task) error {
		var payload P
		if err := json.Unmarshal(t.Payload(), &payload); err != nil {
			return fmt.Errorf("read the payload of %s: %w: %w", t.Type(), err, asynq.SkipRetry)
		}
		return do(ctx, payload)
	}
}

// Pace says how a worker asks the queue for work.
type Pace struct {
	Concurrency int           // jobs at once
	Poll        time.Duration // how long to wait before asking an empty queue again
}

const (
	// webhookConcurrency is how many deliveries to webhooks are on their way at once, of all webhooks. They
	// mostly wait for their endpoints.
	webhookConcurrency = 32
	// webhookPoll is the shortest pause before their empty queue is asked again: where simulated days pass, two
	// that are asked all the time would cost more than the work.
	webhookPoll = 10 * time.Millisecond
)

// Start begins to work, and returns how to stop: running jobs get the grace period to finish and are put
// back otherwise (rule R4).
func (w *Worker) Start(p Pace, grace time.Duration) (stop func(), err error) {
	stopJobs, err := w.serve(queueName, p, grace)
	if err != nil {
		return nil, err
	}
	stopWebhooks, err := w.serve(webhookQueue, Pace{Concurrency: webhookConcurrency, Poll: max(p.Poll, webhookPoll)}, grace)
	if err != nil {
		stopJobs()
		return nil, err
	}
	return func() {
		var both sync.WaitGroup
		both.Go(stopJobs)
		both.Go(stopWebhooks)
		both.Wait()
	}, nil
}

// serve begins to do the jobs of one queue.
func (w *Worker) serve(queue string, p Pace, grace time.Duration) (stop func(), err error) {
	server := asynq.NewServerFromRedisClient(w.Queue.redis, asynq.Config{
		Concurrency:              p.Concurrency,
		Queues:                   map[string]int{queue: 1},
		TaskCheckInterval:        p.Poll,
		DelayedTaskCheckInterval: time.Second,
		ShutdownTimeout:          grace,
		RetryDelayFunc:           func(n int, _ error, _ *asynq.Task) time.Duration { return models.RetryPause(n + 1) },
		ErrorHandler:             asynq.ErrorHandlerFunc(w.failed),
		Logger:                   asynqLog{w.Log},
		LogLevel:                 asynq.WarnLevel,
	})
	mux := asynq.NewServeMux()
	for kind, h := range w.handlers() {
		mux.HandleFunc(kind, h)
	}
	if err := server.Start(mux); err != nil {
		return nil, fmt.Errorf("start the worker of %s: %w", queue, err)
	}
	return func() {
		server.Stop()
		server.Shutdown()
	}, nil
}

func (w *Worker) failed(ctx context.Context, t *asynq.Task, err error) {
	retried, _ := asynq.GetRetryCount(ctx)
	w.Log.Error("a job failed", "kind", t.Type(), "payload", string(t.Payload()), "attempt", retried+1, "error", err)
}

// asynqLog hands asynq's own messages to the program's log.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Info(args ...any)  { l.log.Info(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Warn(args ...any)  { l.log.Warn(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Error(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }

// Fatal is asynq's last word. It does not end the process: that is main's to do.
func (l asynqLog) Fatal(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }
