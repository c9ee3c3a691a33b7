package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"purr/internal/storage"
	"purr/mailer/shipments/bounces"
	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// The folders in an installation's storage (rule K9).
const (
	archiveName = "archive"
	outboxName  = "outbox"
	inboxName   = "inbox"
	reportsName = "reports"
)

// storageMark is the file in a bucket that says which installation works there.
const storageMark = ".purr-installation"

// OpenStorage returns where an installation keeps its files: the data folder, another folder, or what lies below a prefix of a bucket. It
// connects to nothing.
func OpenStorage(ctx context.Context, cfg Settings) (storage.Place, error) {
	if cfg.Storage.URL == "" {
		return storage.Folder(cfg.Data), nil
	}
	place, err := storage.Open(ctx, cfg.Storage.URL)
	if err != nil {
		return nil, unusable(err)
	}
	return place, nil
}

// unusable is the error of a start that cannot use what storage-url names.
func unusable(err error) error { return storage.SetupError{Err: fmt.Errorf("storage-url: %w", err)} }

// storageFolder returns the folder of this machine in which an installation keeps its files, or reports false.
func storageFolder(cfg Settings) (path string, is bool) {
	if cfg.Storage.URL == "" {
		return cfg.Data, true
	}
	at, err := storage.Parse(cfg.Storage.URL)
	if err != nil {
		return "", false
	}
	return at.Path, at.Bucket == ""
}

// archiveFolder returns the folder of the archive, empty for one in a bucket.
func archiveFolder(cfg Settings) string {
	if folder, is := storageFolder(cfg); is {
		return filepath.Join(folder, archiveName)
	}
	return ""
}

// inboxInStorage reports whether payment files are taken from the storage: no other folder is named.
func inboxInStorage(cfg Settings) bool {
	folder, is := storageFolder(cfg)
	return !is && (cfg.Inbox.Folder == "" || filepath.Clean(cfg.Inbox.Folder) == filepath.Join(cfg.Data, inboxName)) || is && folder != cfg.Data && cfg.Inbox.Folder == ""
}

// inboxPlace returns where payment files are put.
func inboxPlace(cfg Settings, in storage.Place) storage.Place {
	if inboxInStorage(cfg) {
		return in.Below(inboxName)
	}
	return storage.Folder(cfg.Inbox.Folder)
}

// openArchive returns the archive in the storage. Drafts for a bucket lie in the data folder.
func openArchive(cfg Settings, in storage.Place) (*archive.Archive, error) {
	a, err := archive.OpenIn(in.Below(archiveName), filepath.Join(cfg.Data, "incoming"))
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	return a, nil
}

// checkStorage fails with a storage.SetupError if the parts cannot work with what storage-url names (rule K9): the bucket, the region or
// the key is wrong, nobody answers, or it is not the installation's: its database names kept files, and nothing is kept there.
func (a *App) checkStorage(ctx context.Context, cfg Settings) error {
	before, err := a.DB.Setting(ctx, storageSetting)
	if err != nil {
		return err
	}
	_, inFolder := a.storage.Folder()
	if inFolder && before == "" {
		return nil
	}
	if !inFolder {
		if err := storage.Check(ctx, a.storage); err != nil {
			return unusable(err)
		}
		if err := a.claimStorage(ctx, cfg); err != nil {
			return err
		}
	}
	if err := a.holdsKept(ctx, before); err != nil || before == a.storage.String() {
		return err
	}
	return a.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetSetting(ctx, storageSetting, a.storage.String())
	})
}

// storageSetting is the database's note of where an installation keeps its files that has ever kept them in a bucket.
const storageSetting = "storage"

// holdsKept fails if nothing is kept in the storage, though the database names kept files.
func (a *App) holdsKept(ctx context.Context, before string) error {
	found, err := anyFile(ctx, a.storage.Below(archiveName))
	if err != nil {
		return unusable(err)
	}
	if found != "" {
		return nil
	}
	named := errors.New("the database names a kept file")
	if err := a.DB.EachKeptFile(ctx, func(store.KeptFile) error { return named }); errors.Is(err, named) {
		return unusable(fmt.Errorf("nothing is kept at %s, but the database names kept files%s: name the right place, or bring them there with purr storage copy", a.storage, lastAt(before)))
	} else if err != nil {
		return err
	}
	return nil
}

// lastAt says where the files were before, if that is known.
func lastAt(before string) string {
	if before == "" {
		return ""
	}
	return ", which lay at " + before
}

// claimStorage notes in the bucket whose it is. It fails if it is that of another installation: both would send what the other owes.
func (a *App) claimStorage(ctx context.Context, cfg Settings) error {
	id, err := a.DB.InstallationID(ctx)
	if err != nil {
		return err
	}
	found, _, err := storage.Read(ctx, a.storage, storageMark, 1<<10)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(err)
	}
	whose := strings.TrimSpace(string(found))
	switch {
	case whose == id:
		return nil
	case whose != "" && !cfg.New:
		return unusable(fmt.Errorf("%s is the storage of another installation, %s, and this one is %s: name another prefix, or remove %s there if that installation is gone",
			a.storage, models.Foreign(whose, 40), id, storageMark))
	}
	return a.storage.Put(ctx, storageMark, strings.NewReader(id+"\n"))
}

// CopyStorage copies an installation's files from one storage to another, both by URL (rule K2b). The database is no part of them. Into a folder
// root copies as its owner, or as the owner of the folder at the source, and leaves nothing of root's there.
func CopyStorage(ctx context.Context, from, to string, tell func(storage.Copied)) (done storage.Copied, err error) {
	places := make([]storage.Place, 2)
	for i, url := range []string{from, to} {
		place, err := storage.Open(ctx, url)
		if err == nil {
			err = storage.Check(ctx, place)
		}
		if err != nil {
			return storage.Copied{}, storage.SetupError{Err: fmt.Errorf("%s: %w", []string{"FROM", "TO"}[i], err)}
		}
		places[i] = place
	}
	if places[0].String() == places[1].String() {
		return storage.Copied{}, RefusedError{"FROM and TO are the same"}
	}
	if _, into := places[1].Folder(); into {
		owned, refused := becomeOwnerOf(copyOwners(places[1], places[0]))
		if refused != nil {
			return storage.Copied{}, refused
		}
		defer func() { err = explainOwner(err, owned) }()
	}
	return storage.Copying{
		Kept: archiveName, Waiting: []string{outboxName, inboxName, reportsName}, Marks: []string{storageMark, inboxName + "/" + inboxMark}, Tell: tell,
	}.From(ctx, places[0], places[1])
}

// copyOwners returns the paths that tell as whom root copies to a folder: those of the folder there, or of what it will be made in, then those of
// the folder at the source, if it is one.
func copyOwners(to, from storage.Place) (paths []string) {
	folder, _ := to.Folder()
	there := filepath.Clean(folder)
	for ; ; there = filepath.Dir(there) {
		if _, err := os.Stat(there); !errors.Is(err, fs.ErrNotExist) || there == filepath.Dir(there) {
			break
		}
	}
	paths = []string{there, filepath.Join(folder, archiveName)}
	if folder, is := from.Folder(); is {
		paths = append(paths, folder, filepath.Join(folder, archiveName))
	}
	return paths
}

// explainOwner says of a folder that may not be entered as whom root copies.
func explainOwner(err error, owned string) error {
	denied, is := errors.AsType[*fs.PathError](err)
	if owned == "" || !is || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("purr storage copy works as the user to whom %s belongs, number %d, who may not reach %s: give that folder to this user (%w)", owned, os.Geteuid(), denied.Path, err)
}

// anyFile returns a file of a place that is not hidden, empty if there is none.
func anyFile(ctx context.Context, in storage.Place) (found string, err error) {
	enough := errors.New("enough")
	err = in.Walk(ctx, func(f storage.Info) error {
		if storage.Hidden(f.Name) || strings.HasPrefix(f.Name, "incoming/") {
			return nil
		}
		found = f.Name
		return enough
	})
	if found != "" {
		return found, nil
	}
	return "", err
}

// KeepReport puts a delivery report where the scheduler takes it up (rule S3a).
func KeepReport(ctx context.Context, cfg Settings, message []byte) error {
	in, err := OpenStorage(ctx, cfg)
	if err != nil {
		return err
	}
	return bounces.Keep(ctx, in.Below(reportsName), message)
}

// refuseElsewhere fails if the storage is not the data folder: a restore puts kept files into that alone.
func refuseElsewhere(cfg Settings) error {
	if folder, is := storageFolder(cfg); is && filepath.Clean(folder) == filepath.Clean(cfg.Data) {
		return nil
	}
	return RefusedError{"purr restore puts a backup into the data folder: leave out --storage-url and PURR_STORAGE_URL, then bring the kept files to their place with purr storage copy, and start purr with --storage-url"}
}

// OpenOutbox returns the outbox of an installation. It connects to nothing.
func OpenOutbox(ctx context.Context, cfg Settings) (storage.Place, error) {
	in, err := OpenStorage(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return in.Below(outboxName), nil
}
