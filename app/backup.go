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
	"time"

	"purr/app/backup"
	"purr/app/operator"
	"purr/internal/clock"
	"purr/internal/disk"
	"purr/register/privacy"
	"purr/store"
)

// Backup backs the configured installation up, as backup.Make does.
func Backup(ctx context.Context, cfg Settings, to string, by backup.By, log *slog.Logger, progress backup.Progress) (m backup.Manifest, err error) {
	a, err := Start(ctx, cfg, Parts{}, log)
	if err != nil {
		return backup.Manifest{}, err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	if err := privacy.KeepList(ctx, a.DB, cfg.Data); err != nil {
		return backup.Manifest{}, err
	}
	known, err := privacy.ReadListFile(filepath.Join(cfg.Data, privacy.ListName))
	if err != nil {
		return backup.Manifest{}, err
	}
	in := backup.Installation{
		DB: a.DB, Archive: a.Archive, Dir: cfg.Data, DatabaseURL: cfg.Database.URL, Version: ThisBuild().Version, Forgotten: privacy.WriteList(known),
	}
	if m, err = backup.Make(ctx, in, to, by, progress); err != nil {
		return m, err
	}
	return m, a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.NoteBackup(ctx, clock.System{}.Now()) })
}

// Restored is what a restore has found.
type Restored struct {
	Manifest    backup.Manifest
	Differences []string // in the books, which were backed up so
	Forgotten   int      // customers who were forgotten again, since they were forgotten after the backup
	Doubtful    bool     // nobody has said who was forgotten since the backup
}

// Restore puts a backup in the configured place, which must be empty, and proves it (rule O3). If the books of the
// backup do not add up, the restored installation stays, and the result says what differs. Customers who were forgotten after the
// backup are forgotten again: those of the list that the place has left, and of the other lists. Without any list the installation is
// in doubt (rule O14b).
func Restore(ctx context.Context, cfg Settings, from string, log *slog.Logger, progress backup.Progress, lists ...string) (r Restored, err error) {
	if err := refuseElsewhere(cfg); err != nil {
		return Restored{}, err
	}
	if err := becomeOwner(cfg); err != nil {
		return Restored{}, err
	}
	src, err := backup.Open(ctx, from)
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	r.Manifest = src.Manifest
	forgotten, err := forgottenSince(src, cfg, lists)
	if err != nil {
		return Restored{}, err
	}
	r.Doubtful = forgotten.doubtful
	err = backup.Restore(ctx, src, backup.Place{Dir: cfg.Data, DatabaseURL: cfg.Database.URL}, progress, func(ctx context.Context) (err error) {
		r.Differences, err = prove(ctx, cfg, log, func(ctx context.Context, a *App) (err error) {
			r.Forgotten, err = forgotten.apply(ctx, a, src.Manifest.Time)
			return err
		})
		return err
	})
	if err != nil {
		return r, err
	}
	return r, disk.Write(cfg.Data, privacy.ListName, privacy.WriteList(forgotten.all))
}

// forgotten is what is known of who was forgotten after a backup.
type forgotten struct {
	all      []store.Forgotten
	doubtful bool // there is no list but the backup's own
}

// forgottenSince reads the lists of who was forgotten: that of the folder that is replaced, the given ones and the backup's own.
func forgottenSince(src *backup.Source, cfg Settings, lists []string) (forgotten, error) {
	own := filepath.Join(cfg.Data, privacy.ListName)
	_, missing := os.Stat(own)
	f := forgotten{doubtful: len(lists) == 0 && errors.Is(missing, fs.ErrNotExist)}
	known, err := src.Forgotten()
	if err != nil {
		return f, err
	}
	for _, path := range append(lists, own) {
		if path != own {
			if _, err := os.Stat(path); err != nil {
				return f, fmt.Errorf("--forgotten: %w", err)
			}
		}
		list, err := privacy.ReadListFile(path)
		if err != nil {
			return f, err
		}
		known = append(known, list...)
	}
	f.all = privacy.Union(known)
	return f, nil
}

// apply forgets them in a restored installation, or notes the doubt.
func (f forgotten) apply(ctx context.Context, a *App, backup time.Time) (int, error) {
	if !f.doubtful {
		return a.ForgetAgain(ctx, f.all)
	}
	return 0, a.DoubtForgotten(ctx, backup)
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
		r.Differences, err = prove(ctx, cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
		return err
	})
	return r, err
}

// prove opens a restored installation, does what is to be done first, if anything, and proves its books.
func prove(ctx context.Context, cfg Settings, log *slog.Logger, first func(context.Context, *App) error) (differences []string, err error) {
	a := &App{log: log}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	if err := a.openInstallation(ctx, cfg, Parts{}); err != nil {
		return nil, err
	}
	if first != nil {
		if err := first(ctx, a); err != nil {
			return nil, err
		}
	}
	_, err = a.Prove(ctx, operator.Proof{Deep: true}, func(f operator.Finding) { differences = append(differences, f.String()) })
	return differences, err
}

// holdCopies holds an installation that shows that it is a copy, and tells in the log of every hold (rule O3).
func (a *App) holdCopies(ctx context.Context, cfg Settings) error {
	if _, err := backup.HoldCopies(ctx, a.DB, cfg.Database.URL, a.storage.Below(outboxName)); err != nil {
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

// checkForgotten fails while nobody has said who was forgotten since the backup that was restored (rule O14b).
func (a *App) checkForgotten(ctx context.Context) error {
	since, err := a.DB.ForReadiness().Setting(ctx, store.ForgottenUnknown)
	if err != nil || since == "" {
		return nil //nolint:nilerr // a database that does not answer is another check's finding
	}
	return fmt.Errorf("degraded: restored from the backup of %s, and customers who were forgotten since may be back: purr customers forget --again FILE, or --none", since)
}
