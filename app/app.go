package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"purr/api"
	"purr/api/access"
	"purr/app/backup"
	"purr/app/certificate"
	"purr/app/operator"
	"purr/console"
	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/internal/tracing"
	"purr/jobs"
	"purr/jobs/runs"
	"purr/law"
	"purr/ledger/accounts"
	"purr/mailer/peppol"
	"purr/mailer/ways"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/register/privacy"
	"purr/store"
)

// Parts says which of the long-running parts a process has. A command that ends by itself has none.
type Parts struct{ API, Worker, Scheduler bool }

// All are the parts of purr serve.
var All = Parts{API: true, Worker: true, Scheduler: true}

func (p Parts) any() bool { return p.API || p.Worker || p.Scheduler }

// String names the parts.
func (p Parts) String() string {
	var names []string
	for name, has := range map[string]bool{"api": p.API, "worker": p.Worker, "scheduler": p.Scheduler} {
		if has {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// App is a running program, or an installation that is open for a command. Close ends it.
type App struct {
	operator.Operator             // the acts of a person on the installation
	Inbox             jobs.Inbox  // nil without parts
	Queue             *jobs.Queue // nil without parts
	URL               string      // where it listens; empty for a part that does not

	data        string        // the data folder
	keys        *access.Keys  // nil without parts
	storage     storage.Place // archive, outboxes, inbox and reports
	ways        ways.All      // nil without parts
	log         *slog.Logger
	lookup      peppol.Lookup            // nil if the network is not asked
	checks      []api.Check              // of the parts that have started
	console     *console.Server          // nil without an API
	certificate *certificate.Certificate // that it shows; nil without TLS
	traces      *tracing.Tracer          // nil where no collector is named
	mover       *jobs.TestClock          // nil without a test clock
	about       []any                    // the attributes of the log lines at start and stop; nil until all parts have started
	failed      chan error
	closers     []closer
}

type closer struct {
	name  string
	close func(context.Context) error
}

// Start opens the installation and starts the parts, which write to log. Its error says what to do. If it returns no
// error, all parts are ready.
func Start(ctx context.Context, cfg Settings, parts Parts, log *slog.Logger) (*App, error) {
	if parts.any() {
		if err := checkInbox(cfg); err != nil {
			return nil, err
		}
	}
	if err := becomeOwner(cfg); err != nil {
		return nil, err
	}
	a := &App{log: log, data: cfg.Data, failed: make(chan error, 1)}
	if err := a.start(ctx, cfg, parts); err != nil {
		return nil, errors.Join(err, a.Close(context.WithoutCancel(ctx)))
	}
	return a, nil
}

func (a *App) start(ctx context.Context, cfg Settings, parts Parts) error {
	if err := errors.Join(missing(cfg, parts)...); err != nil {
		return err
	}
	if err := backup.CheckFinished(cfg.Data); err != nil {
		return err
	}
	if err := a.openInstallation(ctx, cfg, parts); err != nil || !parts.any() {
		return err
	}
	if err := a.announcePart(ctx, parts); err != nil {
		return err
	}
	if err := a.startParts(ctx, cfg, parts); err != nil {
		return err
	}
	if _, err := a.awaitFirstKey(); err != nil {
		return err
	}
	if err := a.checkClock(ctx); err != nil {
		a.log.Warn("the clock is wrong", "error", err)
	}
	a.warnOfConnections(ctx, parts)
	server, err := a.DB.Server(ctx)
	if err != nil {
		return err
	}
	a.about = about(cfg, parts, server)
	a.log.Info("purr has started", append(a.about, "url", a.URL)...)
	return nil
}

// missing returns what the parts need and do not have.
func missing(cfg Settings, parts Parts) (all []error) {
	if cfg.Database.Embedded() && parts != All {
		all = append(all, mustExist(cfg, databaseFile(cfg)))
	}
	if parts.any() && parts != All && cfg.RedisURL == "" {
		all = append(all, errNoRedis)
	}
	return all
}

var errNoRedis = errors.New("redis-url is needed: the API, the workers and the scheduler as separate processes meet in Redis (purr serve runs them in one, without)")

// startParts starts the parts of an installation that is open, one after the other.
func (a *App) startParts(ctx context.Context, cfg Settings, parts Parts) error {
	var err error
	if a.traces, err = tracing.Open(ctx, ThisBuild().Version, a.log); err != nil {
		return err
	}
	a.onClose("traces", a.traces.Close)
	if err := a.holdCopies(ctx, cfg); err != nil {
		return err
	}
	if err := privacy.KeepList(ctx, a.DB, cfg.Data); err != nil {
		return err
	}
	if cfg.Database.Embedded() {
		if err := a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.EndLeases(ctx) }); err != nil {
			return err
		}
	}
	if err := a.openQueue(ctx, cfg); err != nil {
		return err
	}
	if err := a.openWays(cfg); err != nil {
		return err
	}
	if parts.Worker {
		if err := a.startWorker(ctx, cfg); err != nil {
			return err
		}
	}
	if parts.Scheduler {
		if err := a.startScheduler(ctx, cfg, parts); err != nil {
			return err
		}
	}
	if parts.API || cfg.Listen != "" {
		return a.startHTTP(ctx, cfg, parts)
	}
	return nil
}

// openWays opens the ways out, and what asks the network which business gets EHF.
func (a *App) openWays(cfg Settings) (err error) {
	if a.lookup, err = newLookup(cfg.Lookup); err != nil {
		return err
	}
	a.ways, err = ways.OpenAll(waySettings(cfg, a.storage.Below(outboxName)))
	return err
}

// openInstallation opens what every command needs: the database, the clock and the archive. For the parts it also
// opens the inbox.
func (a *App) openInstallation(ctx context.Context, cfg Settings, parts Parts) (err error) {
	a.Actor, a.Rules = operator.CommandLine(), law.Default()
	if cfg.Rules != "" {
		if a.Rules, err = operator.ReadRules(cfg.Rules); err != nil {
			return fmt.Errorf("--rules: %w", err)
		}
	}
	if a.storage, err = OpenStorage(ctx, cfg); err != nil {
		return err
	}
	if err := a.openDatabase(ctx, cfg, parts); err != nil {
		return err
	}
	if err := a.setClock(ctx, cfg, parts); err != nil {
		return err
	}
	if a.Archive, err = openArchive(cfg, a.storage); err != nil {
		return err
	}
	if parts.any() {
		if err := a.checkStorage(ctx, cfg); err != nil {
			return err
		}
		a.Archive.LogTo(a.log) // a command prints what it finds itself
		a.swept(a.Archive.Sweep)
	}
	a.Archive.KeepFree(cfg.Archive.MinFree)
	a.Documents = documents.New(a.DB, a.Archive)
	a.Remover = &privacy.Remover{DB: a.DB, Archive: a.Archive, Folders: foldersOf(cfg, a.storage), Log: a.log}
	a.Collection = collection.New(a.DB, a.Documents, a.Archive, a.Rules)
	a.Journal = accounts.New(a.DB, a.Archive, ThisBuild().Version)
	a.ClaimFiles = avtalegiro.New(a.DB, a.Archive)
	if a.Importer = ocr.NewImporter(a.DB, a.Archive, a.log); !parts.any() {
		a.Importer = a.Importer.By(a.Actor) // a person is the actor of a command's import
	}
	a.Importer.KeepRejected(cfg.Files.KeepRejected)
	a.Runs = &runs.Runs{DB: a.DB, Rules: a.Rules, Clock: a.Clock, Log: a.log}
	if err := a.openBank(cfg); err != nil || !parts.any() {
		return err
	}
	if err := a.openInbox(ctx, cfg); err != nil {
		return err
	}
	a.keepPrivate(cfg.Data)
	return nil
}

// swept removes files that were left behind by a writer that was killed. A writer that is still at work has changed its
// file within the last hour.
func (a *App) swept(sweep func(before time.Time) error) {
	if err := sweep(clock.System{}.Now().Add(-time.Hour)); err != nil {
		a.log.Warn("files that were left behind could not be removed", "error", err)
	}
}

// openBank opens the bank's folder of payment files, if one is configured.
func (a *App) openBank(cfg Settings) error {
	if cfg.Bank.URL == "" {
		return nil
	}
	server, err := remote.NewServer(cfg.Bank.Access)
	if err != nil {
		return err
	}
	a.Bank = inbound.NewBankFolder(a.DB, a.Importer, server, cfg.Bank.After, cfg.Bank.Every, a.log)
	return nil
}

// SignInLink returns the address of a link that signs a browser in with an API key, once. The program must have an API.
func (a *App) SignInLink(key string) string { return a.URL + a.console.SignInLink(key) }

// Wait returns when the context ends, or a part has failed.
func (a *App) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.failed:
		return err
	}
}

// Close ends everything in reverse order: first the sources of new work, then running work, then the connections and
// files (rule R4).
func (a *App) Close(ctx context.Context) error {
	var errs []error
	if a.Queue != nil && a.closers != nil {
		defer a.Queue.Ending()()
	}
	for _, c := range slices.Backward(a.closers) {
		if err := c.close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("close the %s: %w", c.name, err))
		}
	}
	a.closers = nil
	if a.about != nil {
		a.log.Info("purr has stopped", a.about...)
		a.about = nil
	}
	return errors.Join(errs...)
}

func (a *App) onClose(name string, c func(context.Context) error) {
	a.closers = append(a.closers, closer{name, c})
}

// NewLog returns the program's log in the configured format. It leaves out entries below the configured level.
func NewLog(w io.Writer, cfg Settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
