package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/mailer/webhook"
	"purr/models"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store"
)

// maxRetry is how often asynq repeats a task that failed unexpectedly. Then it archives the task, for a person to see. The
// sweep takes it up again while its row is owed.
// An expected failure, such as an unreachable mail server, is recorded on the row and has its own pauses (rule R5c).
const maxRetry = 25

// longestPause is the longest pause before asynq repeats a task. The database or Redis may be back at any moment, and what is
// owed must then go on soon (rule S6).
const longestPause = 10 * time.Second

// Worker does the jobs. All fields must be set unless their comment says otherwise.
type Worker struct {
	DB         *store.DB
	Queue      *Queue
	Holder     *Holder
	Documents  *documents.Store
	Channels   map[models.ShipmentMethod]mailer.Channel
	BounceKey  string                                                                         // makes the tags of e-mails (see shipments.Tag)
	EHF        func(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) // the document as UBL
	Lookup     peppol.Lookup                                                                  // nil if the network is not asked what customers receive
	Collection *collection.Store
	Collector  mailer.CollectorSender
	Importer   *ocr.Importer
	Bank       *inbound.BankFolder // nil if the bank has no folder to poll
	Webhooks   *webhook.Sender
	BaseURL    string // the start of URIs in the bodies of webhooks; if empty, they are paths
	Runs       *runs.Runs
	Shop       *letters.Shop   // nil if letters leave one by one, by their channel
	Receipts   []*receipts.Way // the ways out whose other side gives receipts
	Ways       models.Ways     // the kinds of the ways by which it hands over; nil for folders alone
	Sender     string          // the address of e-mails of creditors that have none, or empty
	MailRate   float64         // the most e-mails a second of one creditor; 0 is no limit
	Wall       clock.Clock     // by which e-mails take turns; nil for the database's time
	Log        *slog.Logger

	hands []*hands // one for each queue, once it has started
	turns *turns   // nil before Start
}

// part is how the worker hands over.
func (w *Worker) part() shipments.Part { return shipments.Part{Ways: w.Ways, Sender: w.Sender} }

// TakeUp tries at once what waits for one of the worker's ways, since it may have been set right (rules D105, D107).
func (w *Worker) TakeUp(ctx context.Context) error { return shipments.TakeUp(ctx, w.DB, w.part()) }

// handlers lists every job in the order in which work flows.
func (w *Worker) handlers() map[string]asynq.HandlerFunc {
	return map[string]asynq.HandlerFunc{
		kindShip:     handle(untilTheSweep(w, w.ship)),    // due shipments of a creditor
		kindBatch:    handle(untilTheSweep(w, w.batch)),   // a creditor's letters due to the print shop
		kindReceipts: handle(w.receipts),                  // what a print shop tells of its letters, or an access point of its e-invoices
		kindCollect:  handle(untilTheSweep(w, w.collect)), // a hand-over with a bundle or message due to the debt collector
		kindPoll:     handle(w.poll),                      // a due poll of the bank's folder
		kindImport:   handle(w.importFile),                // a payment file that is not completely imported
		kindSuggest:  handle(ofOneCreditor(w, w.suggest)), // an unmatched payment without suggestions
		kindRun:      handle(ofOneCreditor(w, w.run)),     // a business date without its run
		kindDeliver:  handle(untilTheSweep(w, w.deliver)), // due deliveries of a webhook
	}
}

// untilTheSweep ends a lane, or a hand-over, that cannot go on because the database is away. The sweep queues it as soon as the
// database is back, which is sooner than asynq would repeat it, or take it up again after too many tries.
func untilTheSweep[P any](w *Worker, do func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		err := do(ctx, p)
		if models.KindOf(err) == models.KindUnavailable {
			w.Log.Warn("a job ends until the database is back", "payload", p, "error", err)
			return nil
		}
		return err
	}
}

// handle reads a job's payload and does the job.
func handle[P any](do func(context.Context, P) error) asynq.HandlerFunc {
	return func(ctx context.Context, t *asynq.Task) error {
		var payload P
		if err := json.Unmarshal(t.Payload(), &payload); err != nil {
			return &models.Error{Kind: models.KindInvalid, Msg: "the payload cannot be read: " + models.Shorten(err.Error(), maxShown)}
		}
		return do(ctx, payload)
	}
}

// work does a task. The queue is believed about nothing: a task that names what there is not, or asks for what is
// refused, is dropped with a line in the log, because another try would end the same way (rule O12). If a row does owe
// the work, the sweep queues it again.
func (w *Worker) work(ctx context.Context, t *asynq.Task) error {
	do, known := w.handlers()[t.Type()]
	if !known {
		do = func(context.Context, *asynq.Task) error { return models.NotFound("kind of job") }
	}
	err := do(ctx, t)
	if kind := models.KindOf(err); err != nil && (kind == models.KindNotFound || kind == models.KindInvalid) {
		w.Log.Error("a task was dropped: it is forged, outdated or made by a wrong clock",
			"kind", models.Shorten(t.Type(), maxShown), "payload", models.Shorten(string(t.Payload()), maxShown), "error", err)
		return nil
	}
	return err
}

// maxShown is how many characters of a task's own texts the log shows.
const maxShown = 200

const (
	// webhookConcurrency is the most simultaneous deliveries to all webhooks. They mostly wait for their endpoints.
	webhookConcurrency = 64
	// The lanes of shipments are shipShare times the concurrency, since they mostly wait for the mail server. A creditor
	// has at most one of shipShare parts of them, and as many parts of the deliveries.
	shipShare = 4
	// lettersConcurrency is how many creditors' letters go to the print shop at once.
	lettersConcurrency = 8
	// askAgain is asynq's pause before it asks for the next task again. The doorbell holds the question back.
	askAgain = time.Millisecond
	// forwardEvery is how often asynq looks for failed tasks whose pause is over. The pause is 5 seconds or more. It is asynq's
	// period for all else that it repeats, so that it wakes the program for everything at once.
	forwardEvery = 5 * time.Second
	// tidyEvery is how often asynq removes the tasks that were kept after their end. None is.
	tidyEvery = time.Hour
)

// Start begins to work, with up to concurrency jobs at once. stop lets running jobs finish within the grace period, and
// puts the others back (rule R4).
func (w *Worker) Start(concurrency int, grace time.Duration) (stop func(), err error) {
	w.turns = newTurns(map[string]int{kindShip: concurrency, kindDeliver: webhookConcurrency / shipShare, kindBatch: 1})
	stops := []func(){w.Queue.bell.listen(context.Background(), w.Log)}
	stop = func() {
		close(w.turns.stopping)
		var all sync.WaitGroup
		for _, s := range stops {
			all.Go(s)
		}
		all.Wait()
	}
	for _, queue := range []struct {
		name        string
		concurrency int
	}{{queueName, concurrency}, {shipQueue, shipShare * concurrency}, {webhookQueue, webhookConcurrency}, {lettersQueue, lettersConcurrency}} {
		s, err := w.serve(queue.name, queue.concurrency, grace)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, s)
	}
	return stop, nil
}

// serve starts an asynq server for one queue.
func (w *Worker) serve(queue string, concurrency int, grace time.Duration) (stop func(), err error) {
	server := w.server(queue, concurrency, grace)
	own := &hands{queue: queue, most: int32(concurrency)}
	own.pulse.beat()
	if err := server.Start(own.count(asynq.HandlerFunc(w.work))); err != nil {
		return nil, fmt.Errorf("start the worker of %s: %w", queue, err)
	}
	w.hands = append(w.hands, own)
	return func() { w.Queue.bell.end(queue, server) }, nil
}

func (w *Worker) server(queue string, concurrency int, grace time.Duration) *asynq.Server {
	return asynq.NewServerFromRedisClient(w.Queue.redis, asynq.Config{
		Concurrency:              concurrency,
		Queues:                   map[string]int{queue: 1},
		TaskCheckInterval:        askAgain,
		DelayedTaskCheckInterval: forwardEvery,
		JanitorInterval:          tidyEvery,
		ShutdownTimeout:          grace,
		RetryDelayFunc:           func(n int, _ error, _ *asynq.Task) time.Duration { return min(models.RetryPause(n+1), longestPause) },
		ErrorHandler:             asynq.ErrorHandlerFunc(w.failed),
		Logger:                   asynqLog{w.Log},
		LogLevel:                 asynq.WarnLevel,
	})
}

func (w *Worker) failed(ctx context.Context, t *asynq.Task, err error) {
	retried, _ := asynq.GetRetryCount(ctx)
	w.Log.Error("a job failed", "kind", t.Type(), "payload", models.Shorten(string(t.Payload()), maxShown), "attempt", retried+1, "error", err)
}

// asynqLog writes asynq's own messages to the program's log.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Info(args ...any)  { l.log.Info(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Warn(args ...any)  { l.log.Warn(fmt.Sprint(args...), "from", "asynq") }
func (l asynqLog) Error(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }

// Fatal logs without ending the process: only main may do that.
func (l asynqLog) Fatal(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }
