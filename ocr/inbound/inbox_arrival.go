package inbound

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"purr/ocr"
)

// completeAfter is how long a file must not have changed to count as complete (rule R5).
const completeAfter = 2 * time.Second

// wholeAfter is how long a file that ends early must not have changed to count as complete (rule O13). The program that
// copies it may have paused.
const wholeAfter = 5 * time.Minute

// unfinished are the endings of names that programs give to files that they are still copying (rule O13).
var unfinished = []string{".part", ".tmp", ".filepart"}

// sighting records when a file was first seen with its present size and time of change, and whether it ends early.
type sighting struct {
	size    int64
	changed time.Time
	at      time.Time
	early   bool
}

// rests reports whether a file has not changed for so long that it is complete. A file whose last change is long ago is
// complete although it was not seen before.
func (s sighting) rests(now time.Time, renamed bool) bool {
	still := max(now.Sub(s.at), now.Sub(s.changed))
	if s.early {
		return still >= wholeAfter
	}
	return renamed || still >= completeAfter
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
		if ending := strings.ToLower(filepath.Ext(f.Name())); slices.Contains(unfinished, ending) {
			continue
		}
		s, err := in.sight(f, now)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !s.rests(now, renamed[f.Name()]) {
			growing[f.Name()] = s
			continue
		}
		arrival := unused(filepath.Join(in.dir, processing, now.Format(arrivalTime)+shortened(f.Name())))
		err = os.Rename(filepath.Join(in.dir, f.Name()), arrival)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have moved it
			errs = append(errs, fmt.Errorf("take %s from the inbox: %w", f.Name(), err))
		}
	}
	if in.growing = growing; len(growing) > 0 {
		in.arrivals.tellAfter(completeAfter)
	}
	return errors.Join(errs...)
}

// sight returns since when a file has been as it is.
func (in *Inbox) sight(f fs.FileInfo, now time.Time) (s sighting, err error) {
	s, known := in.growing[f.Name()]
	if known && s.size == f.Size() && s.changed.Equal(f.ModTime()) {
		return s, nil
	}
	s = sighting{size: f.Size(), changed: f.ModTime(), at: now}
	s.early, err = in.endsEarly(f)
	return s, err
}

// endsEarly reports whether a file of the inbox seems to be cut off.
func (in *Inbox) endsEarly(info fs.FileInfo) (early bool, err error) {
	f, err := os.Open(filepath.Join(in.dir, info.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // another process may have moved it
	}
	if err != nil {
		return false, fmt.Errorf("read the inbox: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return ocr.EndsEarly(f, info.Size())
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
