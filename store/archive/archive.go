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
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"purr/internal/disk"
	"purr/models"
)

// Archive is a folder of immutable files. It is safe for concurrent use, also by several processes that share the
// folder.
type Archive struct {
	dir     string
	log     *slog.Logger
	lost    atomic.Int64
	damaged atomic.Int64
	mended  atomic.Int64
	minFree atomic.Int64
}

// Open returns the archive in a folder. It makes the folder, and the folders in it, if they do not exist. It logs
// nothing: see LogTo.
func Open(dir string) (*Archive, error) {
	if err := os.MkdirAll(filepath.Join(dir, incoming), 0o700); err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("open the archive: %w", err)
		}
	}
	if err := disk.Sync(dir); err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	return &Archive{dir: dir, log: slog.New(slog.DiscardHandler)}, nil
}

// incoming is the folder of files that are still being written.
const incoming = "incoming"

// LogTo lets the archive log each lost or damaged file that is asked for. Call it before the archive is used.
func (a *Archive) LogTo(log *slog.Logger) { a.log = log }

// Put keeps what the reader gives, and returns its SHA-256 in hex and its size in bytes. If it returns without error,
// the bytes are on the disk. To put the same bytes again is harmless, and replaces a damaged file.
func (a *Archive) Put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	if sum, size, err = a.put(ctx, r); err != nil {
		return "", 0, fmt.Errorf("archive: %w", err)
	}
	return sum, size, disk.Sync(filepath.Dir(a.path(sum)))
}

// PutAll does with several contents what Put does with one, and returns the SHA-256 of each. It lets the disk write them at
// the same time, so that they take little longer than one.
func (a *Archive) PutAll(ctx context.Context, contents [][]byte) (sums []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	files := make([]disk.File, len(contents))
	for i, content := range contents {
		sums = append(sums, Sum(content))
		files[i] = disk.File{Path: a.path(sums[i]), Content: content}
	}
	if err := errors.Join(disk.WriteAll(filepath.Join(a.dir, incoming), files)...); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return sums, nil
}

// put keeps what the reader gives. Its bytes are on the disk then, but a power cut may undo that they have their name.
func (a *Archive) put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	temp, err := os.CreateTemp(filepath.Join(a.dir, incoming), "put-*")
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
	return sum, size, os.Rename(temp.Name(), a.path(sum))
}

// Get opens what is kept under the sum. The caller closes it. It reads all bytes first, and fails with a *Fault if they
// are lost or damaged (rule O7).
func (a *Archive) Get(sum string) (io.ReadSeekCloser, error) {
	f, err := a.open(sum, -1, true)
	if err != nil {
		return nil, a.tell(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(fmt.Errorf("archive: %w", err), f.Close())
	}
	return f, nil
}

// Read returns all bytes that are kept under the sum. It fails with a *Fault if they are lost or damaged (rule O7).
func (a *Archive) Read(sum string) ([]byte, error) {
	f, err := a.open(sum, -1, false)
	if err != nil {
		return nil, a.tell(err)
	}
	data, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, a.tell(&Fault{Damaged, sum, err})
	}
	if Sum(data) != sum {
		return nil, a.tell(&Fault{Damaged, sum, nil})
	}
	return data, nil
}

// Check fails with a *Fault if what is kept under the sum is lost or damaged. It compares the size, unless size is
// negative, and with deep the bytes too. It logs and counts nothing.
func (a *Archive) Check(sum string, size int64, deep bool) error {
	f, err := a.open(sum, size, deep)
	if err != nil {
		return err
	}
	return f.Close()
}

// open opens what is kept under a sum. It fails with a *Fault if that is lost or empty, or has another size. A negative
// size is not compared. With deep it reads all bytes, and fails if they are not those that were kept.
func (a *Archive) open(sum string, size int64, deep bool) (file *os.File, err error) {
	if len(sum) != hex.EncodedLen(sha256.Size) {
		return nil, &Fault{Lost, sum, nil}
	}
	f, err := os.Open(a.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Fault{Lost, sum, nil}
	}
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if size >= 0 && info.Size() != size || info.Size() == 0 && sum != Sum(nil) {
		return nil, &Fault{Damaged, sum, nil}
	}
	if !deep {
		return f, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return nil, &Fault{Damaged, sum, err}
	}
	if hex.EncodeToString(hash.Sum(nil)) != sum {
		return nil, &Fault{Damaged, sum, nil}
	}
	return f, nil
}

// Remove removes what is kept under the sum, unless it was put after the moment. It may be gone already.
func (a *Archive) Remove(sum string, before time.Time) error {
	info, err := os.Stat(a.path(sum))
	if err == nil && info.ModTime().Before(before) {
		err = os.Remove(a.path(sum))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// Sweep removes what writers that were killed before the moment have left behind.
func (a *Archive) Sweep(before time.Time) error {
	return disk.Sweep(filepath.Join(a.dir, incoming), "*-*", before)
}

// Ping fails if the archive cannot keep a small file: its disk is full, read-only or gone (rule O6).
func (a *Archive) Ping(context.Context) error {
	f, err := os.CreateTemp(filepath.Join(a.dir, incoming), "ping-*")
	if err != nil {
		return models.Unavailable("the document store", err)
	}
	_, err = f.Write(make([]byte, 8<<10)) // two blocks: an empty file needs none
	if err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())); err != nil {
		return models.Unavailable("the document store", err)
	}
	return nil
}

// KeepFree sets how many bytes must stay free on the archive's disk (rule O13). Zero sets no bound.
func (a *Archive) KeepFree(bytes int64) { a.minFree.Store(bytes) }

// Room fails with models.KindFull if the archive's disk has fewer free bytes than KeepFree says. Put does not ask: what
// purr owes is written for as long as there is room at all.
func (a *Archive) Room() error {
	least := a.minFree.Load()
	if least <= 0 {
		return nil
	}
	free, err := disk.Free(a.dir)
	if err != nil {
		return models.Unavailable("the document store", err)
	}
	if free < least {
		return &models.Error{
			Kind: models.KindFull, Code: "disk_nearly_full", Msg: "the disk is nearly full, and no file is taken until there is room",
			Err: fmt.Errorf("%d MiB are free, %d MiB must be (--min-free-disk)", free>>20, least>>20),
		}
	}
	return nil
}

// Sum returns the SHA-256 of the bytes in hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// path returns where the bytes of a sum are: in one of 256 folders.
func (a *Archive) path(sum string) string { return filepath.Join(a.dir, sum[:2], sum) }

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
