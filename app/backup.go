package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"purr/app/backup"
	"purr/app/operator"
)

// Backup backs the configured installation up, as backup.Make does.
func Backup(ctx context.Context, cfg Settings, to string, by backup.By, log *slog.Logger, progress backup.Progress) (m backup.Manifest, err error) {
	a, err := Start(ctx, cfg, Parts{}, log)
	if err != nil {
		return backup.Manifest{}, err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	in := backup.Installation{DB: a.DB, Archive: a.Archive, Dir: cfg.Data, DatabaseURL: cfg.Database.URL, Version: ThisBuild().Version}
	return backup.Make(ctx, in, to, by, progress)
}

// Restored is what a restore has found.
type Restored struct {
	Manifest    backup.Manifest
	Differences []string // in the books, which were backed up so
}

// Restore puts a backup in the configured place, which must be empty, and proves it (rule O3). If the books of the
// backup do not add up, the restored installation stays, and the result says what differs.
func Restore(ctx context.Context, cfg Settings, from string, log *slog.Logger, progress backup.Progress) (r Restored, err error) {
	if err := becomeOwner(cfg); err != nil {
		return Restored{}, err
	}
	src, err := backup.Open(ctx, from)
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	r.Manifest = src.Manifest
	err = backup.Restore(ctx, src, backup.Place{Dir: cfg.Data, DatabaseURL: cfg.Database.URL}, progress, func(ctx context.Context) (err error) {
		r.Differences, err = prove(ctx, cfg, log)
		return err
	})
	return r, err
}

// Rehearse restores a backup in a temporary place with an SQLite database, proves it there, and removes it. Of a backup
// whose database purr has not copied itself, it checks the bytes alone.
func Rehearse(ctx context.Context, from string, progress backup.Progress) (r Restored, err error) {
	src, err := backup.Open(ctx, from)
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	r.Manifest = src.Manifest
	if by := src.Manifest.Database.By; by == backup.ByMysqldump || by == backup.ByNone {
		return r, src.CheckBytes(ctx, progress)
	}
	temp, err := os.MkdirTemp("", "purr-rehearsal-*")
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	cfg, err := DefaultSettings(filepath.Join(temp, "data"))
	if err != nil {
		return Restored{}, err
	}
	err = backup.Restore(ctx, src, backup.Place{Dir: cfg.Data, DatabaseURL: cfg.Database.URL}, progress, func(ctx context.Context) (err error) {
		r.Differences, err = prove(ctx, cfg, slog.New(slog.NewTextHandler(io.Discard, nil)))
		return err
	})
	return r, err
}

// prove opens a restored installation and proves its books.
func prove(ctx context.Context, cfg Settings, log *slog.Logger) (differences []string, err error) {
	a := &App{log: log}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	if err := a.openInstallation(ctx, cfg, Parts{}); err != nil {
		return nil, err
	}
	_, err = a.Prove(ctx, operator.Proof{Deep: true}, func(f operator.Finding) { differences = append(differences, f.String()) })
	return differences, err
}

// holdCopies holds an installation that shows that it is a copy, and tells in the log of every hold (rule O3).
func (a *App) holdCopies(ctx context.Context, cfg Settings) error {
	if _, err := backup.HoldCopies(ctx, a.DB, cfg.Database.URL, filepath.Join(cfg.Data, "outbox")); err != nil {
		return err
	}
	hold, held, err := a.DB.Hold(ctx)
	if err == nil && held {
		a.log.Warn("purr is held: nothing is sent and no number given until purr restore accept", "reason", hold.Reason, "since", hold.Since)
	}
	return err
}

// checkHold fails while the installation is held (rule O3).
func (a *App) checkHold(ctx context.Context) error {
	hold, held, err := a.DB.ForReadiness().Hold(ctx)
	if err != nil || !held {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	return fmt.Errorf("held: %s; purr restore accept ends that", hold.Reason)
}
