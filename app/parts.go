package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api"
	"purr/api/access"
	"purr/api/guard"
	"purr/app/certificate"
	"purr/console"
	"purr/console/outlook"
	"purr/internal/clock"
	"purr/jobs"
	"purr/mailer"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/mailer/shipments/bounces"
	"purr/mailer/ways/own"
	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
)

// How long running work may go on after a stop, first requests, then jobs. What comes after them takes some seconds more. The whole stop
// must end within 20 s, also if Redis is gone and a mail server hangs (rules R4, D90).
const (
	requestsGrace = 5 * time.Second
	jobsGrace     = 9 * time.Second
)

// startWorker starts the background jobs.
func (a *App) startWorker(ctx context.Context, cfg Settings) error {
	outbox, err := mailer.OutboxIn(a.storage.Below(outboxName))
	if err != nil {
		return err
	}
	if err := a.storage.Below(outboxName).Below("avtalegiro").Prepare(); err != nil {
		return fmt.Errorf("make the outbox: %w", err)
	}
	a.swept(outbox.Sweep)
	holder, err := jobs.Join(ctx, a.DB, a.Queue, filepath.Join(cfg.Data, "workers"), a.ways.Kinds(), a.log)
	if err != nil {
		return err
	}
	a.onClose("worker's leases", holder.Leave)
	sends, err := a.dispatcher(ctx, cfg, outbox)
	if err != nil {
		return err
	}
	creditors := own.New(a.ways, waySettings(cfg, a.storage.Below(outboxName)), outbox)
	sends.Own = creditors
	worker := &jobs.Worker{
		DB: a.DB, Queue: a.Queue, Holder: holder, Dispatch: sends,
		Bundles:    &dispatch.Bundles{Part: sends.Part, Look: sends.Look, Collection: a.Collection, Collector: a.ways[models.Bundles].Collector(outbox), Own: creditors, Log: a.log},
		Deliveries: &dispatch.Deliveries{Webhooks: webhook.NewSender(webhook.Timeout, clock.System{}, cfg.Webhooks.Private), BaseURL: cfg.API.BaseURL, Log: a.log},
		Claims:     &dispatch.ClaimFiles{Part: sends.Part, Files: a.ClaimFiles, To: a.ways[models.Claims].Claims(), Log: a.log}, ClaimReceipts: a.claimReceipts(cfg),
		Importer: a.Importer, Bank: a.Bank, Runs: a.Runs, Receipts: a.ways.Receipts(), CollectorReports: a.collectorReports(cfg), Folders: creditors,
		Remover: a.Remover, Traces: a.traces, Log: a.log,
	}
	if err := shipments.TakeUp(ctx, a.DB, sends.Part); err != nil {
		return err
	}
	stop, err := worker.Start(cfg.Worker.Concurrency, jobsGrace)
	if err != nil {
		return err
	}
	a.checks = append(a.checks, api.Check{Name: "worker", Ask: worker.Alive})
	a.onClose("worker", func(context.Context) error { stop(); return nil })
	return nil
}

// dispatcher returns what sends shipments: by the ways out, and by the outbox where a way leads to a folder.
func (a *App) dispatcher(ctx context.Context, cfg Settings, outbox *mailer.Outbox) (*dispatch.Dispatcher, error) {
	channels, err := a.ways.Channels(outbox)
	if err != nil {
		return nil, err
	}
	for _, c := range channels {
		if files, is := c.(interface{ Sweep(before time.Time) error }); is {
			a.swept(files.Sweep)
		}
	}
	bounceKey, err := a.DB.BounceKey(ctx)
	if err != nil {
		return nil, err
	}
	d := &dispatch.Dispatcher{
		Part: shipments.Part{Ways: a.ways.Kinds(), Sender: cfg.Mail.From}, DB: a.DB, Documents: a.Documents, Channels: channels, Shop: a.ways.Shop(),
		EHF: a.Documents.EHF, Lookup: a.lookup, BounceKey: bounceKey, MailRate: cfg.Mail.Rate, Look: shipments.SecondLook{Rules: a.Rules, OnlyWarn: cfg.AuditBeforeSending == "warn"}, Clock: a.Clock, Log: a.log,
	}
	if _, simulated := a.Clock.(*clock.Test); simulated {
		d.Wall = clock.System{}
	}
	return d, nil
}

// warnOfClock warns if the clock is behind what is in the books (rule O12): then the clock is wrong now, or was wrong.
func (a *App) warnOfClock(ctx context.Context) error {
	newest, found, err := a.DB.NewestEntry(ctx)
	if err != nil || !found {
		return err
	}
	const allowed = 30 * time.Second // between machines
	if now := a.Clock.Now(); newest.Sub(now) > allowed {
		a.log.Warn("the clock is behind the newest entry: it is wrong, or was wrong when that entry was written", "clock", now, "entry", newest)
	}
	return nil
}

// startScheduler starts the schedule. With a test clock it also makes the mover of the clock.
func (a *App) startScheduler(ctx context.Context, cfg Settings, parts Parts) error {
	if err := a.warnOfClock(ctx); err != nil {
		return err
	}
	reports, err := bounces.Open(a.storage.Below(reportsName), a.DB, a.log)
	if err != nil {
		return err
	}
	a.swept(reports.Sweep)
	s := &jobs.Scheduler{DB: a.DB, Queue: a.Queue, Inbox: a.Inbox, Bounces: reports, Bank: a.Bank, Shop: a.ways.Shop(), Receipts: a.ways.Receipts(), CollectorReports: a.collectorReports(cfg), ClaimReceipts: a.claimReceipts(cfg),
		Folders: own.New(a.ways, waySettings(cfg, a.storage.Below(outboxName)), new(mailer.Outbox)), Clock: a.Clock, Log: a.log}
	kinds := a.ways.Kinds()
	if parts.Worker {
		kinds = nil
	}
	if err := s.KeepWays(ctx, kinds); err != nil {
		return err
	}
	if test, is := a.Clock.(*clock.Test); is {
		a.mover = jobs.NewTestClock(test, s)
	}
	a.checks = append(a.checks, api.Check{Name: "scheduler", Ask: s.Alive})
	stop := s.Start(context.WithoutCancel(ctx))
	a.onClose("scheduler", func(context.Context) error { stop(); return nil })
	if a.mover != nil {
		a.onClose("test clock", func(context.Context) error { a.mover.Close(); return nil })
	}
	return nil
}

// startHTTP starts the HTTP server: the API, or what tells of the health of the other parts alone (rule O6).
func (a *App) startHTTP(ctx context.Context, cfg Settings, parts Parts) error {
	registry := prometheus.NewRegistry()
	keys := access.New(a.DB, cfg.Callers.Proxies, clock.System{}, a.log)
	if cfg.Sessions.Idle > 0 {
		keys.Idle = cfg.Sessions.Idle
	}
	a.keys = keys
	conf := api.Config{
		DB: a.DB, Keys: keys, Documents: a.Documents, Collection: a.Collection, Accounts: a.Journal, Importer: a.Importer, Rules: a.Rules, Queue: a.Queue, Lookup: a.lookup, Clock: a.Clock, Wall: clock.System{},
		BaseURL: cfg.API.BaseURL, RateLimit: cfg.Callers.RateLimit, Proxies: cfg.Callers.Proxies, PublicWebhooks: !cfg.Webhooks.Private, Ways: Changer(cfg), Metrics: a.metrics(registry, cfg), Registry: registry, Traces: a.traces, Log: a.log,
		HealthOnly: !parts.API,
		Checks: append([]api.Check{
			{Name: "database", Ask: a.DB.ForReadiness().Probe},
			{Name: "queue", Ask: a.Queue.Probe},
			{Name: "store", Ask: a.Archive.Ping},
			{Name: "clock", Ask: a.checkClock, Warn: true},
			{Name: "hold", Ask: a.checkHold, Warn: true},
			{Name: "creditors", Ask: a.checkCreditors, Warn: true},
			{Name: "ways", Ask: a.checkWays, Warn: true},
			{Name: "forgotten", Ask: a.checkForgotten, Warn: true},
		}, a.checks...),
	}
	if a.mover != nil {
		conf.TestClock = a.mover // a nil *TestClock in an interface would not be nil
	}
	handler := api.New(conf)
	a.onClose("API's own", func(context.Context) error { return handler.Close() })
	server := handler.HTTP()
	if parts.API {
		server.Handler = a.withConsole(handler, keys, registry, cfg)
	}
	return a.listen(ctx, cfg, server)
}

// listen has a server answer at the address, with the certificate if there is one.
func (a *App) listen(ctx context.Context, cfg Settings, server *http.Server) error {
	scheme, serve := "http", server.Serve
	if cfg.Certificate.ChainFile != "" {
		shown, err := certificate.Load(cfg.Certificate.ChainFile, cfg.Certificate.KeyFile, clock.System{}, a.log)
		if err != nil {
			return err
		}
		a.certificate, server.TLSConfig = shown, shown.Config()
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

// withConsole returns what answers with the console on its paths (rule E10), and with the API on all others.
func (a *App) withConsole(interfaces *api.Server, keys *access.Keys, registry *prometheus.Registry, cfg Settings) http.Handler {
	background := guard.NewBackground(a.log)
	a.onClose("console's own", func(context.Context) error { background.Wait(); return nil })
	_, simulated := a.Clock.(*clock.Test)
	settings := console.Config{
		DB: a.DB.ForPages(), Keys: keys, Runs: a.Runs, Outlook: outlook.New(a.Runs, clock.System{}), Documents: a.Documents, Importer: a.Importer, Collection: a.Collection, Accounts: a.Journal, Rules: a.Rules, Queue: a.Queue, Clock: a.Clock, Wall: clock.System{}, Simulated: simulated, BaseURL: cfg.API.BaseURL,
		Background: background, Registry: registry, Log: a.log, Tour: cfg.Tour, Export: interfaces.ExportCustomer, PublicWebhooks: !cfg.Webhooks.Private, Ways: Changer(cfg),
		Depth: func(ctx context.Context) (console.QueueDepth, error) {
			d, err := a.Queue.Depth(ctx)
			if err != nil {
				return console.QueueDepth{}, err
			}
			return console.QueueDepth{Waiting: d.Waiting, Active: d.Active, Retrying: d.Retrying, GivenUp: d.Archived}, nil
		},
	}
	if a.mover != nil {
		settings.TestClock = a.mover // a nil *TestClock in an interface would not be nil
	}
	pages := console.New(settings)
	a.console = pages
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if console.Owns(r.URL.Path) {
			pages.ServeHTTP(w, r)
			return
		}
		interfaces.ServeHTTP(w, r)
	})
}

// clockTolerance is how far this machine's clock may be off the database's before a person is warned (rule O16).
const clockTolerance = 30 * time.Second

// checkClock fails if this machine's clock is not that of the database.
func (a *App) checkClock(ctx context.Context) error {
	ahead, err := a.DB.ClockAhead(ctx)
	if err != nil || ahead.Abs() <= clockTolerance {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	direction := "ahead of"
	if ahead < 0 {
		direction = "behind"
	}
	return fmt.Errorf("the clock of this machine is %s %s that of the database: set both by a time server", ahead.Abs().Round(time.Second), direction)
}

// faultsShown is how many creditors' faults readyz tells of.
const faultsShown = 5

// checkCreditors fails if work for a creditor alone fails (rule D102). It names creditors by their number: anybody may ask.
func (a *App) checkCreditors(ctx context.Context) error {
	faults, err := a.DB.ForReadiness().CreditorFaults(ctx, faultsShown+1)
	if err != nil || len(faults) == 0 {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	var told []string
	for _, f := range faults[:min(len(faults), faultsShown)] {
		told = append(told, fmt.Sprintf("creditor %d (%s)", f.CreditorID, f.Work))
	}
	if len(faults) > faultsShown {
		told = append(told, "and others")
	}
	return fmt.Errorf("degraded: work fails for %s; their events say why, and the others' work goes on", strings.Join(told, ", "))
}

// warnOfConnections warns if this part may take more connections than the database's server gives (rule D119).
func (a *App) warnOfConnections(ctx context.Context, parts Parts) {
	ours, servers, err := a.DB.Most(ctx)
	if err != nil || servers == 0 {
		return // an SQLite file has no server; one that does not answer is told of elsewhere
	}
	if ours+store.CommandConnections > servers {
		a.log.Warn("this part may take more connections than the database's server gives: lower --database-connections, or raise max_connections there",
			"parts", parts, "database_connections", ours, "max_connections", servers)
	}
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
