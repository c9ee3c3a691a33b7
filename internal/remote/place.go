package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"purr/models"
)

// Place is a folder in which the other side leaves files: on its server, or on this machine.
type Place interface {
	fmt.Stringer // its URL, without a secret
	// MayHaveFiles reports whether there may be a file in it, as far as that can be told without asking another machine.
	MayHaveFiles() bool
	// Open fails with models.KindNotFound if there is no such folder.
	Open(ctx context.Context) (Opened, error)
}

// Opened is an open folder: that of another machine, which is a Folder, or one of this machine.
type Opened interface {
	List() ([]File, error) // the oldest first
	Get(name string) (io.ReadCloser, error)
	Stat(name string) (File, error)
	Put(name string, content io.Reader) error
	MakeFolder(name string) error
	Rename(from, to string) error
	Close()
}

// OnServer returns the place that a server's folder is. It does not connect.
func OnServer(s *Server) Place { return onServer{s} }

// OnDisk returns the place that a folder of this machine is.
func OnDisk(path string) Place { return onDisk(path) }

// onServer is a folder on another machine.
type onServer struct{ *Server }

func (onServer) MayHaveFiles() bool { return true } // nobody knows before it is opened

func (s onServer) Open(ctx context.Context) (Opened, error) {
	f, err := s.Server.Open(ctx)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// onDisk is the path of a folder of this machine. The other side may write what it likes into it, so nothing outside of it is
// reached by a link.
type onDisk string

func (d onDisk) String() string { return "file:" + string(d) }

func (d onDisk) MayHaveFiles() bool {
	folder, err := os.Open(string(d))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // who opens it says what is wrong
	}
	defer func() { _ = folder.Close() }() // it was only read
	for {
		some, err := folder.ReadDir(64) // none with an error
		if err != nil {
			return !errors.Is(err, io.EOF)
		}
		if slices.ContainsFunc(some, waits) {
			return true
		}
	}
}

// waits reports whether an entry of a folder is a file that the other side has left.
func waits(e fs.DirEntry) bool { return e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") }

func (d onDisk) Open(context.Context) (Opened, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, kindOf(err)
	}
	return openRoot{root}, nil
}

// openRoot is an open folder of this machine. Its methods do what those of remote.Folder do.
type openRoot struct{ root *os.Root }

func (o openRoot) Close() { _ = o.root.Close() } // nothing depends on it

func (o openRoot) List() ([]File, error) {
	entries, err := fs.ReadDir(o.root.FS(), ".")
	if err != nil {
		return nil, kindOf(err)
	}
	var files []File
	for _, e := range entries {
		if !waits(e) {
			continue
		}
		f, err := o.Stat(e.Name())
		if models.KindOf(err) == models.KindNotFound {
			continue // another process was faster
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

func (o openRoot) Stat(name string) (File, error) {
	info, err := o.root.Lstat(name)
	if err != nil {
		return File{}, kindOf(err)
	}
	return File{Name: name, Size: info.Size(), Changed: info.ModTime().UTC()}, nil
}

// Get opens a plain file: somebody may have put a link or a pipe in its place since it was listed.
func (o openRoot) Get(name string) (io.ReadCloser, error) {
	file, err := o.root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, kindOf(err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no plain file")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (o openRoot) MakeFolder(name string) error { return kindOf(o.root.MkdirAll(name, 0o700)) }

func (o openRoot) Rename(from, to string) error { return kindOf(o.root.Rename(from, to)) }

// kindOf gives the error of a file that is not there its kind.
func kindOf(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &models.Error{Kind: models.KindNotFound, Code: "not_found", Msg: "there is no such file", Err: err}
	}
	return err
}

// Put writes a file in one step. Until it is whole it has a hidden name.
func (o openRoot) Put(name string, content io.Reader) error {
	hidden := "." + name + ".part"
	file, err := o.root.OpenFile(hidden, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return kindOf(err)
	}
	_, err = io.Copy(file, content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, o.root.Remove(hidden))
	}
	return o.Rename(hidden, name)
}
