package backup

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"purr/internal/clock"
	"purr/internal/disk"
	"purr/store"
	"purr/store/archive"
)

// Place is where an installation is restored. Its folder must be empty or missing, and so must its database: an SQLite
// file that does not exist, or a MySQL database without rows.
type Place struct {
	Dir         string
	DatabaseURL string
}

// unfinishedName is a file in the data folder while a restore goes on. A restore that was cut off leaves it.
const unfinishedName = "restore.unfinished"

// ErrUnfinished is returned for a folder in which a restore goes on or was cut off.
var ErrUnfinished = errors.New("a restore into this folder is under way or was cut off: run purr restore again")

// CheckFinished fails with ErrUnfinished if a restore into the folder goes on or was cut off.
func CheckFinished(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, unfinishedName)); err == nil {
		return fmt.Errorf("%s: %w", dir, ErrUnfinished)
	}
	return nil
}

// Restore puts a backup in a place, held, and calls prove with it there. It checks the SHA-256 of every file on the way.
// If it fails, the place is as empty as before. If the program is killed meanwhile, the next Restore begins anew.
func Restore(ctx context.Context, src *Source, to Place, progress Progress, prove func(context.Context) error) (err error) {
	r := restoring{Source: src, to: to, progress: progress}
	if r.file, err = store.SQLiteFile(to.DatabaseURL); err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.unlock()) }()
	if err := r.run(ctx); err != nil {
		return errors.Join(err, r.clear(context.WithoutCancel(ctx)))
	}
	if err := prove(ctx); err != nil {
		return errors.Join(err, r.clear(context.WithoutCancel(ctx)))
	}
	return errors.Join(os.Remove(filepath.Join(to.Dir, unfinishedName)), disk.Sync(to.Dir))
}

// restoring is a restore under way.
type restoring struct {
	*Source
	to       Place
	file     string // of the SQLite database; empty for MySQL
	progress Progress
	made     bool // the folder is new
	unlock   func() error
}

// run puts everything in its place.
func (r *restoring) run(ctx context.Context) error {
	kept, err := archive.Open(filepath.Join(r.to.Dir, "archive"))
	if err != nil {
		return err
	}
	for i, f := range r.Manifest.Files {
		r.progress.say(i, len(r.Manifest.Files))
		if isKept(f) {
			err = r.keep(ctx, kept, f)
		} else {
			err = r.restoreDatabase(ctx, f)
		}
		if err != nil {
			return err
		}
	}
	return r.hold(ctx)
}

// keep puts a kept file in the archive.
func (r *restoring) keep(ctx context.Context, to *archive.Archive, f File) error {
	in, err := r.open(f.Path)
	if err != nil {
		return missing(f, err)
	}
	defer func() { _ = in.Close() }() // it was only read
	sum, size, err := to.Put(ctx, in)
	if err == nil && (sum != f.SHA256 || size != f.Bytes) {
		err = damaged(f)
	}
	return err
}

func missing(f File, err error) error {
	return fmt.Errorf("%s is in %s, but cannot be read: %w", f.Path, manifestName, err)
}

func damaged(f File) error {
	return fmt.Errorf("%s is damaged: its SHA-256 is not that of %s", f.Path, manifestName)
}

// restoreDatabase restores a copy of the database, and compares what it holds with the manifest.
func (r *restoring) restoreDatabase(ctx context.Context, f File) (err error) {
	copied := filepath.Join(r.to.Dir, filepath.Base(f.Path)+".part")
	if r.file != "" && r.Manifest.Database.By == ByVacuum {
		copied = r.file
	}
	in, err := r.open(f.Path)
	if err != nil {
		return missing(f, err)
	}
	size, err := copyTo(ctx, copied, in, f.SHA256)
	_ = in.Close() // it was only read
	if errors.Is(err, errDamaged) || err == nil && size != f.Bytes {
		err = damaged(f)
	}
	if err != nil || copied == r.file {
		return err
	}
	return errors.Join(r.load(ctx, copied), os.Remove(copied))
}

// load fills the place's database from a copy in another form.
func (r *restoring) load(ctx context.Context, path string) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	if r.Manifest.Database.By == ByMysqldump {
		if r.file != "" {
			return errors.New("this backup is SQL for MySQL or MariaDB: --database-url names an empty database there")
		}
		return unzipped(path, in, func(sql io.Reader) error { return loadSQL(ctx, r.to.DatabaseURL, sql) })
	}
	db, err := r.database()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := r.prepare(ctx, db); err != nil {
		return err
	}
	if r.Manifest.Database.By == ByVacuum {
		return loadFile(ctx, db, path)
	}
	return unzipped(path, in, func(rows io.Reader) error { return db.Load(ctx, rows) })
}

// unzipped calls do with what a compressed file holds.
func unzipped(path string, in io.Reader, do func(io.Reader) error) error {
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("unzip %s: %w", path, err)
	}
	return do(zip)
}

// database opens the place's database.
func (r *restoring) database() (*store.DB, error) {
	db, err := store.OpenWith(r.to.DatabaseURL, clock.System{}, store.Connections{Most: store.MigrationConnections, Command: true})
	if err != nil {
		return nil, fmt.Errorf("open the database that is restored: %w", err)
	}
	return db, nil
}

// prepare makes the tables as the backup has them. From here on the database is held, wherever a restore is cut off.
func (r *restoring) prepare(ctx context.Context, db *store.DB) error {
	if err := db.Clear(ctx); err != nil { // of the tables that purr migrate made
		return err
	}
	if err := db.MigrateTo(ctx, r.Manifest.Schema); err != nil {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetHold(ctx, "a restore was cut off") })
}

// loadFile loads the rows of an SQLite file into another database.
func loadFile(ctx context.Context, db *store.DB, path string) (err error) {
	from, err := store.Open("sqlite:"+path, clock.System{})
	if err != nil {
		return fmt.Errorf("read the database of the backup: %w", err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	out, in := io.Pipe()
	go func() {
		in.CloseWithError(from.View(ctx, func(v store.View) error { return v.Dump(ctx, in) }))
	}()
	err = db.Load(ctx, out)
	return errors.Join(err, out.Close())
}

// hold compares the restored database with the manifest, brings its schema up to date, and holds it.
func (r *restoring) hold(ctx context.Context) (err error) {
	db, err := r.database()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := r.compare(ctx, db); err != nil {
		return err
	}
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := endHold(ctx, tx); err != nil { // of the installation that was backed up
			return err
		}
		return tx.SetHold(ctx, "it was restored from the backup of "+r.Manifest.Time.Local().Format("2006-01-02 15:04:05-07:00"))
	})
}

// compare fails if the restored database does not hold what the manifest says. Of a database that purr has not copied
// itself the manifest knows only about the moment.
func (r *restoring) compare(ctx context.Context, db *store.DB) error {
	m := r.Manifest
	if m.Database.By == ByNone || m.Database.By == ByMysqldump {
		return nil
	}
	got, err := db.Contents(ctx)
	if err != nil {
		return err
	}
	delete(got.Counts, "settings") // the hold is one of them
	want := maps.Clone(m.Counts)
	delete(want, "settings")
	if got.Schema != m.Schema || !maps.Equal(got.Counts, want) || !slices.Equal(got.Series, m.Series) {
		return fmt.Errorf("the restored database does not hold what %s says: schema %d, rows %v, series %v; want %d, %v, %v",
			manifestName, got.Schema, got.Counts, got.Series, m.Schema, want, m.Series)
	}
	return nil
}
