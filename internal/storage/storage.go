// Package storage keeps named files in places that are reached by URL: folders of this machine (file:), and what lies below a prefix of an
// S3 bucket (s3:). A place holds whole files only. The package knows nothing of what the files are (rules K2, K2a).
package storage

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"purr/models"
)

// Place is a folder of files. A file in it appears whole or not at all, and once Put has returned, neither a power cut nor the death of this
// process loses it. Names are paths with slashes, relative to the place. A place is safe for concurrent use, also by several processes.
//
// A file that is not there is fs.ErrNotExist. Whatever else an S3 server answers, or does not answer, is of models.KindUnavailable: it is
// tried again later, and never a refusal (rule K9). TestPlaces holds both kinds to this.
type Place interface {
	fmt.Stringer // its path or its URL, which holds no secret
	// Below returns the place that a folder in it is.
	Below(folder string) Place
	// Folder returns the path of a folder of this machine, or reports false.
	Folder() (path string, is bool)
	// Prepare makes the folder, if it is one and missing.
	Prepare() error
	// Put keeps a file from the content's beginning, and replaces one of that name.
	Put(ctx context.Context, name string, content io.ReadSeeker) error
	// PutAll does with several files what Put does with one, at the same time, and returns the error of each, in order. The folders that they
	// are in must be there.
	PutAll(ctx context.Context, files []File) []error
	// Open opens a file.
	Open(ctx context.Context, name string) (io.ReadCloser, Info, error)
	// Stat looks at a file.
	Stat(ctx context.Context, name string) (Info, error)
	// Walk calls each with every plain file in the place and in the folders below it, until it fails. Of a place that is not there it finds
	// nothing. See Hidden for what is unfinished.
	Walk(ctx context.Context, each func(Info) error) error
	// List returns the plain files of the place itself, ordered by name, that are not hidden. Of a place that is not there it finds nothing.
	List(ctx context.Context) ([]Info, error)
	// Move gives the file another name in the place, and replaces one of that name. In a bucket it copies and removes, and can be
	// repeated after it was broken off. It fails with fs.ErrNotExist if the file is gone, or is another one since it was looked at.
	Move(ctx context.Context, file Info, to string) error
	// Remove removes a file. It may be gone already. A file of a bucket that is another one since it was looked at stays.
	Remove(ctx context.Context, file Info) error
	// Sweep removes from the place itself what writers that were killed before the moment have left behind.
	Sweep(before time.Time) error
}

// File is a file that is to be kept.
type File struct {
	Name    string
	Content []byte
}

// Info is what a place tells of a file.
type Info struct {
	Name    string // in the place
	Size    int64
	Changed time.Time // when it was last put
	Tag     string    // of these bytes, as an S3 server gives it; empty for a folder's
	Sum     string    // their SHA-256 in hex, as it was noted when they were put; empty if it is not known without reading them
}

// Read returns the bytes of a file that has at most so many; a larger one is cut off behind one byte more.
func Read(ctx context.Context, p Place, name string, most int64) (content []byte, of Info, err error) {
	in, of, err := p.Open(ctx, name)
	if err != nil {
		return nil, of, err
	}
	content, err = io.ReadAll(io.LimitReader(in, most+1))
	if closed := in.Close(); err == nil {
		err = closed
	}
	return content, of, err
}

// Open returns the place of a URL: a folder for file:///PATH, or for a path alone, and a bucket for s3://BUCKET/PREFIX?region=…&endpoint=….
// It connects to nothing. Its error says what is wrong with the URL.
func Open(ctx context.Context, url string) (Place, error) {
	at, err := Parse(url)
	if err != nil {
		return nil, err
	}
	if at.Bucket == "" {
		return Folder(at.Path), nil
	}
	return openBucket(ctx, at)
}

// later marks what a server answered, or did not, as what is tried again.
func later(err error) error {
	if models.KindOf(err) == models.KindUnavailable {
		return err
	}
	return models.Unavailable("the document store", err)
}

// Hidden reports whether a file, or a folder that it is in, begins with a dot: it is unfinished, or a note of purr's own.
func Hidden(name string) bool {
	for rest := name; rest != "." && rest != "/" && rest != ""; rest = path.Dir(rest) {
		if path.Base(rest)[0] == '.' {
			return true
		}
	}
	return false
}

// notThere is the error of a file that a place does not have.
func notThere(name string) error { return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist} }
