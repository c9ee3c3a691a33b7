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
	"sync"
	"syscall"
	"time"
)

// Write writes a file into the folder in one step, and replaces a file of that name. It returns once a power cut cannot
// lose the file. Until then the file's name begins with a dot and ends with .tmp. Only the user may read it (rule O5).
func Write(folder, name string, content []byte) error {
	f, err := os.CreateTemp(folder, "."+name+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close()) // CreateTemp has made it readable for the user alone
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(folder, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return Sync(folder)
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
	var all sync.WaitGroup
	for i, path := range paths {
		all.Go(func() { errs[i] = Sync(path) })
	}
	all.Wait()
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
