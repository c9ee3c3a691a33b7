package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"purr/internal/storage"
)

// In returns the place that a place of storage is: one of this machine, or one below a bucket's prefix.
func In(p storage.Place) Place {
	if path, is := p.Folder(); is {
		return OnDisk(path)
	}
	return inBucket{p}
}

// inBucket is a place below a bucket's prefix. The other side puts whole objects there.
type inBucket struct{ storage.Place }

func (inBucket) MayHaveFiles() bool { return true } // nobody knows before it is asked

func (b inBucket) Open(ctx context.Context) (Opened, error) { return openedBucket{ctx, b.Place}, nil }

// openedBucket is such a place for as long as the context lasts. Its methods do what those of remote.Folder do.
type openedBucket struct {
	ctx context.Context
	in  storage.Place
}

func (openedBucket) Close() {}

func (openedBucket) MakeFolder(string) error { return nil }

func (o openedBucket) List() (files []File, err error) {
	found, err := o.in.List(o.ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		files = append(files, fileOf(f))
	}
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

func fileOf(f storage.Info) File {
	return File{Name: f.Name, Size: f.Size, Changed: f.Changed.UTC()}
}

func (o openedBucket) Get(name string) (io.ReadCloser, error) {
	in, _, err := o.in.Open(o.ctx, name)
	if err != nil {
		return nil, kindOf(err)
	}
	return in, nil
}

func (o openedBucket) Stat(name string) (File, error) {
	found, err := o.in.Stat(o.ctx, name)
	if err != nil {
		return File{}, kindOf(err)
	}
	return fileOf(found), nil
}

// Put reads all of the content first, since a request is tried again: what purr leaves for others is small.
func (o openedBucket) Put(name string, content io.Reader) error {
	all, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return o.in.Put(o.ctx, name, bytes.NewReader(all))
}

// Rename leaves one file where it was broken off before: the same bytes under the new name are those that moved.
func (o openedBucket) Rename(from, to string) error {
	file, err := o.in.Stat(o.ctx, from)
	if err != nil {
		return kindOf(err)
	}
	there, err := o.in.Stat(o.ctx, to)
	switch {
	case err == nil && there.Tag == file.Tag && there.Size == file.Size:
		return o.in.Remove(o.ctx, file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return kindOf(o.in.Move(o.ctx, file, to))
}
