package avtalegiro

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"strings"
	"time"

	"purr/internal/clock"
	"purr/internal/remote"
	"purr/models"
)

const (
	// FolderName is the name of the folder of receipts, below that of the claims.
	FolderName = "receipts"

	done     = "done"     // in the folder of receipts
	rejected = "rejected" // likewise

	// restsFor is how long a file that cannot be taken must have rested to be rejected: it may still be being written.
	restsFor = 5 * time.Minute
)

// Folder is the folder in which the bank leaves its receipts. Any number of processes may read it: a receipt is taken once.
type Folder struct {
	Every time.Duration // between two looks

	place   remote.Place
	columns Columns
	files   *Files
}

// NewFolder returns the folder that is a place.
func NewFolder(place remote.Place, s Settings, files *Files) *Folder {
	return &Folder{s.Every, place, s.Columns, files}
}

// String returns the URL of the folder, which holds no secret.
func (f *Folder) String() string { return f.place.String() }

// Exists reports whether there may be such a folder.
func (f *Folder) Exists() bool { return f.place.Exists() }

// Read takes the receipts of the folder, the oldest first: each moves to done, or to rejected with a text that names its faults. Of a
// transmission that it both takes and refuses the former counts: the bytes have come twice. Without the folder there is nothing to read.
func (f *Folder) Read(ctx context.Context, log *slog.Logger) error {
	in, err := f.place.Open(ctx)
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	files, err := in.List()
	if err != nil {
		return err
	}
	var errs []error
	for _, refusals := range []bool{false, true} {
		for _, file := range files {
			if strings.HasPrefix(file.Name, "KV."+answerRefused+".") != refusals {
				continue
			}
			name := models.Foreign(file.Name, 80)
			err := f.take(ctx, log.With("folder", f.String(), "file", name), in, file)
			if err != nil {
				errs = append(errs, fmt.Errorf("the bank's receipt %s: %w", name, err))
			}
			if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
				return errors.Join(errs...) // the next ones would fail too
			}
		}
	}
	return errors.Join(errs...)
}

// take takes one file.
func (f *Folder) take(ctx context.Context, log *slog.Logger, in remote.Opened, file remote.File) error {
	content, err := read(in, file)
	if err != nil {
		return models.IgnoreNotFound(err) // another process was faster
	}
	taken, err := f.files.Take(ctx, file.Name, content, f.columns, models.ActorProgram)
	faults, are := errors.AsType[models.FileFaults](err)
	if err != nil && !are {
		return err
	}
	if are {
		if rested := (clock.System{}).Now().Sub(file.Changed); rested < restsFor {
			return nil
		}
		log.Error("a receipt of the bank's is rejected", "error", faults)
		moved, err := move(in, file, rejected)
		if err != nil || !moved {
			return err // another process was faster
		}
		why := file.Name + ".faults.txt"
		if err := in.Put(why, strings.NewReader(textOf(faults))); err != nil {
			return err
		}
		_, err = move(in, remote.File{Name: why, Changed: file.Changed}, rejected)
		return err
	}
	log.Info("a receipt of the bank's was taken", "files", taken.Files, "rejected", taken.Rejected, "warnings", taken.Warnings, "known", taken.Known)
	_, err = move(in, file, done)
	return err
}

func textOf(faults models.FileFaults) string {
	var b strings.Builder
	for _, fault := range faults {
		fmt.Fprintln(&b, fault)
	}
	return b.String()
}

func read(in remote.Opened, f remote.File) ([]byte, error) {
	file, err := in.Get(f.Name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, MaxReceipt+1))
	return content, errors.Join(err, file.Close())
}

// move moves a file into a folder below, and reports false if it is gone. A name that is taken there gets the file's time before it.
func move(in remote.Opened, f remote.File, to string) (bool, error) {
	if err := in.MakeFolder(to); err != nil {
		return false, err
	}
	name := f.Name
	if _, err := in.Stat(path.Join(to, name)); err == nil {
		name = f.Changed.Format("20060102T150405-") + name
	}
	err := in.Rename(f.Name, path.Join(to, name))
	return err == nil, models.IgnoreNotFound(err)
}
