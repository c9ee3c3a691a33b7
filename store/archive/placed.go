package archive

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"purr/internal/disk"
	"purr/internal/storage"
)

// placed is a backend: the files of a place that is not on this machine. Its names are those of a folder: ab/ab12….
type placed struct {
	in     storage.Place
	drafts string // a folder of this machine, for what is not complete yet
}

// OpenIn returns the archive in a place: as Open does in a folder of this machine, or in a bucket. Drafts then lie in a folder
// of this machine, which is made if it is missing.
func OpenIn(in storage.Place, drafts string) (*Archive, error) {
	if dir, is := in.Folder(); is {
		return Open(dir)
	}
	b, err := openPlaced(in, drafts)
	if err != nil {
		return nil, err
	}
	return newArchive(b), nil
}

func openPlaced(in storage.Place, drafts string) (placed, error) {
	if err := os.MkdirAll(drafts, 0o700); err != nil {
		return placed{}, err
	}
	return placed{in, drafts}, nil
}

func named(sum string) string { return path.Join(sum[:2], sum) }

func (p placed) draft() (*os.File, error) {
	file, err := os.CreateTemp(p.drafts, "draft-*")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

// put has the bytes on this machine before it sends them: a request is tried again, and must know their number.
func (p placed) put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	temp, err := p.draft()
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = temp.Close() }() // it is gone with it
	hash := sha256.New()
	if size, err = io.Copy(io.MultiWriter(temp, hash), &ctxReader{ctx, r}); err != nil {
		return "", 0, err
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	return sum, size, p.in.Put(ctx, named(sum), temp)
}

func (p placed) putAll(sums []string, contents [][]byte) error {
	files := make([]storage.File, len(contents))
	for i, content := range contents {
		files[i] = storage.File{Name: named(sums[i]), Content: content}
	}
	return errors.Join(p.in.PutAll(context.Background(), files)...)
}

// whileSmall is how many bytes of a file are kept in memory.
const whileSmall = 4 << 20

func (p placed) get(sum string) (object, error) {
	in, of, err := p.in.Open(context.Background(), named(sum))
	if err != nil {
		return nil, err
	}
	o, err := p.fetch(in, of.Size)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	return o, nil
}

// fetch reads all of a file: into memory, or what is large onto this machine's disk.
func (p placed) fetch(in io.Reader, size int64) (object, error) {
	if size <= whileSmall {
		content, err := io.ReadAll(in)
		return inMemory{bytes.NewReader(content)}, err
	}
	temp, err := p.draft()
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(temp, in)
	if err == nil {
		_, err = temp.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, temp.Close())
	}
	return opened{temp, size}, nil
}

// inMemory is a file that was read.
type inMemory struct{ *bytes.Reader }

func (m inMemory) size() int64 { return m.Size() }

func (inMemory) Close() error { return nil }

func (p placed) has(sum string) (size int64, put time.Time, err error) {
	of, err := p.in.Stat(context.Background(), named(sum))
	if err != nil {
		return 0, time.Time{}, err
	}
	return of.Size, of.Changed, nil
}

func (p placed) delete(sum string) error {
	if _, err := p.in.Stat(context.Background(), named(sum)); err != nil {
		return err
	}
	return p.in.Remove(context.Background(), storage.Info{Name: named(sum)})
}

func (p placed) list(each func(sum string) error) error {
	return p.in.Walk(context.Background(), func(of storage.Info) error {
		if storage.Hidden(of.Name) {
			return nil
		}
		return each(path.Base(of.Name))
	})
}

func (p placed) sweep(before time.Time) error { return disk.Sweep(p.drafts, "*-*", before) }

// ping keeps a small file and removes it. It waits for less long than others do: it is asked again soon.
func (p placed) ping() error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	of := storage.Info{Name: ".ping-" + strings.ToLower(rand.Text())}
	return errors.Join(p.in.Put(ctx, of.Name, bytes.NewReader(make([]byte, 1<<10))), p.in.Remove(ctx, of))
}

// free returns the room for what is not complete yet, through which all goes. Whoever pays for the bucket is not asked.
func (p placed) free() (int64, error) { return disk.Free(p.drafts) }
