package ocr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"purr/clock"
	"purr/models"
)

// completeAfter is how long a file's size must not have changed before it is taken (rule R5).
const completeAfter = 2 * time.Second

// Inbox is a folder that people and programs put payment files into (rule R5). A file is moved out of
// the way before it is imported, so that a crash cannot mistake it for one that came anew, and then to
// done, duplicate or rejected, with a report beside it.
type Inbox struct {
	dir      string
	importer *Importer
	clock    clock.Clock // of the file system's world: never a test clock
	arrivals *arrivals   // nil where nobody tells of them

	mu   sync.Mutex
	seen map[string]sighting // files that may not be complete yet
	told map[string]bool     // what is no file, and was logged
}

// sighting is how a file was when it was first seen like that.
type sighting struct {
	size    int64
	changed time.Time
	at      time.Time
}

// processing is where a file lies while it is imported, under a name that no other arrival has.
const (
	processing  = "processing"
	arrivalTime = "20060102T150405.000000-"
)

// The folders in which files end up.
const (
	done      = "done"
	duplicate = "duplicate"
	rejected  = "rejected"
)

// OpenInbox returns the inbox in a folder, which it makes where it does not exist.
func OpenInbox(dir string, importer *Importer) (*Inbox, error) {
	for _, sub := range []string{processing, done, duplicate, rejected} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("open the inbox: %w", err)
		}
	}
	watched, err := watchArrivals(dir)
	if err != nil {
		importer.log.Warn("files that are renamed into the inbox are taken when they have rested, as others are", "error", err)
	}
	return &Inbox{dir: dir, importer: importer, clock: clock.System{}, arrivals: watched, seen: map[string]sighting{}, told: map[string]bool{}}, nil
}

// Close ends the watch on the folder, which is polled no more.
func (in *Inbox) Close() error {
	if in.arrivals == nil {
		return nil
	}
	return in.arrivals.close()
}

// Poll imports every file that is complete, oldest first, and what a crash left in the middle. One file
// that fails does not hold up the others.
func (in *Inbox) Poll(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	errs := []error{in.collect()}
	waiting, err := files(filepath.Join(in.dir, processing))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for _, f := range waiting {
		if err := in.take(ctx, f.Name()); err != nil {
			errs = append(errs, fmt.Errorf("import %s: %w", f.Name(), err))
		}
	}
	return errors.Join(errs...)
}

// collect moves the complete files out of the folder.
func (in *Inbox) collect() error {
	renamed, err := in.renamed()
	errs := []error{err}
	found, err := files(in.dir)
	if err = errors.Join(err, in.tellOthers()); err != nil {
		return errors.Join(append(errs, err)...)
	}
	now := in.clock.Now()
	still := map[string]sighting{}
	for _, f := range found {
		s, known := in.seen[f.Name()]
		if !known || s.size != f.Size() || !s.changed.Equal(f.ModTime()) {
			s = sighting{f.Size(), f.ModTime(), now}
		}
		// Where nobody tells that a file was renamed in, the time of its last change may, which is long past.
		if !renamed[f.Name()] && now.Sub(s.at) < completeAfter && now.Sub(s.changed) < completeAfter {
			still[f.Name()] = s
			continue
		}
		arrival := free(filepath.Join(in.dir, processing, now.Format(arrivalTime)+tame(f.Name())))
		err := os.Rename(filepath.Join(in.dir, f.Name()), arrival)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // gone: another process was faster
			errs = append(errs, fmt.Errorf("take %s from the inbox: %w", f.Name(), err))
		}
	}
	in.seen = still
	return errors.Join(errs...)
}

// tellOthers logs, once, what lies in the folder and is never taken: folders, links, pipes.
func (in *Inbox) tellOthers() error {
	entries, err := os.ReadDir(in.dir)
	if err != nil {
		return fmt.Errorf("look into the inbox: %w", err)
	}
	ours := []string{processing, done, duplicate, rejected}
	for _, e := range entries {
		name := e.Name()
		if e.Type().IsRegular() || strings.HasPrefix(name, ".") || in.told[name] || slices.Contains(ours, name) {
			continue
		}
		in.told[name] = true
		in.importer.log.Warn("what lies in the inbox is no plain file, and is left there: put the payment files themselves into it", "name", printable(name))
	}
	return nil
}

// renamed returns the names of the files that were renamed in since it was asked last: they are complete.
func (in *Inbox) renamed() (map[string]bool, error) {
	if in.arrivals == nil {
		return nil, nil
	}
	names, err := in.arrivals.since()
	renamed := make(map[string]bool, len(names))
	for _, name := range names {
		renamed[name] = true
	}
	return renamed, err
}

// tame returns the file's name, or where it is no text, or so long that nothing can be put before and
// after it, one that is like it.
func tame(name string) string {
	const most = 200 // bytes, of the 255 that a name may have
	if len(name) > most {
		ext := filepath.Ext(name)
		ext = ext[:min(len(ext), 20)]
		name = strings.ToValidUTF8(name[:most-len(ext)], "") + ext
	}
	return printable(name)
}

// take imports one file, or goes on with it, and moves it to where it ends up.
func (in *Inbox) take(ctx context.Context, arrival string) error {
	path := filepath.Join(in.dir, processing, arrival)
	if len(arrival) <= len(arrivalTime) {
		return errors.New("it was not put there by the inbox; move it to the inbox folder itself")
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	result, err := in.importer.Import(ctx, f, Source{Filename: arrival[len(arrivalTime):], Kind: FromInbox, Arrival: arrival})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return in.file(ctx, path, result)
}

// file writes the report and moves the file beside it.
func (in *Inbox) file(ctx context.Context, path string, result models.PaymentFile) error {
	var folder string
	switch result.State {
	case models.FileImported:
		folder = done
	case models.FileDuplicate:
		folder = duplicate
	case models.FileRejected:
		folder = rejected
	case models.FileReceived, models.FileImporting:
		return fmt.Errorf("it is still %s", result.State)
	}
	target := free(filepath.Join(in.dir, folder, filepath.Base(path)[len(arrivalTime):]))
	report, err := in.importer.Report(ctx, result)
	if err != nil {
		return err
	}
	beside := target + ".report.xml"
	if err := os.WriteFile(beside, report, 0o600); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	err = os.Rename(path, target)
	if errors.Is(err, fs.ErrNotExist) && free(target) == target {
		return os.Remove(beside) // another process was faster, and has put it under another name
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move the file to %s: %w", folder, err)
	}
	return nil
}

// files returns the plain files of a folder that are not hidden, oldest first.
func files(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look into the inbox: %w", err)
	}
	var found []fs.FileInfo
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since the folder was read
		}
		if err != nil {
			return nil, fmt.Errorf("look into the inbox: %w", err)
		}
		found = append(found, info)
	}
	sortByAge(found)
	return found, nil
}

// free returns the path, or the first of path-2, path-3 and so on that no file has.
func free(path string) string {
	ext := filepath.Ext(path)
	for n, candidate := 2, path; ; n++ {
		if _, err := os.Lstat(candidate); err != nil {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
	}
}
