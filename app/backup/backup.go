// Package backup copies a running installation, and puts a copy in an empty place (rules O3, O17). A backup is the
// database as it was at one moment, every kept file that it names, and a manifest with the SHA-256 of each. What waits
// in the outboxes or the inbox is no part of it: a letter that was restored would go out again.
//
// The package knows neither what the rows mean nor how the books are proved.
package backup

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"purr/internal/clock"
	"purr/store"
	"purr/store/archive"
)

// Installation is what is backed up.
type Installation struct {
	DB          *store.DB
	Archive     *archive.Archive
	Dir         string // the data folder
	DatabaseURL string
	Version     string // of this program
	Forgotten   []byte // the list of customers who were forgotten (rule O14b)
}

// Progress is told how many of a backup's files are done. It may be nil.
type Progress func(done, of int)

func (p Progress) say(done, of int) {
	if p != nil {
		p(done, of)
	}
}

// LostError says which kept files a finished backup lacks, because the installation had lost them or they were damaged.
type LostError struct{ Sums []string }

// Error says what is lost.
func (e LostError) Error() string {
	return fmt.Sprintf("the backup is made, but %d kept files are lost or damaged in the archive itself; purr verify says what they belong to: %s",
		len(e.Sums), strings.Join(e.Sums, " "))
}

// Make backs the installation up to a folder, or as a tar to standard output if to is "-". The installation may run
// meanwhile. by is ByMysqldump, ByNone, or empty for the way that suits the database. An earlier backup in the folder
// stays whole until this one is. Make fails with a LostError if the backup is finished without some kept files.
func Make(ctx context.Context, in Installation, to string, by By, progress Progress) (m Manifest, err error) {
	if err := refuseS3(to); err != nil {
		return Manifest{}, err
	}
	if by, err = in.way(by); err != nil {
		return Manifest{}, err
	}
	if err := in.refuseOwn(to); err != nil {
		return Manifest{}, err
	}
	defer func() { err = explain(err, to) }()
	in.DB = in.DB.Patient() // it reads whole tables
	id, err := in.DB.InstallationID(ctx)
	if err != nil {
		return Manifest{}, err
	}
	var dest destination
	if to == "-" {
		dest, err = newStream(os.Stdout, in.Dir)
	} else {
		dest, err = openFolder(to, id)
	}
	if err != nil {
		return Manifest{}, err
	}
	defer func() { err = errors.Join(err, dest.close()) }()
	m = Manifest{Format: format, Version: in.Version, Installation: id, Time: clock.System{}.Now().UTC(), Database: Database{By: by}}
	return m, in.copyTo(ctx, dest, &m, progress)
}

func refuseS3(place string) error {
	if scheme, _, found := strings.Cut(place, "://"); found {
		return fmt.Errorf("%s:// is not known: name a folder, or - for a tar", scheme)
	}
	return nil
}

// refuseOwn fails for a place in which purr keeps files itself: it would take those of the backup for its own.
func (in *Installation) refuseOwn(to string) error {
	if to == "-" {
		return nil
	}
	place, data := realPath(to), realPath(in.Dir)
	within, err := filepath.Rel(data, place)
	if err != nil {
		return nil //nolint:nilerr // no path leads from one to the other
	}
	first, _, _ := strings.Cut(filepath.ToSlash(within), "/")
	if slices.Contains([]string{".", "archive", "inbox", "outbox", "reports", "workers"}, first) {
		return fmt.Errorf("%s is where purr keeps its own files: name a folder outside of %s", to, in.Dir)
	}
	return nil
}

// realPath returns a path without links, as far as it exists.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if found, err := filepath.EvalSymlinks(path); err == nil || path == filepath.Dir(path) {
		return found
	}
	return filepath.Join(realPath(filepath.Dir(path)), filepath.Base(path))
}

// explain says of a place that may not be written to as whom purr works: root becomes the owner of the data folder (rule D120).
func explain(err error, to string) error {
	var denied *fs.PathError
	if to == "-" || !errors.Is(err, fs.ErrPermission) || !errors.As(err, &denied) {
		return err
	}
	if place, path := realPath(to), realPath(denied.Path); !strings.HasPrefix(place, path) && !strings.HasPrefix(path, place) {
		return err // it is not of the backup's folder
	}
	return fmt.Errorf("purr backup works as the user to whom the data folder belongs, number %d, who may not write to %s: give that folder to this user (%w)", os.Geteuid(), to, err)
}

// way returns how the database is copied.
func (in *Installation) way(by By) (By, error) {
	switch {
	case by == ByNone:
		return by, nil
	case by == ByMysqldump && !in.DB.IsSQLite():
		_, err := installed(dumpers)
		return by, err
	case by == ByMysqldump:
		return "", errors.New("mysqldump does not copy an SQLite file: leave --database-by out")
	case by != "":
		return "", fmt.Errorf("--database-by is mysqldump or none, not %q", by)
	case in.DB.IsSQLite():
		return ByVacuum, nil
	}
	return ByDriver, nil
}

// copyTo copies the database first. Each file that a row names was on the disk before the row was written, so all files
// that the copy names are there.
func (in *Installation) copyTo(ctx context.Context, dest destination, m *Manifest, progress Progress) error {
	kept, err := in.copyDatabase(ctx, dest, m)
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	for i, sum := range slices.Sorted(maps.Keys(kept)) {
		progress.say(i, len(kept))
		file, err := dest.takeKept(ctx, sum, func() (io.ReadSeekCloser, error) { return in.Archive.Get(sum) })
		_, fault := errors.AsType[*archive.Fault](err)
		lost := fault || errors.Is(err, errDamaged)
		switch {
		case lost && !kept[sum]: // it may have been removed since
		case lost:
			m.Lost = append(m.Lost, sum)
		case err != nil:
			return fmt.Errorf("copy the kept file %s: %w", sum, err)
		default:
			m.Files = append(m.Files, file)
		}
	}
	if err := dest.takeList(in.Forgotten); err != nil {
		return fmt.Errorf("write the list of who was forgotten: %w", err)
	}
	if err := dest.finish(*m); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if len(m.Lost) > 0 {
		return LostError{m.Lost}
	}
	return nil
}

// copyDatabase copies the database, fills in what the manifest says of it, and returns the kept files that it names.
func (in *Installation) copyDatabase(ctx context.Context, dest destination, m *Manifest) (kept keptFiles, err error) {
	name := "database-" + m.Time.Format("20060102T150405.000Z")
	switch m.Database.By {
	case ByVacuum:
		name += ".db"
	case ByDriver:
		name += ".jsonl.gz"
	case ByMysqldump:
		name += ".sql.gz"
	case ByNone:
		return contents(ctx, in.DB, m)
	}
	part := filepath.Join(dest.scratch(), name+".part")
	defer func() {
		if gone := os.Remove(part); err == nil && !errors.Is(gone, fs.ErrNotExist) {
			err = gone
		}
	}()
	switch m.Database.By {
	case ByVacuum:
		kept, err = in.vacuum(ctx, part, m)
	case ByDriver:
		err = in.DB.View(ctx, func(v store.View) error {
			if err := compressed(part, func(w io.Writer) error { return v.Dump(ctx, w) }); err != nil {
				return err
			}
			kept, err = contents(ctx, v, m)
			return err
		})
	case ByMysqldump, ByNone:
		if err = compressed(part, func(w io.Writer) error { return mysqldump(ctx, in.DatabaseURL, w) }); err == nil {
			kept, err = contents(ctx, in.DB, m) // of a moment later: at least what the dump names
		}
	}
	if err != nil {
		return nil, err
	}
	file, err := dest.takeDatabase(ctx, part, name)
	if err != nil {
		return nil, err
	}
	m.Database.Path, m.Files = name, append(m.Files, file)
	return kept, nil
}

// vacuum copies an SQLite file, and reads the copy.
func (in *Installation) vacuum(ctx context.Context, path string, m *Manifest) (kept keptFiles, err error) {
	// SQLite makes the file. It takes the mode of one that is empty already.
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return nil, err
	}
	if err := in.DB.VacuumInto(ctx, path); err != nil {
		return nil, fmt.Errorf("copy the database: %w", err)
	}
	copied, err := store.Open("sqlite:"+path, clock.System{})
	if err != nil {
		return nil, fmt.Errorf("read the copy of the database: %w", err)
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	return contents(ctx, copied, m)
}

// described is a database, or a view of one.
type described interface {
	Contents(ctx context.Context) (store.Contents, error)
	EachKeptFile(ctx context.Context, do func(store.KeptFile) error) error
}

// keptFiles are the sums of the files that the archive must have, each with whether it must for good: the bytes of a
// rejected payment file go after a while (rule O13).
type keptFiles map[string]bool

// contents fills in what a database holds, and returns the kept files that it names.
func contents(ctx context.Context, db described, m *Manifest) (keptFiles, error) {
	c, err := db.Contents(ctx)
	if err != nil {
		return nil, err
	}
	m.Schema, m.Counts, m.Series = c.Schema, c.Counts, c.Series
	kept := keptFiles{}
	err = db.EachKeptFile(ctx, func(f store.KeptFile) error {
		kept[f.SHA256] = kept[f.SHA256] || !f.Rejected
		return nil
	})
	return kept, err
}

// compressed writes a new file through gzip.
func compressed(path string, write func(io.Writer) error) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return errors.Join(err, out.Close())
	}
	if err := write(zip); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(zip.Close(), out.Close())
}
