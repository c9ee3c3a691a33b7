package archive

import (
	"context"
	"io"
	"os"
	"time"
)

// backend is where an archive's bytes lie, under their SHA-256 in hex. What is put is kept whole or not at all, and a power cut cannot
// lose it once put has returned. What is put again replaces what lay there. A backend compares nothing that it gives: the archive
// does. It is safe for concurrent use, also by several processes that share what it keeps. TestBackends holds every backend to this.
type backend interface {
	// put keeps what the reader gives, and returns its SHA-256 and its size in bytes. It ends when the context does.
	put(ctx context.Context, r io.Reader) (sum string, size int64, err error)
	// putAll keeps contents under the sums that they have. It takes little longer than to keep one.
	putAll(sums []string, contents [][]byte) error
	// draft returns an empty file that nobody finds, and that is gone when it is closed.
	draft() (*os.File, error)
	// get opens what lies under a sum. It fails with fs.ErrNotExist if nothing does.
	get(sum string) (object, error)
	// has returns the size of what lies under a sum, and when it was last put. It fails with fs.ErrNotExist if nothing does.
	has(sum string) (size int64, put time.Time, err error)
	// delete removes what lies under a sum. It fails with fs.ErrNotExist if nothing does.
	delete(sum string) error
	// list calls each with the sums of all that is kept, in any order, until it fails.
	list(each func(sum string) error) error
	// sweep removes what writers that were killed before the moment have left behind.
	sweep(before time.Time) error
	// ping fails if nothing can be kept.
	ping() error
	// free returns how many bytes there is room for.
	free() (int64, error)
}

// object is what lies under a sum, opened.
type object interface {
	io.ReadSeekCloser
	size() int64
}
