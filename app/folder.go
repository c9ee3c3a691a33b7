package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// The modes of everything in the data folder (rule O5). New files get them from the umask that becomeOwner sets.
const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

// keepPrivate takes a data folder that was there before away from other users: first the folder itself, then, while the
// program works, what purr keeps in it. It leaves other files in the folder alone, and a folder that is everybody's,
// such as /tmp. Where a mode cannot be set it says so.
func (a *App) keepPrivate(data string) {
	warn := func(err error) {
		if err != nil && !errors.Is(err, context.Canceled) {
			a.log.Warn("other users may be able to read files in the data folder: a mode could not be set", "error", err)
		}
	}
	warn(setMode(data, folderMode))
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		for _, name := range []string{"purr.db*", "archive", "inbox", "outbox", "reports"} {
			found, _ := filepath.Glob(filepath.Join(data, name)) // the patterns are well formed
			for _, path := range found {
				warn(setModes(ctx, path))
			}
		}
	})
	a.onClose("data folder", func(context.Context) error {
		cancel()
		working.Wait()
		return nil
	})
}

// setModes sets the modes of a file or a folder, and of all that is in it. It follows no links, and ends at the first
// file that it cannot change.
func setModes(ctx context.Context, path string) error {
	return filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return ignoreGone(err)
		case entry.IsDir():
			return errors.Join(ctx.Err(), setMode(path, folderMode))
		case entry.Type().IsRegular():
			return errors.Join(ctx.Err(), setMode(path, fileMode))
		}
		return nil
	})
}

// setMode gives a file or a folder its mode, if it has another one.
func setMode(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeSticky != 0 || info.Mode().Perm() == mode {
		return ignoreGone(err)
	}
	return ignoreGone(os.Chmod(path, mode))
}

// ignoreGone ignores that a file is gone: files come and go while the program works.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
