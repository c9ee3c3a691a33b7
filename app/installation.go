package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"purr/app/backup"
	"purr/internal/clock"
	"purr/internal/storage"
	"purr/jobs"
	"purr/store"
)

// RefusedError is the error of a command line or an environment that asks for what this installation must not do.
type RefusedError struct{ Reason string }

// Error is the reason.
func (e RefusedError) Error() string { return e.Reason }

// mustExist fails if there is no installation. Only serve, migrate, demo and restore make one (rule O2). The file tells:
// the database on SQLite, the archive on a server. An empty file is no database.
func mustExist(cfg Settings, file string) error {
	if isMissing(file) {
		return fmt.Errorf("no installation in %s: --data or PURR_DATA names it", cfg.Data)
	}
	return nil
}

// isMissing reports whether there is no such file or folder, or a file that is empty.
func isMissing(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return info.Mode().IsRegular() && info.Size() == 0
}

func databaseFile(cfg Settings) string {
	return strings.TrimPrefix(strings.TrimPrefix(cfg.Database.URL, "sqlite:"), "//")
}

// openDatabase opens the database. It migrates the schema of an SQLite file itself. A person must have migrated that
// of a server (rule R2).
func (a *App) openDatabase(ctx context.Context, cfg Settings, parts Parts) error {
	db, begins, err := openStore(ctx, cfg, store.Connections{Most: cfg.Database.Connections, Command: !parts.any()})
	if err != nil {
		return err
	}
	a.DB = db
	a.onClose("database", func(context.Context) error { return db.Close() })
	if cfg.Database.Embedded() {
		if _, err = db.Migrate(ctx); err != nil {
			return err
		}
	} else if parts != All && archiveFolder(cfg) != "" { // a bucket has no folders: the schema tells
		if err := mustExist(cfg, archiveFolder(cfg)); err != nil {
			return fmt.Errorf("%w; purr migrate makes one", err)
		}
	}
	if err := db.CheckSchema(ctx); err != nil {
		return err
	}
	if db.Guard(); !begins {
		return nil
	}
	return begin(ctx, cfg, db)
}

// openStore opens the database, and reports whether an installation begins with it: it holds nothing. It makes the data folder if
// an SQLite file will be in it. It fails, and makes nothing, if the data folder shows that the database is lost (rule D106).
func openStore(ctx context.Context, cfg Settings, of store.Connections) (db *store.DB, begins bool, err error) {
	if cfg.Database.Embedded() {
		if isMissing(databaseFile(cfg)) {
			if err := notLost(ctx, cfg); err != nil {
				return nil, false, err
			}
		}
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return nil, false, fmt.Errorf("make the data folder: %w", err)
		}
	}
	if db, err = store.OpenWith(cfg.Database.URL, clock.System{}, of); err != nil {
		return nil, false, fmt.Errorf("database-url: %w", err)
	}
	if begins, err = db.Empty(ctx); err == nil && begins {
		err = notLost(ctx, cfg)
	}
	if err != nil {
		return nil, false, errors.Join(err, db.Close())
	}
	return db, begins, nil
}

// begin notes that a person has said --new: what lies in the outbox of the installation before is not its own.
func begin(ctx context.Context, cfg Settings, db *store.DB) error {
	if !cfg.New {
		return nil
	}
	return db.InTx(ctx, backup.AcceptOutbox)
}

// notLost fails if the data folder holds files that only an installation leaves there: its database is then lost, or another one
// was named by mistake. A new installation would give its numbers and send its letters a second time (rule D106).
func notLost(ctx context.Context, cfg Settings) error {
	if cfg.New {
		return nil
	}
	in, err := OpenStorage(ctx, cfg)
	if err != nil {
		return err
	}
	if err := storage.Check(ctx, in); err != nil {
		return unusable(err)
	}
	for _, folder := range []struct {
		in     storage.Place
		traces func(path string) bool
	}{
		{in.Below(archiveName), func(string) bool { return true }},
		{in.Below(outboxName), func(string) bool { return true }},
		{storage.Folder(filepath.Join(cfg.Data, "workers")), hasMark},
	} {
		found, err := firstFile(ctx, folder.in, folder.traces)
		if err != nil {
			return err
		}
		if _, inFolder := folder.in.Folder(); found != "" && !inFolder {
			return unusable(fmt.Errorf("%s is kept already, but the database of --database-url holds nothing: it is lost, or this is the storage of another installation. "+
				"Name the right database or another prefix; purr serve --new begins a new installation beside what is there", found))
		}
		if found != "" {
			return fmt.Errorf("%s holds %s, but the database of --database-url holds nothing: it is lost, or not the one that belongs to this folder. "+
				"Name the right one, or move the folder away and put a backup in its place with purr restore; purr serve --new begins a new installation beside what is there", cfg.Data, found)
		}
	}
	return nil
}

// firstFile returns the first file of a place that is one of ours, empty if there is none. What is still being written is none.
func firstFile(ctx context.Context, in storage.Place, isOurs func(path string) bool) (found string, err error) {
	folder, is := in.Folder()
	if !is {
		found, err := anyFile(ctx, in)
		if err != nil || found == "" {
			return "", err
		}
		return in.Below(found).String(), nil
	}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case errors.Is(err, fs.ErrNotExist):
			return nil // the folder, or a file that is gone by now
		case err != nil:
			return err
		case entry.IsDir() && name == "incoming":
			return fs.SkipDir
		case entry.Type().IsRegular() && name[0] != '.' && isOurs(path):
			found = path
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

// hasMark reports whether the file of a worker says that something was handed over (rule S6). Without a mark it is blank.
func hasMark(path string) bool {
	content, err := os.ReadFile(path)
	return err == nil && len(bytes.TrimSpace(content)) > 0
}

// setClock gives the program its clock: the system's, or a test clock that continues from the installation's saved
// time (rule R5b). An installation has one kind of clock for good (rule D104).
func (a *App) setClock(ctx context.Context, cfg Settings, parts Parts) error {
	saved, isTest, err := savedClock(ctx, a.DB, cfg, parts)
	if err != nil {
		return err
	}
	if !isTest && cfg.TestClock.IsZero() {
		a.Clock = clock.System{}
		if parts.any() {
			return jobs.NoteSystemClock(ctx, a.DB)
		}
		return nil
	}
	if cfg.TestClock.After(saved) {
		saved = cfg.TestClock
	}
	a.Clock = clock.NewTest(saved)
	a.DB = a.DB.WithClock(a.Clock)
	if !parts.any() {
		return nil // only the server moves the clock, and it may be running
	}
	return a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return jobs.SaveTestClock(ctx, tx, saved) })
}

var errNoTestClock = RefusedError{"only purr serve runs on a test clock: leave out --test-clock and PURR_TEST_CLOCK here"}

// savedClock returns where the installation's test clock stands, if it has one. It fails if the settings ask for the other kind of clock.
func savedClock(ctx context.Context, db *store.DB, cfg Settings, parts Parts) (saved time.Time, isTest bool, err error) {
	saved, isTest, err = jobs.SavedTestClock(ctx, db)
	switch {
	case err != nil:
		return saved, isTest, err
	case !cfg.TestClock.IsZero() && parts != All && parts.any():
		return saved, isTest, errNoTestClock
	case isTest && cfg.TestClock.IsZero() && parts.any():
		return saved, isTest, fmt.Errorf("this installation runs on a test clock, which stands at %s: start it by purr serve with --test-clock", saved.Format(time.RFC3339))
	case !isTest && !cfg.TestClock.IsZero():
		if onSystem, err := jobs.OnSystemClock(ctx, db); err != nil || onSystem {
			return saved, isTest, errors.Join(err, RefusedError{"this installation runs on the system's clock, and what it has sent is dated by that: a test clock (--test-clock, PURR_TEST_CLOCK) is for an installation that begins with one, in a folder and a database of its own"})
		}
	}
	return saved, isTest, nil
}

// Migrate brings the schema of the configured database up to date and returns its version (rule R2). It makes the
// installation if there is none (rule O2). Before it begins it tells what the operator should know: how long a Galera cluster will be held.
func Migrate(ctx context.Context, cfg Settings, tell func(string)) (version int64, err error) {
	if err := becomeOwner(cfg); err != nil {
		return 0, err
	}
	in, err := OpenStorage(ctx, cfg)
	if err != nil {
		return 0, err
	}
	if err := storage.Check(ctx, in); err != nil {
		return 0, unusable(err)
	}
	db, begins, err := openStore(ctx, cfg, store.Connections{Most: store.MigrationConnections, Command: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if held, err := db.Standstill(ctx); err != nil {
		return 0, err
	} else if held.Galera {
		tell(held.String())
	}
	if version, err = db.Migrate(ctx); err != nil {
		return 0, err
	}
	if begins {
		if err := begin(ctx, cfg, db); err != nil {
			return 0, err
		}
		if err := freeInbox(ctx, cfg, in); err != nil {
			return 0, err
		}
	}
	_, err = openArchive(cfg, in)
	return version, err
}

// FinishUpgrade ends an upgrade (rule K3): what only earlier programs used is taken away, and they write nothing any more. It returns how
// many migrations it has made. It fails, and changes nothing, while such a program lives.
func FinishUpgrade(ctx context.Context, cfg Settings, tell func(string)) (made int, err error) {
	if cfg.Database.Embedded() {
		if err := mustExist(cfg, databaseFile(cfg)); err != nil {
			return 0, err
		}
	}
	if err := becomeOwner(cfg); err != nil {
		return 0, err
	}
	db, err := store.OpenWith(cfg.Database.URL, clock.System{}, store.Connections{Most: store.MigrationConnections, Command: true})
	if err != nil {
		return 0, fmt.Errorf("database-url: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	wait := time.Duration(0) // whoever writes to an SQLite file holds it alone
	if !db.IsSQLite() {
		wait = store.FinishWait
		tell(fmt.Sprintf("looking for %s whether an older program runs", wait))
	}
	return db.Finish(ctx, wait)
}

// DatabaseServer asks which database is behind the settings (rule K8). It reads nothing of it.
func DatabaseServer(ctx context.Context, cfg Settings) (store.Server, error) {
	db, err := store.OpenWith(cfg.Database.URL, clock.System{}, store.Connections{Command: true})
	if err != nil {
		return store.Server{}, fmt.Errorf("database-url: %w", err)
	}
	server, err := db.Server(ctx)
	return server, errors.Join(err, db.Close())
}
