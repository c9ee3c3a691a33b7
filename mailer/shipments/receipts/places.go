package receipts

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"purr/internal/remote"
	"purr/models"
)

// FromServer returns a way whose receipts lie below its folder on an SFTP server. It does not connect.
func FromServer(method models.ShipmentMethod, server *remote.Server, every time.Duration) *Way {
	return &Way{method, every, onServer{server.Below(folderName)}}
}

// FromFolder returns a way whose receipts lie below its folder on this machine.
func FromFolder(method models.ShipmentMethod, path string, every time.Duration) *Way {
	return &Way{method, every, onDisk(filepath.Join(path, folderName))}
}

// onServer is a folder on another machine.
type onServer struct{ *remote.Server }

func (onServer) Exists() bool { return true } // nobody knows before it is opened

func (s onServer) Open(ctx context.Context) (folder, error) {
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

func (d onDisk) Exists() bool {
	info, err := os.Stat(string(d))
	return err == nil && info.IsDir()
}

func (d onDisk) Open(context.Context) (folder, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, kindOf(err)
	}
	return open{root}, nil
}

// open is an open folder of this machine. Its methods do what those of remote.Folder do.
type open struct{ root *os.Root }

func (o open) Close() { _ = o.root.Close() } // nothing depends on it

func (o open) List() ([]remote.File, error) {
	entries, err := fs.ReadDir(o.root.FS(), ".")
	if err != nil {
		return nil, kindOf(err)
	}
	var files []remote.File
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
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
	slices.SortStableFunc(files, func(a, b remote.File) int { return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

func (o open) Stat(name string) (remote.File, error) {
	info, err := o.root.Lstat(name)
	if err != nil {
		return remote.File{}, kindOf(err)
	}
	return remote.File{Name: name, Size: info.Size(), Changed: info.ModTime().UTC()}, nil
}

// Get opens a plain file: somebody may have put a link or a pipe in its place since it was listed.
func (o open) Get(name string) (io.ReadCloser, error) {
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

func (o open) MakeFolder(name string) error { return kindOf(o.root.MkdirAll(name, 0o700)) }

func (o open) Rename(from, to string) error { return kindOf(o.root.Rename(from, to)) }

// kindOf gives the error of a file that is not there its kind.
func kindOf(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &models.Error{Kind: models.KindNotFound, Code: "not_found", Msg: "there is no such file", Err: err}
	}
	return err
}
