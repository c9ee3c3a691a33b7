package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/internal/disk"
	"purr/jobs"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// Status is how an installation stands, for who asks where it is (rule Q9).
type Status struct {
	Database store.Server
	Parts    []store.Part
	Owed     []store.OwedWork
	Runs     map[models.RunKind]time.Time // when the last of each kind began
	BankFile time.Time                    // when the last one came; zero if none did
	Backup   time.Time                    // when the last one was made; zero if none is known
	Ways     []shipments.WayNow
	LastSent map[string]time.Time // by method
	Free     int64                // bytes on the disk of the data folder
	Waiting  map[string]int64     // what waits for a person, by kind; kinds with nothing are left out
	Wrong    []string             // in plain sentences; empty if nothing is
}

// LivingParts returns the processes that do the installation's work, the oldest first.
func (a *App) LivingParts(ctx context.Context) ([]store.Part, error) {
	present, err := a.DB.Present(ctx, a.DB.Wall())
	if err != nil {
		return nil, err
	}
	return present.Parts, nil
}

const (
	owedTooLong  = time.Hour
	backupTooOld = 3 * 24 * time.Hour
)

// Status tells how the installation stands, and what is wrong with it. It changes nothing. Without bank files nothing is wrong yet.
func (a *App) Status(ctx context.Context, cfg Settings) (s Status, err error) {
	now, wall := a.Clock.Now(), clock.System{}.Now()
	if s.Database, err = a.DB.Server(ctx); err != nil {
		return s, err
	}
	err = a.DB.View(ctx, func(v store.View) error {
		present, err := v.Present(ctx, a.DB.Wall())
		if err != nil {
			return err
		}
		s.Parts, s.Backup = present.Parts, present.Backup
		var errs [4]error
		s.Runs, errs[0] = v.LastRuns(ctx)
		s.BankFile, _, errs[1] = v.LastBankFile(ctx)
		s.LastSent, errs[2] = v.LastSent(ctx)
		s.Waiting, errs[3] = v.WaitingForPerson(ctx)
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return s, err
	}
	maps.DeleteFunc(s.Waiting, func(_ string, n int64) bool { return n == 0 })
	if s.Owed, err = jobs.Owed(ctx, a.DB); err != nil {
		return s, err
	}
	if s.Ways, err = shipments.WaysNow(ctx, a.DB); err != nil {
		return s, err
	}
	if s.Free, err = disk.Free(cfg.Data); err != nil {
		return s, err
	}
	late, err := dunning.CountLate(ctx, a.DB, now)
	if err != nil {
		return s, err
	}
	s.Wrong = s.wrong(now, wall, cfg.Archive.MinFree)
	if late > 0 && !s.BankFile.IsZero() {
		s.Wrong = append(s.Wrong, fmt.Sprintf("bank files are late for %d creditors: their overdue notices wait", late))
	}
	for _, check := range []func(context.Context) error{a.checkHold, a.checkCreditors, a.checkForgotten, a.checkClock} {
		if err := check(ctx); err != nil {
			s.Wrong = append(s.Wrong, err.Error())
		}
	}
	return s, nil
}

func (s Status) wrong(now, wall time.Time, leastFree int64) (wrong []string) {
	for _, kind := range livingParts {
		does := func(p store.Part) bool { return slices.Contains(strings.Fields(p.Kind), kind) }
		if !slices.ContainsFunc(s.Parts, does) {
			wrong = append(wrong, fmt.Sprintf("no %s runs: start purr serve, or purr %s", kind, kind))
		}
	}
	versions := map[string]bool{}
	for _, p := range s.Parts {
		versions[p.Version] = true
	}
	if len(versions) > 1 {
		wrong = append(wrong, "the parts are of different versions")
	}
	for _, o := range s.Owed {
		if age := now.Sub(o.Since); age > owedTooLong {
			wrong = append(wrong, fmt.Sprintf("a %s has been owed for %s", strings.ReplaceAll(o.Kind, "_", " "), age.Round(time.Minute)))
		}
	}
	for _, w := range s.Ways {
		switch {
		case w.Missing:
			wrong = append(wrong, fmt.Sprintf("%s has left by %s before, and no part has that way now: set it, or purr ways folder %s", w.Method, w.LeftBy, w.Method))
		case w.Paused > 0:
			wrong = append(wrong, fmt.Sprintf("%s is paused for %d creditors, since it refuses: purr shipments list", w.Method, w.Paused))
		case w.Differ:
			wrong = append(wrong, fmt.Sprintf("the parts differ in how %s leaves: give all of them the same settings", w.Method))
		}
	}
	if s.Free < leastFree {
		wrong = append(wrong, fmt.Sprintf("only %s are free on the disk of the data folder", Bytes(s.Free)))
	}
	if !s.Backup.IsZero() && wall.Sub(s.Backup) > backupTooOld {
		wrong = append(wrong, "the last backup was made on "+s.Backup.Format(time.DateOnly))
	}
	return wrong
}

// Kinds returns what waits for a person, the most first.
func (s Status) Kinds() []string {
	return slices.SortedFunc(maps.Keys(s.Waiting), func(a, b string) int { return cmp.Or(cmp.Compare(s.Waiting[b], s.Waiting[a]), cmp.Compare(a, b)) })
}

// Bytes writes a number of bytes as people read it.
func Bytes(n int64) string {
	const kilo = 1000
	units := []string{"B", "kB", "MB", "GB", "TB"}
	size, unit := float64(n), 0
	for size >= kilo && unit < len(units)-1 {
		size, unit = size/kilo, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}
