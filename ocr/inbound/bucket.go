package inbound

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"

	"purr/internal/clock"
	"purr/internal/storage"
	"purr/models"
	"purr/ocr"
)

// BucketInbox is an inbox in a bucket (rule K2a). What is put into a bucket is whole, so a file is taken as soon as it is seen. Its arrival
// is what the server says of the object: a poll that was broken off, or that another process makes too, takes it for the same one. The
// move to the folder done, duplicate or rejected is a row, a copy and a removal, each of which can be repeated.
type BucketInbox struct {
	intake
	in   storage.Place
	bare bool // nothing is left in processing, where this program puts nothing
}

// OpenBucket returns the inbox in a place that is no folder of this machine.
func OpenBucket(in storage.Place, importer *ocr.Importer, log *slog.Logger) *BucketInbox {
	return &BucketInbox{intake: intake{importer: importer, log: log, clock: clock.System{}}, in: in}
}

// Poll imports every file, the oldest first, and continues imports that were broken off. A file that fails does not delay the
// others, unless the bucket or the database is away.
func (in *BucketInbox) Poll(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	errs := []error{in.discard(ctx)}
	if err := in.room(); err != nil || in.full {
		return errors.Join(append(errs, err)...)
	}
	files, err := in.waiting(ctx)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for _, f := range files {
		err := in.importFile(ctx, f)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have been faster
			errs = append(errs, fmt.Errorf("import %s: %w", models.Foreign(f.Name, 80), err))
		}
		if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
			break // the next ones would fail too
		}
	}
	return errors.Join(errs...)
}

// waiting returns the files that are to be imported, the oldest first: those of the inbox itself, and those that a folder had in
// processing when it was copied here.
func (in *BucketInbox) waiting(ctx context.Context) ([]storage.Info, error) {
	files, err := in.in.List(ctx)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f storage.Info) bool { return slices.Contains(unfinished, strings.ToLower(path.Ext(f.Name))) })
	if !in.bare {
		begun, err := in.in.Below(processing).List(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range begun {
			if len(f.Name) > len(arrivalTime) {
				f.Name = path.Join(processing, f.Name)
				files = append(files, f)
			}
		}
		in.bare = len(begun) == 0
	}
	slices.SortStableFunc(files, func(a, b storage.Info) int {
		return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(path.Base(a.Name), path.Base(b.Name)))
	})
	return files, nil
}

// arrival returns the mark of a file's arrival, and the name that the file came with. The mark of one that a folder had begun is
// the one that it has there.
func arrival(f storage.Info) (mark, name string) {
	if base := path.Base(f.Name); base != f.Name {
		return base, base[len(arrivalTime):]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", f.Name, f.Tag, f.Size, f.Changed.Unix()))
	return "s3:" + hex.EncodeToString(sum[:]), asText(f.Name)
}

// importFile imports a file, or continues its import, and puts it away. It does nothing to one that was put anew meanwhile: that
// one is the next poll's.
func (in *BucketInbox) importFile(ctx context.Context, listed storage.Info) error {
	content, f, err := in.in.Open(ctx, listed.Name)
	if err != nil {
		return err
	}
	mark, name := arrival(f)
	result, err := in.importOf(ctx, content, f.Size, name, mark)
	if err = errors.Join(err, content.Close()); err != nil {
		return err
	}
	folder := endFolder[result.State]
	if folder == "" {
		return fmt.Errorf("it is still %s", result.State)
	}
	report, err := in.importer.Report(ctx, result)
	if err != nil {
		return err
	}
	target, err := in.target(ctx, path.Join(folder, shortened(name)), f)
	if err != nil {
		return err
	}
	if err := in.in.Put(ctx, target+reportEnding, bytes.NewReader(report)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	err = in.in.Move(ctx, f, target)
	if errors.Is(err, fs.ErrNotExist) {
		return in.undoReport(ctx, target)
	}
	return err
}

// target returns the name, or the first of name-2, name-3 and so on, under which there is nothing, or this very file: a copy that
// was broken off before the removal.
func (in *BucketInbox) target(ctx context.Context, name string, f storage.Info) (string, error) {
	ext := path.Ext(name)
	for n, candidate := 2, name; ; n++ {
		there, err := in.in.Stat(ctx, candidate)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return candidate, nil
		case err != nil:
			return "", err
		case there.Size == f.Size && !there.Changed.Before(f.Changed):
			if same, err := in.same(ctx, f, there); err != nil || same {
				return candidate, err
			}
		}
		candidate = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
}

// same tells whether two files of one size have the same bytes. A copy may bear another tag: a server gives none to what it did not take
// in itself, and one of its own to what it has encrypted anew.
func (in *BucketInbox) same(ctx context.Context, a, b storage.Info) (bool, error) {
	if a.Tag != "" && a.Tag == b.Tag {
		return true, nil
	}
	var sums [2][sha256.Size]byte
	for i, f := range []storage.Info{a, b} {
		content, _, err := in.in.Open(ctx, f.Name)
		if err != nil {
			return false, err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, content)
		if err = errors.Join(err, content.Close()); err != nil {
			return false, err
		}
		sum.Sum(sums[i][:0])
	}
	return sums[0] == sums[1], nil
}

// undoReport removes the report on a file that another process has put away under another name.
func (in *BucketInbox) undoReport(ctx context.Context, target string) error {
	if _, err := in.in.Stat(ctx, target); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return in.in.Remove(ctx, storage.Info{Name: target + reportEnding})
}

// discard removes the rejected files that are no longer kept, as that of Inbox does.
func (in *BucketInbox) discard(ctx context.Context) error {
	before, err := in.expired(ctx)
	if err != nil || before.IsZero() {
		return err
	}
	files, err := in.in.Below(rejected).List(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		if f.Changed.Before(before) {
			errs = append(errs, in.in.Below(rejected).Remove(ctx, f))
		}
	}
	return errors.Join(errs...)
}
