package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"purr/internal/disk"
)

// folder is a backend: a file for each sum, in one of 256 folders.
type folder struct{ dir string }

// incoming is the folder of files that are still being written.
const incoming = "incoming"

// openFolder returns the backend in a folder. It makes the folder, and the folders in it, if they do not exist.
func openFolder(dir string) (folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, incoming), 0o700); err != nil {
		return folder{}, err
	}
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return folder{}, err
		}
	}
	return folder{dir}, disk.Sync(dir)
}

func (f folder) path(sum string) string { return filepath.Join(f.dir, sum[:2], sum) }

func (f folder) drafts() string { return filepath.Join(f.dir, incoming) }

func (f folder) put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	temp, err := os.CreateTemp(f.drafts(), "put-*")
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it is gone already if it was renamed
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(temp, hash), &ctxReader{ctx, r})
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", 0, err
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	if err := os.Rename(temp.Name(), f.path(sum)); err != nil {
		return "", 0, err
	}
	return sum, size, disk.Sync(filepath.Dir(f.path(sum))) // or a power cut may undo that it has its name
}

func (f folder) draft() (*os.File, error) {
	file, err := os.CreateTemp(f.drafts(), "draft-*")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

func (f folder) putAll(sums []string, contents [][]byte) error {
	files := make([]disk.File, len(contents))
	for i, content := range contents {
		files[i] = disk.File{Path: f.path(sums[i]), Content: content}
	}
	return errors.Join(disk.WriteAll(f.drafts(), files)...)
}

// opened is a file of the folder, with its size when it was opened.
type opened struct {
	*os.File
	bytes int64
}

func (o opened) size() int64 { return o.bytes }

func (f folder) get(sum string) (object, error) {
	file, err := os.Open(f.path(sum))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return opened{file, info.Size()}, nil
}

// has opens the file, since one that cannot be opened is as good as none.
func (f folder) has(sum string) (size int64, put time.Time, err error) {
	file, err := os.Open(f.path(sum))
	if err != nil {
		return 0, time.Time{}, err
	}
	info, err := file.Stat()
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}

func (f folder) delete(sum string) error { return os.Remove(f.path(sum)) }

func (f folder) list(each func(sum string) error) error {
	for i := range 256 {
		entries, err := os.ReadDir(filepath.Join(f.dir, fmt.Sprintf("%02x", i)))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := each(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f folder) sweep(before time.Time) error { return disk.Sweep(f.drafts(), "*-*", before) }

func (f folder) ping() error {
	file, err := os.CreateTemp(f.drafts(), "ping-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 8<<10)) // two blocks: an empty file needs none
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

func (f folder) free() (int64, error) { return disk.Free(f.dir) }

// ctxReader ends a long copy when its context ends.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
