// Package bounces takes in the delivery reports that a mail server leaves in a folder (rule S3a). What they tell is for
// package shipments.
package bounces

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"purr/internal/clock"
	"purr/internal/disk"
	"purr/mailer/bounce"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const (
	// completeAfter is how long a file must not have changed to count as complete.
	completeAfter = 2 * time.Second
	// wholeAfter is how long one that ends too early must not have changed.
	wholeAfter = 5 * time.Minute

	folder = "reports" // of the data folder
	done   = "done"    // in it
	ending = ".eml"
)

// Folder is a folder that mail servers and people put delivery reports into, one in each file NAME.eml. Each that is
// complete is read, and moved to the folder done. Any number of processes may poll it: a report that is read twice
// changes nothing the second time.
type Folder struct {
	dir   string
	db    *store.DB
	log   *slog.Logger
	clock clock.Clock // the file system's time, never a test clock

	mu   sync.Mutex
	seen map[string]sighting // files that may not be complete yet, by name
}

// sighting records when a file was first seen with its present size and time of change.
type sighting struct {
	size    int64
	changed time.Time
	at      time.Time
}

// Open returns the folder of an installation, DATA/reports, and makes it if it does not exist.
func Open(data string, db *store.DB, log *slog.Logger) (*Folder, error) {
	dir := filepath.Join(data, folder)
	if err := os.MkdirAll(filepath.Join(dir, done), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of delivery reports: %w", err)
	}
	return &Folder{dir: dir, db: db, log: log, clock: clock.System{}, seen: map[string]sighting{}}, nil
}

// Keep puts an e-mail into the folder, for Poll to read. It makes no folder.
func Keep(data string, message []byte) error {
	return disk.Write(filepath.Join(data, folder), "report-"+strings.ToLower(rand.Text())+ending, message)
}

// Sweep removes what a Keep that was killed before the moment has left behind.
func (f *Folder) Sweep(before time.Time) error { return disk.Sweep(f.dir, disk.Unfinished, before) }

// Poll reads every complete file. One that cannot be read does not delay the others.
func (f *Folder) Poll(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return fmt.Errorf("list the delivery reports: %w", err)
	}
	var errs []error
	now, seen := f.clock.Now(), map[string]sighting{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !strings.EqualFold(filepath.Ext(e.Name()), ending) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			errs = append(errs, ignoreGone(err))
			continue
		}
		s, known := f.seen[e.Name()]
		if !known || s.size != info.Size() || !s.changed.Equal(info.ModTime()) {
			s = sighting{info.Size(), info.ModTime(), now}
		}
		seen[e.Name()] = s
		if rested := max(now.Sub(s.at), now.Sub(s.changed)); rested >= completeAfter {
			if err := f.take(ctx, e.Name(), rested >= wholeAfter); err != nil {
				errs = append(errs, fmt.Errorf("the delivery report %s: %w", models.Foreign(e.Name(), 80), err))
			}
		}
		if models.KindOf(errors.Join(errs...)) == models.KindUnavailable || ctx.Err() != nil {
			break // the next ones would fail too
		}
	}
	f.seen = seen
	return errors.Join(errs...)
}

// take reads one file and moves it away. Unless it must be whole by now, it leaves one alone that ends too early.
func (f *Folder) take(ctx context.Context, name string, whole bool) error {
	path := filepath.Join(f.dir, name)
	report, err := read(path)
	if err != nil {
		return ignoreGone(err) // another process was faster
	}
	if report.CutOff && !whole {
		return nil
	}
	told, err := shipments.Bounce(ctx, f.db, report, models.ActorProgram)
	if err != nil {
		return err
	}
	target := filepath.Join(f.dir, done)
	if err := os.MkdirAll(target, 0o700); err != nil { // somebody may have tidied up
		return err
	}
	if err := os.Rename(path, unused(filepath.Join(target, name))); err != nil {
		return ignoreGone(err)
	}
	for _, b := range told { // their words may name the recipient, so the log has none of them
		f.log.Info("a delivery report was read", "file", models.Foreign(name, 80), "shipment", b.ShipmentID)
	}
	return nil
}

// read reads a file. Whoever may write to the folder may put a link or a pipe in its place meanwhile: neither is opened.
func read(path string) (r bounce.Report, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return bounce.Report{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return bounce.Report{}, err
	}
	if !info.Mode().IsRegular() {
		return bounce.Report{}, errors.New("it is no plain file")
	}
	return bounce.Read(file)
}

// unused returns the path, or the first of path-2, path-3 and so on that does not exist.
func unused(path string) string {
	for n, candidate := 2, path; ; n++ {
		if _, err := os.Lstat(candidate); err != nil {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ending), n, ending)
	}
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
