package remote

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
	"purr/models"
)

// The folders below one in which the other side leaves files.
const (
	doneFolder     = "done"
	rejectedFolder = "rejected"
)

// restsFor is how long a file that cannot be taken must have rested to be rejected: it may still be being written.
const restsFor = 5 * time.Minute

// Taking is how the files are taken that the other side leaves in a folder: each moves to done, or to rejected with a text that names its
// faults. Any number of processes may do it. A file that is killed half-way is taken again, so taking it twice must do no harm.
type Taking struct {
	What string // whose files they are, for logs and errors: "the debt collector's file"
	Most int64  // bytes of a file; a larger one is rejected

	// Order returns those of the files that are taken, in the order in which they are; nil takes all, the oldest first.
	Order func([]File) []File

	// Take takes a file. fault says what is wrong with it, err why it could not be taken now.
	Take func(ctx context.Context, name string, content []byte) (fault, err error)
}

// From takes the files of a place. One that fails keeps no other one from being taken, unless something is away. Without the folder there is
// nothing to take.
func (t Taking) From(ctx context.Context, log *slog.Logger, place Place) error {
	in, err := place.Open(ctx)
	if err != nil {
		return models.IgnoreNotFound(err)
	}
	defer in.Close()
	files, err := in.List()
	if err != nil {
		return err
	}
	if t.Order != nil {
		files = t.Order(files)
	}
	var errs []error
	for _, f := range files {
		name := models.Foreign(f.Name, 80)
		err := t.one(ctx, log.With("file", name), in, f)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", t.What, name, err))
		}
		if models.KindOf(err) == models.KindUnavailable || ctx.Err() != nil {
			break // the next ones would fail too
		}
	}
	return errors.Join(errs...)
}

func (t Taking) one(ctx context.Context, log *slog.Logger, in Opened, f File) error {
	content, fault, err := t.read(in, f)
	if err != nil {
		return models.IgnoreNotFound(err) // another process was faster
	}
	if fault == nil {
		if fault, err = t.Take(ctx, f.Name, content); err != nil {
			return err
		}
	}
	if fault == nil {
		log.Info(t.What + " was taken")
		_, err := move(in, f, doneFolder)
		return err
	}
	if rested := (clock.System{}).Now().Sub(f.Changed); rested < restsFor {
		return nil
	}
	log.Error(t.What+" is rejected", "error", fault)
	moved, err := move(in, f, rejectedFolder)
	if err != nil || !moved {
		return err // another process was faster
	}
	why := f.Name + ".faults.txt"
	if err := in.Put(why, strings.NewReader(fault.Error()+"\n")); err != nil {
		return err
	}
	_, err = move(in, File{Name: why, Changed: f.Changed}, rejectedFolder)
	return err
}

// read reads a file. One that is too large is not fetched at all, and one that has grown meanwhile no further than shows it.
func (t Taking) read(in Opened, f File) (content []byte, fault, err error) {
	large := fmt.Errorf("the file is larger than %d MiB", t.Most>>20)
	if f.Size > t.Most {
		return nil, large, nil
	}
	file, err := in.Get(f.Name)
	if err != nil {
		return nil, nil, err
	}
	content, err = io.ReadAll(io.LimitReader(file, t.Most+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, nil, err
	}
	if int64(len(content)) > t.Most {
		return nil, large, nil
	}
	return content, nil, nil
}

// move moves a file into a folder below, and reports false if it is gone. A name that is taken there gets the file's time before it.
func move(in Opened, f File, to string) (bool, error) {
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
