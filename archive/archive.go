// Package archive keeps bytes for ever under their SHA-256: the PDFs that were sent and the bank's files. It knows
// nothing of what they mean.
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

	"purr/models"
)

// Archive is a folder of immutable files. It is safe for concurrent use, also by several processes that share the
// folder.
type Archive struct{ dir string }

// Open returns the archive in a folder. It makes the folder, and the folders in it, if they do not exist.
func Open(dir string) (*Archive, error) {
	if err := os.MkdirAll(filepath.Join(dir, "incoming"), 0o700); err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("open the archive: %w", err)
		}
	}
	if err := syncDir(dir); err != nil {
		return nil, err
	}
	return &Archive{dir}, nil
}

// Put keeps what the reader gives, and returns its SHA-256 in hex and its size in bytes. If it returns without error,
// the bytes are on the disk. To put the same bytes again changes nothing.
func (a *Archive) Put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	temp, err := os.CreateTemp(filepath.Join(a.dir, "incoming"), "put-*")
	if err != nil {
		return "", 0, fmt.Errorf("archive: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it is gone already if it was renamed
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(temp, hash), &ctxReader{ctx, r})
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", 0, fmt.Errorf("archive: %w", err)
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	path := a.path(sum)
	if _, err := os.Stat(path); err == nil {
		return sum, size, nil
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return "", 0, fmt.Errorf("archive: %w", err)
	}
	return sum, size, syncDir(filepath.Dir(path))
}

// Get opens what is kept under the sum. The caller closes it. It fails with models.KindNotFound if nothing is.
func (a *Archive) Get(sum string) (io.ReadSeekCloser, error) {
	if len(sum) != hex.EncodedLen(sha256.Size) {
		return nil, models.NotFound("file in the archive")
	}
	f, err := os.Open(a.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, models.NotFound("file in the archive")
	}
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return f, nil
}

// Read returns all bytes that are kept under the sum.
func (a *Archive) Read(sum string) ([]byte, error) {
	f, err := a.Get(sum)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return data, nil
}

// Ping fails if the archive cannot keep a small file: its disk is full, read-only or gone (rule O6).
func (a *Archive) Ping(context.Context) error {
	f, err := os.CreateTemp(filepath.Join(a.dir, "incoming"), "ping-*")
	if err != nil {
		return models.Unavailable("the document store", err)
	}
	_, err = f.Write(make([]byte, 8<<10)) // two blocks: an empty file needs none
	if err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())); err != nil {
		return models.Unavailable("the document store", err)
	}
	return nil
}

// path returns where the bytes of a sum are: in one of 256 folders.
func (a *Archive) path(sum string) string { return filepath.Join(a.dir, sum[:2], sum) }

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

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
