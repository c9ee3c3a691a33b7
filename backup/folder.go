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

	"purr/disk"
)

// destination is where a backup is written.
type destination interface {
	// scratch returns a folder for the copy of the database while it is made.
	scratch() string
	// takeDatabase takes a file from the scratch folder under its name in the backup.
	takeDatabase(ctx context.Context, from, name string) (File, error)
	// takeKept takes a kept file. It fails with errDamaged if its bytes are not those of its sum.
	takeKept(ctx context.Context, sum string, open func() (io.ReadSeekCloser, error)) (File, error)
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
	unlock  func() error
	made    []string // what was not there before, the outermost first
}

// lockName is the file that a running backup locks. It also tells that the folder is one of backups.
const lockName = ".purr-backup"

// openFolder opens the destination, and makes it if it is missing. It fails if there is anything but a backup of the
// same installation, or if another backup is being written to it. Then it leaves nothing behind (rule D103).
func openFolder(dir, installation string) (_ *folder, err error) {
	if err := mayHoldBackup(dir); err != nil {
		return nil, err
	}
	f := &folder{dir: dir, former: map[string]int64{}, made: absent(filepath.Join(dir, keptFolder), filepath.Join(dir, lockName))}
	defer func() {
		if err != nil {
			f.unmake()
		}
	}()
	if err := os.MkdirAll(filepath.Join(dir, keptFolder), 0o700); err != nil {
		return nil, err
	}
	if f.unlock, err = lock(filepath.Join(dir, lockName)); err != nil {
		return nil, fmt.Errorf("another backup is being written to %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.unlock())
		}
	}()
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

// mayHoldBackup fails if there is something else than a backup.
func mayHoldBackup(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ours := len(entries) == 0 || len(entries) == 1 && entries[0].Name() == keptFolder
	for _, e := range entries {
		ours = ours || e.Name() == lockName || e.Name() == manifestName
	}
	if !ours {
		return fmt.Errorf("%s holds something else than a backup: name an empty folder", dir)
	}
	return nil
}

// absent returns the paths, and the folders above them, that do not exist, the outermost first.
func absent(paths ...string) (all []string) {
	for _, path := range paths {
		for path = filepath.Clean(path); ; path = filepath.Dir(path) {
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || slices.Contains(all, path) {
				break
			}
			all = append(all, path)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
	return all
}

// unmake removes what was made, as far as it is empty.
func (f *folder) unmake() {
	for _, path := range slices.Backward(f.made) {
		_ = os.Remove(path) // what holds something stays
	}
}

func (f *folder) scratch() string { return f.dir }
func (f *folder) close() error    { return f.unlock() }

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
