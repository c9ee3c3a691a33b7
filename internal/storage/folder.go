package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"purr/internal/disk"
)

// folder is a place: a folder of this machine, whose files are written by package disk.
type folder string

// Folder returns the place that a folder of this machine is. It makes nothing.
func Folder(path string) Place { return folder(path) }

func (f folder) String() string { return string(f) }

func (f folder) Below(name string) Place { return folder(f.path(name)) }

func (f folder) Folder() (string, bool) { return string(f), true }

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) Prepare() error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return disk.Sync(filepath.Dir(string(f)))
}

func (f folder) Put(ctx context.Context, name string, content io.ReadSeeker) (err error) {
	if err := ctx.Err(); err != nil {
		return later(err)
	}
	target := f.path(name)
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return later(err)
	}
	made, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+"-*.tmp")
	if err != nil {
		return later(err)
	}
	if _, err = content.Seek(0, io.SeekStart); err == nil {
		_, err = io.Copy(made, content)
	}
	if err = errors.Join(err, made.Sync(), made.Close()); err == nil {
		err = os.Rename(made.Name(), target)
	}
	if err != nil {
		return later(errors.Join(err, os.Remove(made.Name())))
	}
	if err := disk.Sync(filepath.Dir(target)); err != nil {
		return later(err)
	}
	return nil
}

func (f folder) PutAll(ctx context.Context, files []File) []error {
	errs := make([]error, len(files))
	if err := ctx.Err(); err != nil {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	onDisk := make([]disk.File, len(files))
	for i, file := range files {
		onDisk[i] = disk.File{Path: f.path(file.Name), Content: file.Content}
	}
	return disk.WriteAll(string(f), onDisk)
}

// Open opens a plain file: who may write to the folder may put a link or a pipe in its place.
func (f folder) Open(_ context.Context, name string) (io.ReadCloser, Info, error) {
	file, err := os.OpenFile(f.path(name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, Info{}, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no plain file")
	}
	if err != nil {
		return nil, Info{}, errors.Join(err, file.Close())
	}
	return file, infoOf(name, info), nil
}

func infoOf(name string, info fs.FileInfo) Info {
	return Info{Name: name, Size: info.Size(), Changed: info.ModTime()}
}

func (f folder) Stat(_ context.Context, name string) (Info, error) {
	info, err := os.Lstat(f.path(name))
	if err != nil {
		return Info{}, err
	}
	return infoOf(name, info), nil
}

func (f folder) Walk(ctx context.Context, each func(Info) error) error {
	return filepath.WalkDir(string(f), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // the folder, or a file that is gone by now
		case err != nil:
			return err
		case !entry.Type().IsRegular():
			return ctx.Err()
		}
		info, err := entry.Info()
		if err != nil {
			return ignoreGone(err)
		}
		name, err := filepath.Rel(string(f), path)
		if err != nil {
			return err
		}
		return each(infoOf(filepath.ToSlash(name), info))
	})
}

func (f folder) List(context.Context) (files []Info, err error) {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, ignoreGone(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err == nil {
			files = append(files, infoOf(e.Name(), info))
		} else if err := ignoreGone(err); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

func (f folder) Move(_ context.Context, file Info, to string) error {
	if err := os.MkdirAll(filepath.Dir(f.path(to)), 0o700); err != nil {
		return err
	}
	return os.Rename(f.path(file.Name), f.path(to))
}

func (f folder) Remove(_ context.Context, file Info) error {
	return ignoreGone(os.Remove(f.path(file.Name)))
}

func (f folder) Sweep(before time.Time) error {
	return ignoreGone(disk.Sweep(string(f), disk.Unfinished, before))
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
