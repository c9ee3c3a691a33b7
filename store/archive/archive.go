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
	"sync/atomic"
	"time"

	"purr/models"
)

// Archive keeps immutable files. It is safe for concurrent use, also by several processes that share the
// folder or the bucket. While a bucket is away its methods fail with models.KindUnavailable (rule K9).
type Archive struct {
	backend backend
	log     *slog.Logger
	lost    atomic.Int64
	damaged atomic.Int64
	mended  atomic.Int64
	minFree atomic.Int64
}

// Open returns the archive in a folder. It makes the folder, and the folders in it, if they do not exist. It logs
// nothing: see LogTo.
func Open(dir string) (*Archive, error) {
	in, err := openFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	return newArchive(in), nil
}

func newArchive(in backend) *Archive {
	return &Archive{backend: in, log: slog.New(slog.DiscardHandler)}
}

// LogTo lets the archive log each lost or damaged file that is asked for. Call it before the archive is used.
func (a *Archive) LogTo(log *slog.Logger) { a.log = log }

// Put keeps what the reader gives, and returns its SHA-256 in hex and its size in bytes. If it returns without error,
// the bytes are on the disk. To put the same bytes again is harmless, and replaces a damaged file.
func (a *Archive) Put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	if sum, size, err = a.backend.put(ctx, r); err != nil {
		return "", 0, fmt.Errorf("archive: %w", err)
	}
	return sum, size, nil
}

// Draft returns an empty file beside what is kept, for bytes that are in the making. Nobody else finds it, and it is gone when it is closed.
func (a *Archive) Draft() (*os.File, error) {
	file, err := a.backend.draft()
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return file, nil
}

// PutAll does with several contents what Put does with one, and returns the SHA-256 of each. It lets the disk write them at
// the same time, so that they take little longer than one.
func (a *Archive) PutAll(ctx context.Context, contents [][]byte) (sums []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	for _, content := range contents {
		sums = append(sums, Sum(content))
	}
	if err := a.backend.putAll(sums, contents); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return sums, nil
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
		return nil, a.tell(unreadable(sum, err))
	}
	if Sum(data) != sum {
		return nil, a.tell(&Fault{Damaged, sum, nil})
	}
	return data, nil
}

// Check fails with a *Fault if what is kept under the sum is lost or damaged. It compares the size, unless size is
// negative, and with deep the bytes too. It logs and counts nothing.
func (a *Archive) Check(sum string, size int64, deep bool) error {
	if !deep {
		return a.look(sum, size)
	}
	f, err := a.open(sum, size, deep)
	if err != nil {
		return err
	}
	return f.Close()
}

// look does what open does without reading a byte.
func (a *Archive) look(sum string, size int64) error {
	if len(sum) != hex.EncodedLen(sha256.Size) {
		return &Fault{Lost, sum, nil}
	}
	has, _, err := a.backend.has(sum)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Fault{Lost, sum, nil}
	case err != nil:
		return fmt.Errorf("archive: %w", err)
	case isDamaged(sum, size, has):
		return &Fault{Damaged, sum, nil}
	}
	return nil
}

// isDamaged reports whether a file's size shows that its bytes are not those that were kept. A negative size is not known.
func isDamaged(sum string, size, has int64) bool {
	return size >= 0 && has != size || has == 0 && sum != Sum(nil)
}

// open opens what is kept under a sum. It fails with a *Fault if that is lost or empty, or has another size. A negative
// size is not compared. With deep it reads all bytes, and fails if they are not those that were kept.
func (a *Archive) open(sum string, size int64, deep bool) (file object, err error) {
	if len(sum) != hex.EncodedLen(sha256.Size) {
		return nil, &Fault{Lost, sum, nil}
	}
	f, err := a.backend.get(sum)
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
	if isDamaged(sum, size, f.size()) {
		return nil, &Fault{Damaged, sum, nil}
	}
	if !deep {
		return f, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return nil, unreadable(sum, err)
	}
	if hex.EncodeToString(hash.Sum(nil)) != sum {
		return nil, &Fault{Damaged, sum, nil}
	}
	return f, nil
}

// Remove removes what is kept under the sum, unless it was put after the moment. It may be gone already.
func (a *Archive) Remove(sum string, before time.Time) error {
	_, put, err := a.backend.has(sum)
	if err == nil && put.Before(before) {
		err = a.backend.delete(sum)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// Sweep removes what writers that were killed before the moment have left behind.
func (a *Archive) Sweep(before time.Time) error { return a.backend.sweep(before) }

// Ping fails if the archive cannot keep a small file: its disk is full, read-only or gone (rule O6).
func (a *Archive) Ping(context.Context) error {
	if err := a.backend.ping(); err != nil {
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
	free, err := a.backend.free()
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
