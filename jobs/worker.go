package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"purr/dunning/collection/reports"
	"purr/internal/tracing"
	"purr/jobs/runs"
	"purr/jobs/tasks"
	"purr/mailer/dispatch"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/register/privacy"
	"purr/store"
)

// Worker does the jobs. All fields must be set unless their comment says otherwise.
type Worker struct {
	DB         *store.DB
	Queue      *Queue
	Holder     *Holder
	Dispatch   *dispatch.Dispatcher
	Bundles    *dispatch.Bundles
	Claims     *dispatch.ClaimFiles
	Deliveries *dispatch.Deliveries
	Importer   *ocr.Importer
	Bank       *inbound.BankFolder // nil if the bank has no folder to poll
	Runs       *runs.Runs
	Receipts   []*receipts.Way // the ways out whose other side gives receipts
	// CollectorReports is the folder of the debt collector's reports; nil if there is none to read.
	CollectorReports *reports.Folder
	// Folders are the folders of single creditors in which a print shop or a debt collector tells; nil if there are none.
	Folders Folders
	// ClaimReceipts is the folder of the bank's receipts for claims of AvtaleGiro; nil if there is none to read.
	ClaimReceipts *avtalegiro.Folder
	Remover       *privacy.Remover
	Traces        *tracing.Tracer // nil tells nothing (rule K7)
	Log           *slog.Logger

	server *tasks.Server // nil before Start
	turns  *turns        // nil before Start
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

// handler does a job, by the payload of its task.
type handler func(ctx context.Context, payload []byte) error

// handle reads a job's payload and does the job.
func handle[P any](do func(context.Context, P) error) handler {
	return func(ctx context.Context, raw []byte) error {
		var payload P
		if err := json.Unmarshal(raw, &payload); err != nil {
			return forged{errors.New("the payload cannot be read: " + models.Shorten(err.Error(), tasks.MaxShown))}
		}
		return do(ctx, payload)
	}
}

// work does a task. The queue is believed about nothing: a task whose payload is forged is dropped with a line in the log (rule O12). If
// a row does owe the work, the sweep queues it again. A task of a kind that this program does not know goes back to the queue: while the
// parts are upgraded one after the other, a newer worker does it (rule K3).
func (w *Worker) work(ctx context.Context, kind string, payload []byte) error {
	k, known := kindOf(kind)
	if !known {
		return errUnknownKind
	}
	ctx, span := w.Traces.Task(ctx, kind)
	err := k.do(w)(ctx, payload)
	span.End(err)
	if isForged(err) {
		w.Log.Error("a task was dropped: it is forged, outdated or made by a wrong clock",
			"kind", models.Shorten(kind, tasks.MaxShown), "payload", models.Shorten(string(payload), tasks.MaxShown), "error", err)
		return nil
	}
	return err
}

var errUnknownKind = errors.New("this program knows no such kind of job: it waits for a newer worker")

const (
	// webhookConcurrency is the most simultaneous deliveries to all webhooks. They mostly wait for their endpoints.
	webhookConcurrency = 64
	// The lanes of shipments are shipShare times the concurrency, since they mostly wait for the mail server. A creditor
	// has at most one of shipShare parts of them, and as many parts of the deliveries.
	shipShare = 4
	// lettersConcurrency is how many creditors' letters go to the print shop at once.
	lettersConcurrency = 8
)

// Start begins to work, with up to concurrency jobs at once. stop lets running jobs finish within the grace period, and
// puts the others back (rule R4).
func (w *Worker) Start(concurrency int, grace time.Duration) (stop func(), err error) {
	lanes := map[string]int{}
	for _, k := range kinds() {
		if k.lanes != nil {
			lanes[k.name] = k.lanes(concurrency)
		}
	}
	w.turns = newTurns(lanes)
	server, err := w.Queue.Serve(handsFor(concurrency), grace, w.work)
	if err != nil {
		return nil, err
	}
	w.server = server
	return func() {
		close(w.turns.stopping)
		server.Stop()
	}, nil
}

// Alive fails if tasks have waited for a while although the worker has a hand free for them.
func (w *Worker) Alive(ctx context.Context) error { return w.server.Alive(ctx) }
