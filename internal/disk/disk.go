// Package disk writes files that appear whole or not at all, and asks how much room is left. It knows nothing of what
// the files are.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Write writes a file into the folder in one step, and replaces a file of that name. It returns once a power cut cannot
// lose the file. Until then the file's name begins with a dot and ends with .tmp. Only the user may read it (rule O5).
func Write(folder, name string, content []byte) error {
	return WriteAll(folder, []File{{filepath.Join(folder, name), content}})[0]
}

// File is a file that is to be written.
type File struct {
	Path    string
	Content []byte
}

// WriteAll does with several files what Write does with one, and returns the error of each, in order. The disk writes them at
// the same time, so that they take little longer than one. Until they have their names they lie in the folder drafts, which is
// on the same disk.
func WriteAll(drafts string, files []File) []error {
	errs, made := make([]error, len(files)), make([]*os.File, len(files))
	for i, f := range files {
		made[i], errs[i] = draft(drafts, f)
	}
	atOnce(len(files), func(i int) {
		if errs[i] == nil {
			errs[i] = errors.Join(made[i].Sync(), made[i].Close())
		}
	})
	var folders []string
	for i, f := range files {
		if made[i] == nil {
			continue
		}
		if errs[i] = name(made[i], f.Path, errs[i]); errs[i] != nil {
			continue
		}
		if folder := filepath.Dir(f.Path); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	synced := make([]error, len(folders))
	atOnce(len(folders), func(i int) { synced[i] = Sync(folders[i]) })
	for i, f := range files {
		if errs[i] == nil {
			errs[i] = synced[slices.Index(folders, filepath.Dir(f.Path))]
		}
	}
	return errs
}

// draft writes a file that has not its name yet. CreateTemp makes it readable for the user alone.
func draft(folder string, f File) (*os.File, error) {
	made, err := os.CreateTemp(folder, "."+filepath.Base(f.Path)+"-*.tmp")
	if err != nil {
		return nil, err
	}
	if _, err = made.Write(f.Content); err != nil {
		return nil, errors.Join(err, made.Close(), os.Remove(made.Name()))
	}
	return made, nil
}

// name gives a draft its name, or removes it if it could not be written.
func name(made *os.File, path string, err error) error {
	if err == nil {
		err = os.Rename(made.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(made.Name()))
	}
	return nil
}

// atOnce calls do with each number below n, at the same time.
func atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// Sync returns once a power cut cannot undo what was written to the file, or made, renamed or removed in the folder.
func Sync(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// SyncAll does what Sync does with several files or folders, at the same time: the disk writes them together.
func SyncAll(paths []string) error {
	errs := make([]error, len(paths))
	atOnce(len(paths), func(i int) { errs[i] = Sync(paths[i]) })
	return errors.Join(errs...)
}

// Unfinished matches the names that Write gives to files that are not complete.
const Unfinished = ".*.tmp"

// Sweep removes the files of a folder whose names match the pattern, and that were last changed before the moment: what
// writers that were killed have left behind.
func Sweep(folder, pattern string, before time.Time) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if is, err := filepath.Match(pattern, e.Name()); err != nil || !is || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(filepath.Join(folder, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have removed it
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Free returns how many bytes a program without privileges can still write to the folder's disk.
func Free(folder string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, fmt.Errorf("ask for the free room of %s: %w", folder, err)
	}
	blocks, size := uint64(s.Bavail), uint64(s.Bsize) //nolint:gosec,unconvert // the types differ between systems
	if size > 0 && blocks > math.MaxInt64/size {
		return math.MaxInt64, nil
	}
	return int64(blocks * size), nil //nolint:gosec // checked above
}
