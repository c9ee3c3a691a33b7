// Package app joins the parts of the program. No other package knows all of them. It holds no business rule: it only
// opens, starts, stops and closes.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"purr/api"
	"purr/archive"
	"purr/backup"
	"purr/clock"
	"purr/collection"
	"purr/config"
	"purr/console"
	"purr/documents"
	"purr/dunning/law"
	"purr/jobs"
	"purr/letters"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/operator"
	"purr/peppol"
	"purr/remote"
	"purr/runs"
	"purr/shipments/receipts"
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
	operator.Operator                // the acts of a person on the installation
	Inbox             *inbound.Inbox // nil without parts
	Queue             *jobs.Queue    // nil without parts
	URL               string         // where it listens; empty for a part that does not

	shop     *letters.Shop   // nil without a print shop
	receipts []*receipts.Way // the ways out whose other side gives receipts
	log      *slog.Logger
	lookup   peppol.Lookup   // nil if the network is not asked
	checks   []api.Check     // of the parts that have started
	console  *console.Server // nil without an API
	mover    *jobs.TestClock // nil without a test clock
	about    []any           // the attributes of the log lines at start and stop; nil until all parts have started
	failed   chan error
	closers  []closer
}

type closer struct {
	name  string
	close func(context.Context) error
}

// Start opens the installation and starts the parts, which write to log. Its error says what to do. If it returns no
// error, all parts are ready.
func Start(ctx context.Context, cfg config.Config, parts Parts, log *slog.Logger) (*App, error) {
	if err := becomeOwner(cfg.Data); err != nil {
		return nil, err
	}
	a := &App{log: log, failed: make(chan error, 1)}
	if err := a.start(ctx, cfg, parts); err != nil {
		return nil, errors.Join(err, a.Close(context.WithoutCancel(ctx)))
	}
	return a, nil
}

func (a *App) start(ctx context.Context, cfg config.Config, parts Parts) error {
	var missing []error
	if cfg.Embedded() && parts != All {
		missing = append(missing, mustExist(cfg, strings.TrimPrefix(strings.TrimPrefix(cfg.DatabaseURL, "sqlite:"), "//")))
	}
	if parts.any() && parts != All && cfg.RedisURL == "" {
		missing = append(missing, errors.New("redis-url is needed: the API, the workers and the scheduler as separate processes meet in Redis (purr serve runs them in one, without)"))
	}
	if err := errors.Join(missing...); err != nil {
		return err
	}
	if err := backup.CheckFinished(cfg.Data); err != nil {
		return err
	}
	if err := a.openInstallation(ctx, cfg, parts); err != nil || !parts.any() {
		return err
	}
	if err := a.holdCopies(ctx, cfg); err != nil {
		return err
	}
	if cfg.Embedded() {
		if err := a.DB.InTx(ctx, func(tx *store.Tx) error { return tx.EndLeases(ctx) }); err != nil {
			return err
		}
	}
	if err := a.openQueue(ctx, cfg); err != nil {
		return err
	}
	var err error
	if a.lookup, err = newLookup(cfg.Peppol); err != nil {
		return err
	}
	if a.shop, err = printShop(cfg.Letters); err != nil {
		return err
	}
	if a.receipts, err = receiptWays(cfg); err != nil {
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
		if err := a.startHTTP(ctx, cfg, parts); err != nil {
			return err
		}
	}
	if err := a.checkClock(ctx); err != nil {
		a.log.Warn("the clock is wrong", "error", err)
	}
	a.about = about(cfg, parts)
	a.log.Info("purr has started", append(a.about, "url", a.URL)...)
	return nil
}

// openInstallation opens what every command needs: the database, the clock and the archive. For the parts it also
// opens the inbox.
func (a *App) openInstallation(ctx context.Context, cfg config.Config, parts Parts) (err error) {
	a.Actor, a.Rules = operator.CommandLine(), law.Default()
	if cfg.Rules != "" {
		if a.Rules, err = operator.ReadRules(cfg.Rules); err != nil {
			return fmt.Errorf("--rules: %w", err)
		}
	}
	if err := a.openDatabase(ctx, cfg, parts); err != nil {
		return err
	}
	if err := a.setClock(ctx, cfg, parts); err != nil {
		return err
	}
	if a.Archive, err = archive.Open(archiveFolder(cfg)); err != nil {
		return err
	}
	if parts.any() {
		a.Archive.LogTo(a.log) // a command prints what it finds itself
		a.swept(a.Archive.Sweep)
	}
	a.Archive.KeepFree(cfg.MinFreeDisk)
	a.Documents = documents.New(a.DB, a.Archive)
	a.Collection = collection.New(a.DB, a.Documents, a.Archive, a.Rules)
	if a.Importer = ocr.NewImporter(a.DB, a.Archive, a.log); !parts.any() {
		a.Importer = a.Importer.By(a.Actor) // a person is the actor of a command's import
	}
	a.Importer.KeepRejected(cfg.KeepRejected)
	a.Runs = &runs.Runs{DB: a.DB, Rules: a.Rules, Clock: a.Clock, Log: a.log}
	if err := a.openBank(cfg); err != nil || !parts.any() {
		return err
	}
	if a.Inbox, err = inbound.OpenInbox(cfg.Inbox, a.Importer, a.log); err != nil {
		return err
	}
	a.swept(a.Inbox.Sweep)
	a.onClose("inbox", func(context.Context) error { return a.Inbox.Close() })
	a.keepPrivate(cfg.Data)
	return nil
}

// mustExist fails if there is no installation. Only serve, migrate, demo and restore make one (rule O2). The file tells:
// the database on SQLite, the archive on a server.
func mustExist(cfg config.Config, file string) error {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no installation in %s: --data or PURR_DATA names it", cfg.Data)
	}
	return nil
}

func archiveFolder(cfg config.Config) string { return filepath.Join(cfg.Data, "archive") }

// swept removes files that were left behind by a writer that was killed. A writer that is still at work has changed its
// file within the last hour.
func (a *App) swept(sweep func(before time.Time) error) {
	if err := sweep(clock.System{}.Now().Add(-time.Hour)); err != nil {
		a.log.Warn("files that were left behind could not be removed", "error", err)
	}
}

// openDatabase opens the database. It migrates the schema of an SQLite file itself. A person must have migrated that
// of a server (rule R2).
func (a *App) openDatabase(ctx context.Context, cfg config.Config, parts Parts) error {
	db, err := openStore(cfg)
	if err != nil {
		return err
	}
	a.DB = db
	a.onClose("database", func(context.Context) error { return db.Close() })
	if cfg.Embedded() {
		_, err = db.Migrate(ctx)
		return err
	}
	if parts != All {
		if err := mustExist(cfg, archiveFolder(cfg)); err != nil {
			return fmt.Errorf("%w; purr migrate makes one", err)
		}
	}
	return db.CheckSchema(ctx)
}

// openStore opens the database. It makes the data folder if an SQLite file will be in it.
func openStore(cfg config.Config) (*store.DB, error) {
	if cfg.Embedded() {
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w", err)
		}
	}
	db, err := store.Open(cfg.DatabaseURL, clock.System{})
	if err != nil {
		return nil, fmt.Errorf("database-url: %w", err)
	}
	return db, nil
}

// openBank opens the bank's folder of payment files, if one is configured.
func (a *App) openBank(cfg config.Config) error {
	if cfg.SFTP.URL == "" {
		return nil
	}
	server, err := remote.NewServer(remoteAccess(cfg.SFTP, config.SFTPPrefix))
	if err != nil {
		return err
	}
	a.Bank = inbound.NewBankFolder(a.DB, a.Importer, server, inbound.After(cfg.SFTPAfter), cfg.SFTPEvery, a.log)
	return nil
}

func remoteAccess(f config.Folder, prefix string) remote.Access {
	return remote.Access{URL: f.URL, KeyFile: f.KeyFile, Password: f.Password, HostKey: f.HostKey, Prefix: prefix}
}

// setClock gives the program its clock: the system's, or a test clock that continues from the installation's saved
// time (rule R5b).
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
		return nil // only the server moves the clock, and it may be running
	}
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return jobs.SaveTestClock(ctx, tx, saved) })
}

// Migrate brings the schema of the configured database up to date and returns its version (rule R2). It makes the
// installation if there is none (rule O2).
func Migrate(ctx context.Context, cfg config.Config) (version int64, err error) {
	if err := becomeOwner(cfg.Data); err != nil {
		return 0, err
	}
	db, err := openStore(cfg)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if version, err = db.Migrate(ctx); err != nil {
		return 0, err
	}
	_, err = archive.Open(archiveFolder(cfg))
	return version, err
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
func NewLog(w io.Writer, cfg config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
