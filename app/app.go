// Package app joins the parts of the program. It is the only package that knows all of them; it holds no
// rule of its own.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"purr/archive"
	"purr/clock"
	"purr/collection"
	"purr/config"
	"purr/documents"
	"purr/dunning"
	"purr/jobs"
	"purr/mailer"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store"
	"purr/webhook"
)

// Parts says which of the long-running parts a process has. A command that only works on the
// installation has none.
type Parts struct{ API, Worker, Scheduler bool }

// All are the parts of purr serve.
var All = Parts{API: true, Worker: true, Scheduler: true}

func (p Parts) any() bool { return p.API || p.Worker || p.Scheduler }

// App is a running program, or an open installation for a command. Close ends it.
type App struct {
	DB         *store.DB
	Archive    *archive.Archive
	Documents  *documents.Store
	Collection *collection.Store
	Importer   *ocr.Importer
	Inbox      *inbound.Inbox
	Bank       *inbound.BankFolder // nil where files are not fetched from the bank
	Rules      *dunning.Rules      // the program's and the operator's folder's; RulesFor gives a creditor's
	Queue      *jobs.Queue         // nil without parts
	Clock      clock.Clock
	URL        string // where the API listens; empty without it

	log     *slog.Logger
	mover   *jobs.TestClock // nil without a test clock
	failed  chan error
	closers []closer
}

type closer struct {
	name  string
	close func(context.Context) error
}

// Start opens the installation and starts the parts. With parts it logs to log; what it fails with says
// what to do next. When it returns without error everything is ready.
func Start(ctx context.Context, cfg config.Config, parts Parts, log *slog.Logger) (*App, error) {
	a := &App{log: log, failed: make(chan error, 1)}
	if err := a.start(ctx, cfg, parts); err != nil {
		return nil, errors.Join(err, a.Close(context.WithoutCancel(ctx)))
	}
	return a, nil
}

func (a *App) start(ctx context.Context, cfg config.Config, parts Parts) error {
	if parts.any() && parts != All && cfg.RedisURL == "" {
		return errors.New("redis-url is needed: the API, the workers and the scheduler as separate processes meet in Redis (purr serve runs them in one, without)")
	}
	if err := a.openInstallation(ctx, cfg, parts); err != nil {
		return err
	}
	if !parts.any() {
		return nil
	}
	if err := a.openQueue(ctx, cfg); err != nil {
		return err
	}
	if err := a.startWorker(cfg, parts); err != nil {
		return err
	}
	if err := a.startScheduler(ctx, parts); err != nil {
		return err
	}
	if !parts.API {
		return nil
	}
	return a.startAPI(ctx, cfg)
}

// openInstallation opens what every command needs: database, archive, inbox, clock.
func (a *App) openInstallation(ctx context.Context, cfg config.Config, parts Parts) error {
	if err := a.loadRules(cfg); err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	if err := a.openDatabase(ctx, cfg); err != nil {
		return err
	}
	if err := a.setClock(ctx, cfg, parts); err != nil {
		return err
	}
	var err error
	if a.Archive, err = archive.Open(filepath.Join(cfg.Data, "archive")); err != nil {
		return err
	}
	a.Documents = documents.New(a.DB, a.Archive)
	a.Collection = collection.New(a.DB, a.Documents, a.Archive, a.Rules)
	a.Importer = ocr.NewImporter(a.DB, a.Archive, a.log)
	if err := a.openBank(cfg.SFTP); err != nil {
		return err
	}
	if !parts.any() {
		return nil
	}
	if a.Inbox, err = inbound.OpenInbox(cfg.Inbox, a.Importer, a.log); err != nil {
		return err
	}
	a.onClose("inbox", func(context.Context) error { return a.Inbox.Close() })
	return nil
}

// openDatabase opens the database and sees to its schema: the embedded default keeps its own, another
// must have been migrated (rule R2).
func (a *App) openDatabase(ctx context.Context, cfg config.Config) error {
	db, err := store.Open(cfg.DatabaseURL, clock.System{})
	if err != nil {
		return fmt.Errorf("database-url: %w", err)
	}
	a.DB = db
	a.onClose("database", func(context.Context) error { return db.Close() })
	if cfg.Embedded() {
		_, err = db.Migrate(ctx)
		return err
	}
	return db.CheckSchema(ctx)
}

// setClock gives the program its clock: the system's, or the test clock that goes on from where the
// installation's stands (rule R5b).
func (a *App) setClock(ctx context.Context, cfg config.Config, parts Parts) error {
	saved, isTest, err := jobs.SavedTestClock(ctx, a.DB)
	switch {
	case err != nil:
		return err
	case !isTest && cfg.TestClock.IsZero():
		a.Clock = clock.System{}
		return nil
	case cfg.TestClock.IsZero() && parts.any():
		return fmt.Errorf("this installation runs on a test clock, which stands at %s: start it with --test-clock", saved.Format(time.RFC3339))
	}
	if cfg.TestClock.After(saved) {
		saved = cfg.TestClock
	}
	a.Clock = clock.NewTest(saved)
	a.DB = a.DB.WithClock(a.Clock)
	if !parts.any() {
		return nil // the server, which may be running, moves the clock
	}
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return jobs.SaveTestClock(ctx, tx, saved) })
}

// startWorker starts the background jobs.
func (a *App) startWorker(cfg config.Config, parts Parts) error {
	if !parts.Worker {
		return nil
	}
	outbox, err := mailer.NewOutbox(filepath.Join(cfg.Data, "outbox"))
	if err != nil {
		return err
	}
	worker := &jobs.Worker{
		DB: a.DB, Queue: a.Queue, Documents: a.Documents, Email: outbox, Letters: outbox,
		Collection: a.Collection,
		Importer:   a.Importer, Bank: a.Bank, Webhooks: webhook.NewSender(webhook.Timeout, clock.System{}), BaseURL: cfg.BaseURL,
		Rules: a.Rules, Clock: a.Clock, Log: a.log,
	}
	if worker.Collector, err = collector(cfg.Collector, outbox); err != nil {
		return err
	}
	if cfg.SMTPURL != "" {
		if worker.Email, err = mailer.NewSMTP(cfg.SMTPURL); err != nil {
			return fmt.Errorf("smtp-url: %w", err)
		}
	}
	stop, err := worker.Start(jobs.Pace{Concurrency: cfg.Concurrency, Poll: a.pollPause(cfg)}, jobsGrace)
	if err != nil {
		return err
	}
	a.onClose("worker", func(context.Context) error { stop(); return nil })
	return nil
}

// jobsGrace is how long running jobs may go on after SIGTERM (rule R4: the whole within 30 s).
const jobsGrace = 20 * time.Second

// pollPause is how long a worker waits before it asks an empty queue again: as short as the queue can
// bear, since it is how long a mail waits that nothing else holds up.
func (a *App) pollPause(cfg config.Config) time.Duration {
	switch {
	case isTestClock(a.Clock):
		return 5 * time.Millisecond // simulated days are to pass quickly
	case cfg.RedisURL == "":
		return 50 * time.Millisecond
	}
	return 200 * time.Millisecond
}

func isTestClock(c clock.Clock) bool {
	_, is := c.(*clock.Test)
	return is
}

// startScheduler starts the cron table, or, with a test clock, what moves it instead.
func (a *App) startScheduler(ctx context.Context, parts Parts) error {
	if !parts.Scheduler {
		return nil
	}
	s := &jobs.Scheduler{DB: a.DB, Queue: a.Queue, Inbox: a.Inbox, Bank: a.Bank, Clock: a.Clock, Log: a.log}
	if test, is := a.Clock.(*clock.Test); is {
		a.mover = jobs.NewTestClock(test, s)
	}
	stop, err := s.Start(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	a.onClose("scheduler", func(context.Context) error { stop(); return nil })
	return nil
}

// Wait returns when the context ends, or a part has failed.
func (a *App) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.failed:
		return err
	}
}

// Close ends everything in reverse: no new work, then running work, then what it needs (rule R4).
func (a *App) Close(ctx context.Context) error {
	var errs []error
	for _, c := range slices.Backward(a.closers) {
		if err := c.close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("close the %s: %w", c.name, err))
		}
	}
	a.closers = nil
	return errors.Join(errs...)
}

func (a *App) onClose(name string, c func(context.Context) error) {
	a.closers = append(a.closers, closer{name, c})
}

// NewLog returns the program's log in the format of the configuration.
func NewLog(w io.Writer, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}
