package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api"
	"purr/api/guard"
	"purr/certificate"
	"purr/clock"
	"purr/config"
	"purr/jobs"
	"purr/mailer"
	"purr/remote"
	"purr/webhook"
)

// How long running work may go on after a stop; the whole stop must end within 30 s (rule R4).
const (
	requestsGrace = 6 * time.Second
	jobsGrace     = 20 * time.Second
)

// startWorker starts the background jobs.
func (a *App) startWorker(ctx context.Context, cfg config.Config) error {
	outbox, err := mailer.NewOutbox(filepath.Join(cfg.Data, "outbox"))
	if err != nil {
		return err
	}
	holder, err := jobs.Join(ctx, a.DB, a.Queue, filepath.Join(cfg.Data, "workers"), a.log)
	if err != nil {
		return err
	}
	a.onClose("worker's leases", holder.Leave)
	worker := &jobs.Worker{
		DB: a.DB, Queue: a.Queue, Holder: holder, MailRate: cfg.MailRate, Documents: a.Documents, Email: outbox, Letters: outbox, Collector: outbox,
		Collection: a.Collection, Importer: a.Importer, Bank: a.Bank,
		Webhooks: webhook.NewSender(webhook.Timeout, clock.System{}, cfg.WebhookPrivateAddresses), BaseURL: cfg.BaseURL, Runs: a.Runs, Log: a.log,
	}
	if _, simulated := a.Clock.(*clock.Test); simulated {
		worker.Wall = clock.System{}
	}
	if cfg.Collector.URL != "" {
		server, err := remote.NewServer(access(cfg.Collector, config.CollectorPrefix))
		if err != nil {
			return err
		}
		worker.Collector = mailer.NewSFTP(server)
	}
	if cfg.SMTPURL != "" {
		if worker.Email, err = mailer.NewSMTP(cfg.SMTPURL); err != nil {
			return fmt.Errorf("smtp-url: %w", err)
		}
	}
	stop, err := worker.Start(cfg.Concurrency, a.pollPause(cfg), jobsGrace)
	if err != nil {
		return err
	}
	a.onClose("worker", func(context.Context) error { stop(); return nil })
	return nil
}

// pollPause is how long a worker waits before it reads an empty queue again. A new mail may wait this long, so the
// pause is as short as the queue allows.
func (a *App) pollPause(cfg config.Config) time.Duration {
	if _, simulated := a.Clock.(*clock.Test); simulated {
		return 5 * time.Millisecond // so that simulated days pass quickly
	}
	if cfg.RedisURL == "" {
		return 50 * time.Millisecond
	}
	return 200 * time.Millisecond
}

// startScheduler starts the schedule. With a test clock it also makes the mover of the clock.
func (a *App) startScheduler(ctx context.Context) {
	s := &jobs.Scheduler{DB: a.DB, Queue: a.Queue, Inbox: a.Inbox, Bank: a.Bank, Clock: a.Clock, Log: a.log}
	if test, is := a.Clock.(*clock.Test); is {
		a.mover = jobs.NewTestClock(test, s)
	}
	stop := s.Start(context.WithoutCancel(ctx))
	a.onClose("scheduler", func(context.Context) error { stop(); return nil })
}

// startAPI starts the HTTP server.
func (a *App) startAPI(ctx context.Context, cfg config.Config) error {
	registry := prometheus.NewRegistry()
	conf := api.Config{
		DB: a.DB, Documents: a.Documents, Collection: a.Collection, Importer: a.Importer, Rules: a.Rules, Queue: a.Queue, Clock: a.Clock, Wall: clock.System{},
		BaseURL: cfg.BaseURL, RateLimit: guard.RateLimit{PerSecond: cfg.RateLimit}, PublicWebhooks: !cfg.WebhookPrivateAddresses, Metrics: a.metrics(registry), Registry: registry, Log: a.log,
		Checks: []api.Check{{Name: "database", Ask: a.DB.Ping}, {Name: "queue", Ask: a.Queue.Ping}, {Name: "store", Ask: a.Archive.Ping}},
	}
	if a.mover != nil {
		conf.TestClock = a.mover // a nil *TestClock in an interface would not be nil
	}
	handler := api.New(conf)
	a.onClose("API's own", func(context.Context) error { return handler.Close() })
	server := handler.HTTP()
	scheme, serve := "http", server.Serve
	if cfg.TLSCertificate != "" {
		shown, err := certificate.Load(cfg.TLSCertificate, cfg.TLSKey, clock.System{}, a.log)
		if err != nil {
			return err
		}
		server.TLSConfig = shown.Config()
		scheme, serve = "https", func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	a.URL = scheme + "://" + listener.Addr().String()
	a.onClose("API", func(ctx context.Context) error { return endRequests(ctx, server) })
	go func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("the API stopped: %w", err)
		}
	}()
	return nil
}

// endRequests accepts no new requests and lets the running ones finish. It cuts off slow clients.
func endRequests(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, requestsGrace)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}
