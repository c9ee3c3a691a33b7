package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"purr/internal/disk"
	"purr/register/privacy"
)

// destination is where a backup is written.
type destination interface {
	// scratch returns a folder for the copy of the database while it is made.
	scratch() string
	// takeDatabase takes a file from the scratch folder under its name in the backup.
	takeDatabase(ctx context.Context, from, name string) (File, error)
	// takeKept takes a kept file. It fails with errDamaged if its bytes are not those of its sum.
	takeKept(ctx context.Context, sum string, open func() (io.ReadSeekCloser, error)) (File, error)
	// takeList takes the list of customers who were forgotten (rule O14b). It may be newer than the backup, and is no part of the manifest: it
	// names nobody, and what it adds is never too much.
	takeList(content []byte) error
	// finish writes the manifest. From then on the backup is there.
	finish(m Manifest) error
	// close ends the writing, with or without a finish.
	close() error
}

var errDamaged = errors.New("its bytes have changed")

// folder is a destination that a later backup adds to.
type folder struct {
	dir     string
	former  map[string]int64 // the former backup's kept files, with their sizes
	written time.Time        // when the former manifest was written
	made    []string         // the folders and the file that were made for this backup, the outermost first
	unlock  func() error
}

// errLocked is the error of a file that another process has locked.
var errLocked = errors.New("another process has locked it")

// lockName is the file that a running backup locks. It also tells that the folder is one of backups.
const lockName = ".purr-backup"

// openFolder opens the destination, and makes it if it is missing. It fails, and leaves nothing behind, if there is anything
// but a backup of the same installation, or if another backup is being written to it.
func openFolder(dir, installation string) (_ *folder, err error) {
	if err := onlyBackups(dir); err != nil {
		return nil, err
	}
	f := &folder{dir: dir, former: map[string]int64{}, unlock: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.undo(), f.unlock())
		}
	}()
	if err := f.make(); err != nil {
		return nil, err
	}
	src, err := openSource(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return f, f.clean(Manifest{}, isDatabase)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if src.Manifest.Installation != installation {
		return nil, fmt.Errorf("%s holds the backup of another installation: name another folder", dir)
	}
	for _, kept := range src.Manifest.Files {
		if isKept(kept) {
			f.former[kept.SHA256] = kept.Bytes
		}
	}
	info, err := os.Stat(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, err
	}
	f.written = info.ModTime()
	return f, f.clean(src.Manifest, isDatabase)
}

// onlyBackups fails if a folder holds anything, and nothing that tells of a backup. A disk's lost+found is nothing.
func onlyBackups(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	foreign := false
	for _, e := range entries {
		if e.Name() == lockName || e.Name() == manifestName {
			return nil
		}
		foreign = foreign || e.Name() != "lost+found"
	}
	if foreign {
		return fmt.Errorf("%s holds something else than a backup: name an empty folder", dir)
	}
	return nil
}

// make makes what of the folder is missing, and takes its lock.
func (f *folder) make() (err error) {
	for _, path := range missingFolders(filepath.Join(f.dir, keptFolder)) {
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		f.made = append(f.made, path)
	}
	path := filepath.Join(f.dir, lockName)
	_, missing := os.Lstat(path)
	unlock, err := lock(path)
	if errors.Is(err, errLocked) {
		return fmt.Errorf("another backup is being written to %s", f.dir)
	}
	if err != nil {
		return err
	}
	f.unlock = unlock
	if errors.Is(missing, fs.ErrNotExist) {
		f.made = append(f.made, path)
	}
	return nil
}

// missingFolders returns the folders on a path that do not exist, the outermost first.
func missingFolders(path string) (missing []string) {
	for {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			slices.Reverse(missing)
			return missing
		}
		missing, path = append(missing, path), filepath.Dir(path)
	}
}

// close gives up the lock. Of a backup that came to nothing it leaves nothing (rule D103). What there is of one that was broken
// off later stays, for the next one.
func (f *folder) close() error {
	var err error
	if f.isBare() {
		err = f.undo()
	}
	return errors.Join(err, f.unlock())
}

// undo removes what make has made.
func (f *folder) undo() error {
	var errs []error
	for _, path := range slices.Backward(f.made) {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

// isBare reports whether the folder has nothing but what make has made.
func (f *folder) isBare() bool {
	for _, dir := range []string{f.dir, filepath.Join(f.dir, keptFolder)} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		for _, e := range entries {
			if e.Name() != "lost+found" && !slices.Contains(f.made, filepath.Join(dir, e.Name())) {
				return false
			}
		}
	}
	return true
}

func (f *folder) scratch() string { return f.dir }

func (f *folder) takeDatabase(_ context.Context, from, name string) (File, error) {
	sum, size, err := sumOf(from)
	if err != nil {
		return File{}, err
	}
	if err := errors.Join(disk.Sync(from), os.Rename(from, filepath.Join(f.dir, name)), disk.Sync(f.dir)); err != nil {
		return File{}, err
	}
	return File{name, sum, size}, nil
}

// takeKept copies a kept file unless it is there already.
func (f *folder) takeKept(ctx context.Context, sum string, open func() (io.ReadSeekCloser, error)) (File, error) {
	path := filepath.Join(f.dir, filepath.FromSlash(keptPath(sum)))
	if size, there := f.holds(path, sum); there {
		return File{keptPath(sum), sum, size}, nil
	}
	from, err := open()
	if err != nil {
		return File{}, err
	}
	defer func() { _ = from.Close() }() // it was only read
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return File{}, err
	}
	size, err := copyTo(ctx, path+".part", from, sum)
	if err != nil {
		return File{}, err
	}
	if err := errors.Join(os.Rename(path+".part", path), disk.Sync(filepath.Dir(path))); err != nil {
		return File{}, err
	}
	return File{keptPath(sum), sum, size}, nil
}

// holds reports whether a kept file is there, and its size. It believes the former manifest about a file that has not
// changed since, and reads any other.
func (f *folder) holds(path, sum string) (int64, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	if size, known := f.former[sum]; known && size == info.Size() && info.ModTime().Before(f.written) {
		return size, true
	}
	found, size, err := sumOf(path)
	return size, err == nil && found == sum
}

func (f *folder) takeList(content []byte) error { return disk.Write(f.dir, privacy.ListName, content) }

// finish replaces the manifest in one step. Then it removes what the former backup held and this one does not.
func (f *folder) finish(m Manifest) error {
	part := filepath.Join(f.dir, manifestName+".part")
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(m.write(out), out.Sync(), out.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := errors.Join(disk.Sync(filepath.Join(f.dir, keptFolder)), os.Rename(part, filepath.Join(f.dir, manifestName)), disk.Sync(f.dir)); err != nil {
		return err
	}
	return f.clean(m, func(name string) bool { return isOurs(name) || name == manifestName })
}

func (m *Manifest) write(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(m)
}

// isDatabase reports whether a file is a copy of the database. Of a backup that was broken off, only that is of no use to
// the next one.
func isDatabase(name string) bool { return databaseName.MatchString(name) }

// clean removes the files that a backup has made, which the manifest does not name. made tells them by their names. It
// leaves everything else.
func (f *folder) clean(m Manifest, made func(name string) bool) error {
	named := map[string]bool{manifestName: true}
	for _, file := range m.Files {
		named[file.Path] = true
	}
	return filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if named[name] || !made(withoutPart(name)) {
			return nil
		}
		return os.Remove(path)
	})
}

// withoutPart returns the name of a file that was still being written, without the ending that says so.
func withoutPart(name string) string {
	if ext := filepath.Ext(name); ext == ".part" || ext == ".part-journal" {
		return name[:len(name)-len(ext)]
	}
	return name
}

// copyTo writes what r gives to a new file and syncs it. It fails with errDamaged, and leaves no file, if the bytes are
// not those of the sum.
func copyTo(ctx context.Context, path string, r io.Reader, sum string) (int64, error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(out, hash), until{ctx, r})
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != sum {
		err = errDamaged
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(path))
	}
	return size, nil
}

// until is a reader that ends with a context.
type until struct {
	ctx context.Context
	r   io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// sumOf returns the SHA-256 and the size of a file.
func sumOf(path string) (sum string, size int64, err error) {
	in, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = in.Close() }() // it was only read
	hash := sha256.New()
	size, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}
