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
	"path"
	"strings"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/internal/storage"
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

	done   = "done" // in the folder
	ending = ".eml"
)

// Folder is a folder that mail servers and people put delivery reports into, one in each file NAME.eml. Each that is
// complete is read, and moved to the folder done. Any number of processes may poll it: a report that is read twice
// changes nothing the second time.
type Folder struct {
	in    storage.Place
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

// Open returns the folder of an installation, and makes it if it does not exist.
func Open(in storage.Place, db *store.DB, log *slog.Logger) (*Folder, error) {
	if err := in.Below(done).Prepare(); err != nil {
		return nil, fmt.Errorf("make the folder of delivery reports: %w", err)
	}
	return &Folder{in: in, db: db, log: log, clock: clock.System{}, seen: map[string]sighting{}}, nil
}

// Keep puts an e-mail into the folder, for Poll to read. It makes no folder.
func Keep(ctx context.Context, in storage.Place, message []byte) error {
	return in.PutAll(ctx, []storage.File{{Name: "report-" + strings.ToLower(rand.Text()) + ending, Content: message}})[0]
}

// Sweep removes what a Keep that was killed before the moment has left behind.
func (f *Folder) Sweep(before time.Time) error { return f.in.Sweep(before) }

// Poll reads every complete file. One that cannot be read does not delay the others.
func (f *Folder) Poll(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	files, err := f.in.List(ctx)
	if err != nil {
		return fmt.Errorf("list the delivery reports: %w", err)
	}
	var errs []error
	now, seen := f.clock.Now(), map[string]sighting{}
	for _, file := range files {
		if !strings.EqualFold(path.Ext(file.Name), ending) {
			continue
		}
		s, known := f.seen[file.Name]
		if !known || s.size != file.Size || !s.changed.Equal(file.Changed) {
			s = sighting{file.Size, file.Changed, now}
		}
		seen[file.Name] = s
		if rested := max(now.Sub(s.at), now.Sub(s.changed)); rested >= completeAfter {
			if err := f.take(ctx, file, rested >= wholeAfter); err != nil {
				errs = append(errs, fmt.Errorf("the delivery report %s: %w", models.Foreign(file.Name, 80), err))
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
func (f *Folder) take(ctx context.Context, file storage.Info, whole bool) error {
	report, err := f.read(ctx, file.Name)
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
	target, err := f.unused(ctx, path.Join(done, file.Name))
	if err != nil {
		return err
	}
	if err := f.in.Move(ctx, file, target); err != nil {
		return ignoreGone(err)
	}
	for _, b := range told { // their words may name the recipient, so the log has none of them
		f.log.Info("a delivery report was read", "file", models.Foreign(file.Name, 80), "shipment", b.ShipmentID)
	}
	return nil
}

// read reads a file. Whoever may write to the folder may put a link or a pipe in its place meanwhile: neither is opened.
func (f *Folder) read(ctx context.Context, name string) (r bounce.Report, err error) {
	file, _, err := f.in.Open(ctx, name)
	if err != nil {
		return bounce.Report{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return bounce.Read(file)
}

// unused returns the name, or the first of name-2, name-3 and so on that does not exist.
func (f *Folder) unused(ctx context.Context, name string) (string, error) {
	for n, candidate := 2, name; ; n++ {
		if _, err := f.in.Stat(ctx, candidate); errors.Is(err, fs.ErrNotExist) {
			return candidate, nil
		} else if err != nil {
			return "", err
		}
		candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), n, ending)
	}
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
