// Package inbound imports payment files from two places: the inbox folder, and the bank's folder on an SFTP server. It
// does not know what the files hold: package ocr imports them.
package inbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"purr/clock"
	"purr/models"
	"purr/ocr"
)

// completeAfter is how long a file must not have changed to count as complete (rule R5).
const completeAfter = 2 * time.Second

// Inbox is a folder that people and programs put payment files into (rule R5). It moves a complete file to the folder
// processing before the import. So a crash does not make the file look like a new one. After the import it moves the
// file to the folder done, duplicate or rejected, and writes a report beside it.
type Inbox struct {
	dir      string
	importer *ocr.Importer
	log      *slog.Logger
	clock    clock.Clock // the file system's time, never a test clock
	arrivals *arrivals   // nil if the system does not report renames

	mu       sync.Mutex
	growing  map[string]sighting // files that may not be complete yet, by name
	reported map[string]bool     // names that were logged because they are not plain files
}

// sighting records when a file was first seen with its present size and time of change.
type sighting struct {
	size    int64
	changed time.Time
	at      time.Time
}

// The folders in the inbox. A file in processing has a prefix with its time of arrival, so that no two arrivals have
// the same name.
const (
	processing  = "processing"
	arrivalTime = "20060102T150405.000000-"

	done      = "done"
	duplicate = "duplicate"
	rejected  = "rejected"
)

// endFolder maps a file's state to its last folder. It is empty while the import goes on.
var endFolder = map[models.FileState]string{
	models.FileImported: done, models.FileDuplicate: duplicate, models.FileRejected: rejected,
	models.FileReceived: "", models.FileImporting: "",
}

// OpenInbox returns the inbox in a folder, and makes the folder if it does not exist.
func OpenInbox(dir string, importer *ocr.Importer, log *slog.Logger) (*Inbox, error) {
	for _, sub := range []string{processing, done, duplicate, rejected} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("open the inbox: %w", err)
		}
	}
	watched, err := watchArrivals(dir)
	if err != nil {
		log.Warn("renames into the inbox cannot be watched; a renamed file is taken once it has not changed for 2 seconds", "error", err)
	}
	return &Inbox{
		dir: dir, importer: importer, log: log, clock: clock.System{}, arrivals: watched,
		growing: map[string]sighting{}, reported: map[string]bool{},
	}, nil
}

// Close ends the watch on the folder. Poll must not be called afterwards.
func (in *Inbox) Close() error { return in.arrivals.close() }

// Poll imports every complete file, the oldest first, and continues imports that a crash broke off. A file that fails
// does not delay the others.
func (in *Inbox) Poll(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	errs := []error{in.takeComplete()}
	waiting, _, err := list(filepath.Join(in.dir, processing))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for _, f := range waiting {
		if err := in.importFile(ctx, f.Name()); err != nil {
			errs = append(errs, fmt.Errorf("import %s: %w", f.Name(), err))
		}
	}
	return errors.Join(errs...)
}

// takeComplete moves the complete files to the folder processing.
func (in *Inbox) takeComplete() error {
	renamed, err := in.arrivals.renamed()
	errs := []error{err}
	found, others, err := list(in.dir)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	in.reportOthers(others)
	now := in.clock.Now()
	growing := map[string]sighting{}
	for _, f := range found {
		s, known := in.growing[f.Name()]
		if !known || s.size != f.Size() || !s.changed.Equal(f.ModTime()) {
			s = sighting{f.Size(), f.ModTime(), now}
		}
		// A file whose last change is long ago is complete, even if the system did not report its rename.
		if !renamed[f.Name()] && now.Sub(s.at) < completeAfter && now.Sub(s.changed) < completeAfter {
			growing[f.Name()] = s
			continue
		}
		arrival := unused(filepath.Join(in.dir, processing, now.Format(arrivalTime)+shortened(f.Name())))
		err := os.Rename(filepath.Join(in.dir, f.Name()), arrival)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have moved it
			errs = append(errs, fmt.Errorf("take %s from the inbox: %w", f.Name(), err))
		}
	}
	in.growing = growing
	return errors.Join(errs...)
}

// reportOthers logs entries of the folder that are never imported: folders, links, pipes. It logs each name once.
func (in *Inbox) reportOthers(names []string) {
	ours := []string{processing, done, duplicate, rejected}
	for _, name := range names {
		if in.reported[name] || slices.Contains(ours, name) {
			continue
		}
		in.reported[name] = true
		in.log.Warn("what lies in the inbox is no plain file, and is left there: put the payment files themselves into it", "name", asText(name))
	}
}

// shortened returns a file's name as valid text, short enough for a prefix and a suffix.
func shortened(name string) string {
	const most = 200 // bytes; a name may have 255
	if len(name) > most {
		ext := filepath.Ext(name)
		ext = ext[:min(len(ext), 20)]
		name = strings.ToValidUTF8(name[:most-len(ext)], "") + ext
	}
	return asText(name)
}

// asText returns the text with U+FFFD for bytes that are not UTF-8.
func asText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// importFile imports a file in processing, or continues its import. Then it moves the file to the folder of its
// result.
func (in *Inbox) importFile(ctx context.Context, arrival string) error {
	path := filepath.Join(in.dir, processing, arrival)
	if len(arrival) <= len(arrivalTime) {
		return errors.New("the inbox did not put it there; move it to the inbox folder itself")
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	result, err := in.importer.Import(ctx, f, ocr.Source{Filename: arrival[len(arrivalTime):], Kind: ocr.FromInbox, Arrival: arrival})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return in.putAway(ctx, path, result)
}

// putAway writes the report on an imported file and moves the file beside it.
func (in *Inbox) putAway(ctx context.Context, path string, result models.PaymentFile) error {
	folder := endFolder[result.State]
	if folder == "" {
		return fmt.Errorf("it is still %s", result.State)
	}
	target := unused(filepath.Join(in.dir, folder, filepath.Base(path)[len(arrivalTime):]))
	report, err := in.importer.Report(ctx, result)
	if err != nil {
		return err
	}
	reportPath := target + ".report.xml"
	if err := os.WriteFile(reportPath, report, 0o600); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	err = os.Rename(path, target)
	if errors.Is(err, fs.ErrNotExist) && unused(target) == target {
		return os.Remove(reportPath) // another process moved the file, under another name
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move the file to %s: %w", folder, err)
	}
	return nil
}

// list returns the plain files of a folder, the oldest first, and the names of other entries. It skips hidden ones.
func list(dir string) (files []fs.FileInfo, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("list the inbox: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if !e.Type().IsRegular() {
			others = append(others, e.Name())
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted since the folder was read
		}
		if err != nil {
			return nil, nil, fmt.Errorf("list the inbox: %w", err)
		}
		files = append(files, info)
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return files, others, nil
}

// unused returns the path, or the first of path-2, path-3 and so on that does not exist.
func unused(path string) string {
	ext := filepath.Ext(path)
	for n, candidate := 2, path; ; n++ {
		if _, err := os.Lstat(candidate); err != nil {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
	}
}
