package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"purr/internal/disk"
	"purr/register/privacy"
)

// begin takes the place, or fails and changes nothing.
func (r *restoring) begin(ctx context.Context) (err error) {
	unfinished := filepath.Join(r.to.Dir, unfinishedName)
	again, err := r.mayBegin(ctx, unfinished)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.to.Dir, 0o700); err != nil {
		return err
	}
	if r.unlock, err = lock(unfinished); errors.Is(err, errLocked) {
		return fmt.Errorf("another restore into %s is under way", r.to.Dir)
	}
	if err != nil {
		return err
	}
	if again {
		err = r.remove(ctx)
	} else {
		err = errors.Join(os.WriteFile(unfinished, []byte(r.record()), 0o600), disk.SyncAll([]string{unfinished, r.to.Dir}))
	}
	if err != nil {
		return errors.Join(err, r.unlock())
	}
	return nil
}

// mayBegin fails if the place is not empty, and reports whether it holds what a restore that was cut off has made.
func (r *restoring) mayBegin(ctx context.Context, unfinished string) (again bool, err error) {
	record, err := os.ReadFile(unfinished)
	switch {
	case err != nil || len(record) == 0:
		return false, r.placeIsEmpty(ctx)
	case string(record) != r.record():
		return true, fmt.Errorf("%s: a restore into this folder and another database was cut off: name that database, or another folder", r.to.Dir)
	}
	return true, nil
}

// record says which database a restore fills: what is in it was made by that restore.
func (r *restoring) record() string {
	if r.file != "" {
		return "sqlite:" + r.file
	}
	u, err := url.Parse(r.to.DatabaseURL)
	if err != nil {
		return "mysql:"
	}
	return "mysql://" + u.Host + u.Path
}

// placeIsEmpty fails if there is anything in the place.
func (r *restoring) placeIsEmpty(ctx context.Context) error {
	entries, err := os.ReadDir(r.to.Dir)
	r.made = errors.Is(err, fs.ErrNotExist)
	if err != nil && !r.made {
		return err
	}
	for _, e := range entries {
		if !stays(e.Name()) {
			return fmt.Errorf("%s is not empty (it holds %s): a backup is restored into an empty folder", r.to.Dir, e.Name())
		}
	}
	return r.databaseIsEmpty(ctx)
}

// stays reports whether a file may lie in the place before a restore, and stays whatever becomes of it: the mark of the restore, a disk's
// own folder, and the list of who was forgotten in the installation that is replaced (rule O14b).
func stays(name string) bool {
	return name == "lost+found" || name == unfinishedName || name == privacy.ListName
}

// databaseIsEmpty fails if there is a database that holds something. A backup without a database wants one that a person
// has restored.
func (r *restoring) databaseIsEmpty(ctx context.Context) (err error) {
	if r.file != "" {
		for _, path := range r.databaseFiles() {
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				return errors.Join(fmt.Errorf("%s exists: a backup is restored where there is no database", path), err)
			}
		}
		return nil
	}
	db, err := r.database()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	switch empty, err := db.Empty(ctx); {
	case err != nil:
		return err
	case r.Manifest.Database.By == ByNone && empty:
		return errors.New("this backup is of the files alone: restore the database by the means that backed it up, then run this again")
	case r.Manifest.Database.By != ByNone && !empty:
		return errors.New("the database is not empty: a backup is restored into an empty one")
	}
	return nil
}

func (r *restoring) databaseFiles() []string {
	return []string{r.file, r.file + "-wal", r.file + "-shm"}
}

// clear leaves the place as empty as it was.
func (r *restoring) clear(ctx context.Context) error {
	if err := r.remove(ctx); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(r.to.Dir, unfinishedName)); err != nil || !r.made {
		return err
	}
	return os.Remove(r.to.Dir)
}

// remove removes what a restore has made, but for the file that says so.
func (r *restoring) remove(ctx context.Context) (err error) {
	entries, err := os.ReadDir(r.to.Dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if !stays(e.Name()) {
			errs = append(errs, os.RemoveAll(filepath.Join(r.to.Dir, e.Name())))
		}
	}
	if r.file != "" {
		for _, path := range r.databaseFiles() {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
		return errors.Join(errs...)
	}
	if r.Manifest.Database.By == ByNone {
		return errors.Join(errs...) // the database is not ours
	}
	db, err := r.database()
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	return errors.Join(append(errs, db.Clear(ctx), db.Close())...)
}
