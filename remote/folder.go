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

// List returns the plain files of the folder that are not hidden, the one that was changed longest ago first.
func (f *Folder) List() ([]File, error) {
	var found []fs.FileInfo
	err := f.ask("list the files", func() (err error) { found, err = f.sftp.ReadDir(f.server.folder); return err })
	if err != nil {
		return nil, err
	}
	var files []File
	for _, i := range found {
		if i.Mode().IsRegular() && !strings.HasPrefix(i.Name(), ".") && isName(i.Name()) {
			files = append(files, fileOf(i))
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

func fileOf(i fs.FileInfo) File { return File{i.Name(), i.Size(), i.ModTime().UTC()} }

// isName reports whether it is the name of something in a folder: it leads nowhere else.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.Contains(name, "/")
}

// Stat returns how a file is now. It fails with models.KindNotFound where there is none.
func (f *Folder) Stat(name string) (File, error) {
	var info fs.FileInfo
	err := f.ask("look at "+name, func() (err error) { info, err = f.sftp.Lstat(f.path(name)); return err })
	if err != nil {
		return File{}, err
	}
	return File{name, info.Size(), info.ModTime().UTC()}, nil
}

// Get returns the content of a file as it comes from the server, which is asked for the next parts before the first
// are read. The caller closes it.
func (f *Folder) Get(name string) (io.ReadCloser, error) {
	var file *sftp.File
	err := f.ask("get "+name, func() (err error) { file, err = f.sftp.Open(f.path(name)); return err })
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		_, err := file.WriteTo(w)
		_ = w.CloseWithError(errors.Join(err, file.Close())) // the end of the file where both are nil
	}()
	return &download{f, name, r}, nil
}

// download is a file that is being got.
type download struct {
	folder *Folder
	name   string
	*io.PipeReader
}

// Read waits for the next part, as long as for any answer.
func (d *download) Read(p []byte) (int, error) {
	defer d.folder.watch().Stop()
	n, err := d.PipeReader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = d.folder.failed("get "+d.name, err)
	}
	return n, err
}

// Put writes a file, of which nobody sees a half: it has another, hidden name until it is whole and, where the server
// can promise it, on the disk. A file of the same name is replaced, where the server can do that in one step, and
// otherwise an error. A Put that was broken off can be made again.
func (f *Folder) Put(name string, content io.Reader) error {
	if !isName(name) {
		return models.Invalid("bad_name", "", "%q is not the name of a file", name)
	}
	hidden := "." + name + ".part"
	err := f.write(hidden, content)
	if err == nil {
		err = f.Rename(hidden, name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(f.Remove(hidden)))
	}
	return nil
}

// write writes a file, whole and on the disk.
func (f *Folder) write(name string, content io.Reader) error {
	watch := f.watch()
	defer watch.Stop()
	size, err := f.copy(name, readerFunc(func(p []byte) (int, error) {
		watch.Reset(f.server.patience)
		return content.Read(p)
	}))
	if err != nil {
		return f.failed("put "+name, err)
	}
	written, err := f.Stat(name)
	if err == nil && written.Size != size {
		err = models.Unavailable("the SFTP server "+f.server.address, fmt.Errorf("put %s: it has %d bytes of %d", name, written.Size, size))
	}
	return err
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

// readerFunc is a reader that is a function.
type readerFunc func(p []byte) (int, error)

func (r readerFunc) Read(p []byte) (int, error) { return r(p) }

// Remove removes a file. It fails with models.KindNotFound where there is none.
func (f *Folder) Remove(name string) error {
	return f.ask("remove "+name, func() error { return f.sftp.Remove(f.path(name)) })
}

// Rename gives a file another name, which may lie in a folder below, in the place of any that has it, where the
// server can do that in one step.
func (f *Folder) Rename(from, to string) error {
	return f.ask("rename "+from, func() error {
		if _, can := f.sftp.HasExtension("posix-rename@openssh.com"); can {
			return f.sftp.PosixRename(f.path(from), f.path(to))
		}
		return f.sftp.Rename(f.path(from), f.path(to))
	})
}

// MakeFolder makes a folder below, unless it is there.
func (f *Folder) MakeFolder(name string) error {
	return f.ask("make the folder "+name, func() error { return f.sftp.MkdirAll(f.path(name)) })
}

func (f *Folder) path(name string) string { return path.Join(f.server.folder, name) }

// ignoreMissing returns the error, nil where it is that there is no such file.
func ignoreMissing(err error) error {
	if models.KindOf(err) == models.KindNotFound {
		return nil
	}
	return err
}
