// Package inbound imports payment files from two places: the inbox folder, and the bank's folder on an SFTP server. It
// does not know what the files hold: package ocr imports them.
package inbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/internal/disk"
	"purr/models"
	"purr/ocr"
)

// discardEvery is the pause between two looks for rejected files that are no longer kept.
const discardEvery = 10 * time.Second

// Inbox is a folder that people and programs put payment files into (rule R5). It moves a complete file to the folder
// processing before the import. So a crash does not make the file look like a new one. After the import it moves the
// file to the folder done, duplicate or rejected, and writes a report beside it.
type Inbox struct {
	intake
	dir      string
	arrivals *arrivals // nil if the system does not report renames

	growing  map[string]sighting // files that may not be complete yet, by name
	reported map[string]bool     // names that were logged because they are not plain files
}

// intake is what an inbox has wherever it lies.
type intake struct {
	importer *ocr.Importer
	log      *slog.Logger
	clock    clock.Clock // the file system's time, never a test clock

	mu       sync.Mutex // of a poll
	full     bool       // the disk is nearly full, and the log says so
	discards time.Time  // when to look again for rejected files that are no longer kept
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
		intake: intake{importer: importer, log: log, clock: clock.System{}}, dir: dir, arrivals: watched,
		growing: map[string]sighting{}, reported: map[string]bool{},
	}, nil
}

// Sweep removes reports that a program that was killed before the moment has not finished. They are written again.
func (in *Inbox) Sweep(before time.Time) error {
	var errs []error
	for _, folder := range []string{done, duplicate, rejected} {
		errs = append(errs, disk.Sweep(filepath.Join(in.dir, folder), disk.Unfinished, before))
	}
	return errors.Join(errs...)
}

// Close ends the watch on the folder. Poll must not be called afterwards.
func (in *Inbox) Close() error { return in.arrivals.close() }

// Woken returns a channel that has a value when files were renamed into the folder, or when those that Poll has left may be complete,
// so that Poll should be called at once. It is nil where the system does not tell.
func (in *Inbox) Woken() <-chan struct{} { return in.arrivals.woken() }

// Poll imports every complete file, the oldest first, and continues imports that a crash broke off. A file that fails
// does not delay the others. While the disk is nearly full, Poll leaves all files where they are (rule O13).
func (in *Inbox) Poll(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	errs := []error{in.discard(ctx)}
	if err := in.room(); err != nil || in.full {
		return errors.Join(append(errs, err)...)
	}
	errs = append(errs, in.takeComplete())
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

// room finds out whether the disk is nearly full, and logs it once.
func (in *intake) room() error {
	err := in.importer.Room()
	full := models.KindOf(err) == models.KindFull
	if err != nil && !full {
		return err
	}
	switch {
	case full && !in.full:
		in.log.Warn("the disk is nearly full: the inbox waits until there is room", "error", err)
	case in.full && !full:
		in.log.Info("the disk has room again: the inbox goes on")
	}
	in.full = full
	return nil
}

// discard removes the rejected files that are no longer kept (rule O13): their raw bytes from the archive, and the files
// and reports of the folder rejected.
func (in *Inbox) discard(ctx context.Context) error {
	before, err := in.expired(ctx)
	if err != nil || before.IsZero() {
		return err
	}
	files, _, err := list(filepath.Join(in.dir, rejected))
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		if !f.ModTime().Before(before) {
			continue
		}
		for _, name := range []string{f.Name(), f.Name() + reportEnding} {
			if err := os.Remove(filepath.Join(in.dir, rejected, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// expired removes the raw bytes of the rejected files that are no longer kept, now and then. It returns the moment before which those
// that are still in the inbox were rejected, or none.
func (in *intake) expired(ctx context.Context) (before time.Time, err error) {
	now := in.clock.Now()
	if now.Before(in.discards) {
		return time.Time{}, nil
	}
	in.discards = now.Add(discardEvery)
	return in.importer.RemoveRejected(ctx)
}

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
	result, err := in.take(ctx, f, arrival)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return in.putAway(ctx, path, result)
}

// take imports an open file.
func (in *Inbox) take(ctx context.Context, f *os.File, arrival string) (models.PaymentFile, error) {
	info, err := f.Stat()
	if err != nil {
		return models.PaymentFile{}, err
	}
	return in.importOf(ctx, f, info.Size(), arrival[len(arrivalTime):], arrival)
}

// importOf imports a file of that size and name. It refuses one that is too large without reading it.
func (in *intake) importOf(ctx context.Context, f io.Reader, size int64, name, arrival string) (models.PaymentFile, error) {
	if size <= ocr.MaxFile {
		return in.importer.Import(ctx, f, ocr.Source{Filename: name, Kind: ocr.FromInbox, Arrival: arrival})
	}
	in.log.Warn("a file in the inbox is too large, and was rejected", "name", name, "bytes", size, "most", ocr.MaxFile)
	tooLarge := models.FileFinding{Code: "too_large", Text: fmt.Sprintf("the file has more than %d bytes, and nothing of it is taken", ocr.MaxFile)}
	now := in.clock.Now()
	return models.PaymentFile{Filename: name, State: models.FileRejected, FinishedAt: &now, Faults: models.FileFindings{tooLarge}}, nil
}

// reportEnding is what the name of a report has after that of its file.
const reportEnding = ".report.xml"

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
	reportPath := target + reportEnding
	if err := disk.Write(filepath.Dir(target), filepath.Base(reportPath), report); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if result.State == models.FileRejected { // its age counts from now on
		err = os.Chtimes(path, time.Time{}, *result.FinishedAt)
	}
	if err == nil {
		err = os.Rename(path, target)
	}
	if errors.Is(err, fs.ErrNotExist) && unused(target) == target {
		return os.Remove(reportPath) // another process moved the file, under another name
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move the file to %s: %w", folder, err)
	}
	return nil
}
