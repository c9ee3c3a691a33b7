package remote

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pkg/sftp"

	"purr/models"
)

// File is a file in a folder.
type File struct {
	Name    string // in the folder
	Size    int64  // bytes
	Changed time.Time
}

// List returns the plain files of the folder that are not hidden, the least recently changed first.
func (f *Folder) List() ([]File, error) {
	var found []fs.FileInfo
	err := f.request("list the files", func() (err error) { found, err = f.sftp.ReadDir(f.server.folder); return err })
	if err != nil {
		return nil, err
	}
	var files []File
	for _, i := range found {
		if i.Mode().IsRegular() && !strings.HasPrefix(i.Name(), ".") && isName(i.Name()) {
			files = append(files, File{i.Name(), i.Size(), i.ModTime().UTC()})
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

// isName reports whether a name is that of something in the folder, and no path to another folder.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.Contains(name, "/")
}

// Stat returns the present state of a file. It fails with models.KindNotFound if the file does not exist.
func (f *Folder) Stat(name string) (File, error) {
	var info fs.FileInfo
	err := f.request("stat "+name, func() (err error) { info, err = f.sftp.Lstat(f.path(name)); return err })
	if err != nil {
		return File{}, err
	}
	return File{name, info.Size(), info.ModTime().UTC()}, nil
}

// Get returns the content of a file while it comes from the server. It requests the next parts before the first
// are read. The caller closes the content.
func (f *Folder) Get(name string) (io.ReadCloser, error) {
	var file *sftp.File
	err := f.request("get "+name, func() (err error) { file, err = f.sftp.Open(f.path(name)); return err })
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		_, err := file.WriteTo(w)
		_ = w.CloseWithError(errors.Join(err, file.Close())) // the end of the file if both are nil
	}()
	return &download{r, f, name}, nil
}

// download is the content of a file while it comes from the server.
type download struct {
	*io.PipeReader
	folder *Folder
	name   string
}

// Read waits for the next part, no longer than the timeout of an answer.
func (d *download) Read(p []byte) (int, error) {
	defer d.folder.startTimeout().Stop()
	n, err := d.PipeReader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = d.folder.classify("get "+d.name, err)
	}
	return n, err
}

// Put writes a file in one step. Until the file is whole it has a hidden name. If the server can promise it, the
// file is on the disk before it gets its own name. Put replaces a file of the same name if the server can do so in
// one step; otherwise it fails. An interrupted Put can be repeated.
//
// No answer of the server is believed: Put looks at the file under its own name, and only what it finds there has left (rule D121).
// Whoever waits for the file must leave it there for some seconds.
func (f *Folder) Put(name string, content io.Reader) error {
	if !isName(name) {
		return models.Invalid("bad_name", "", "%q is not the name of a file", name)
	}
	hidden := "." + name + ".part"
	size, err := f.write(hidden, content)
	if err == nil {
		err = f.Rename(hidden, name)
	}
	if err == nil {
		err = f.hasSize(name, size)
		if models.KindOf(err) == models.KindNotFound {
			err = f.server.unavailable(fmt.Errorf("put %s: the server says that it did, and the file is not there: who takes files away must leave them for some seconds", name))
		}
		return err
	}
	if removeErr := f.Remove(hidden); models.KindOf(removeErr) != models.KindNotFound {
		err = errors.Join(err, removeErr)
	}
	return err
}

// write writes a file, checks that the server has all of it, and returns its size.
func (f *Folder) write(name string, content io.Reader) (size int64, err error) {
	timeout := f.startTimeout()
	defer timeout.Stop()
	size, err = f.copy(name, readerFunc(func(p []byte) (int, error) {
		timeout.Reset(f.server.timeout)
		return content.Read(p)
	}))
	if err != nil {
		return 0, f.classify("put "+name, err)
	}
	return size, f.hasSize(name, size)
}

// hasSize fails unless the server shows the file with its size.
func (f *Folder) hasSize(name string, size int64) error {
	there, err := f.Stat(name)
	if err != nil {
		return err
	}
	if there.Size != size {
		return f.server.unavailable(fmt.Errorf("put %s: it has %d bytes of %d", name, there.Size, size))
	}
	return nil
}

func (f *Folder) copy(name string, content io.Reader) (size int64, err error) {
	file, err := f.sftp.Create(f.path(name))
	if err != nil {
		return 0, err
	}
	size, err = file.ReadFrom(content)
	if _, can := f.sftp.HasExtension("fsync@openssh.com"); can && err == nil {
		err = file.Sync()
	}
	return size, errors.Join(err, file.Close())
}

type readerFunc func(p []byte) (int, error)

func (r readerFunc) Read(p []byte) (int, error) { return r(p) }

// Remove removes a file. It fails with models.KindNotFound if the file does not exist, and with models.KindConflict if it is
// there still, whatever the server has answered (rule D121).
func (f *Folder) Remove(name string) error {
	if err := f.request("remove "+name, func() error { return f.sftp.Remove(f.path(name)) }); err != nil {
		return err
	}
	return f.isGone("remove "+name, name)
}

// isGone fails if the server shows a file that it says to have removed or renamed.
func (f *Folder) isGone(what, name string) error {
	_, err := f.Stat(name)
	if err == nil {
		return models.Conflict("not_done", "%s: %s: the server says that it did, and did not", f.server, what)
	}
	return models.IgnoreNotFound(err)
}

// Rename gives a file another name, which may lie in a folder below. It replaces a file of that name if the server
// can do so in one step. It fails with models.KindConflict if the file still has its old name, whatever the server has
// answered (rule D121).
func (f *Folder) Rename(from, to string) error {
	err := f.request("rename "+from, func() error {
		if _, can := f.sftp.HasExtension("posix-rename@openssh.com"); can {
			return f.sftp.PosixRename(f.path(from), f.path(to))
		}
		return f.sftp.Rename(f.path(from), f.path(to))
	})
	if err != nil {
		return err
	}
	return f.isGone("rename "+from, from)
}

// MakeFolder makes a folder below this one, unless it exists.
func (f *Folder) MakeFolder(name string) error {
	return f.request("make the folder "+name, func() error { return f.sftp.MkdirAll(f.path(name)) })
}

func (f *Folder) path(name string) string { return path.Join(f.server.folder, name) }
