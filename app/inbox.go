package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"purr/internal/storage"
	"purr/models"
	"purr/ocr/inbound"
	"purr/store"
)

// ownFolders are the folders in the data folder that purr writes itself.
var ownFolders = []string{"archive", "outbox", "reports", "workers"}

// checkInbox fails if purr would take its own files for payment files, or the other way round: the inbox must neither be
// nor contain a folder of purr's, nor lie in one of those that purr writes itself (rule D103). It makes nothing.
func checkInbox(cfg Settings) error {
	if inboxInStorage(cfg) {
		return nil // no folder of this machine
	}
	inbox, err := realPath(cfg.Inbox.Folder)
	if err != nil {
		return fmt.Errorf("inbox: %w", err)
	}
	refuse := func(how, folder string) error {
		return fmt.Errorf("inbox: %s %s %s, which is purr's own: name another folder with --inbox", cfg.Inbox.Folder, how, folder)
	}
	around, own := []string{cfg.Data}, ownPaths(cfg)
	file, err := store.SQLiteFile(cfg.Database.URL)
	if err != nil {
		return err
	}
	if file != "" {
		around = append(around, filepath.Dir(file))
	}
	if ehf, is := ehfFolder(cfg); is {
		own = append(own, ehf)
	}
	for i, folder := range append(around, own...) {
		resolved, err := realPath(folder)
		if err != nil {
			return fmt.Errorf("inbox: compare it with %s: %w", folder, err)
		}
		switch {
		case inbox == resolved:
			return refuse("is", folder)
		case lies(resolved, inbox):
			return refuse("contains", folder)
		case i >= len(around) && lies(inbox, resolved):
			return refuse("lies in", folder)
		}
	}
	return nil
}

// ownPaths returns the folders of this machine that purr writes itself.
func ownPaths(cfg Settings) (own []string) {
	for _, name := range ownFolders {
		own = append(own, filepath.Join(cfg.Data, name))
		if folder, is := storageFolder(cfg); is && folder != cfg.Data {
			own = append(own, filepath.Join(folder, name))
		}
	}
	return own
}

// lies reports whether a path is below a folder.
func lies(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != "." && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}

// realPath returns an absolute path without symbolic links. What does not exist yet stays as it is.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for missing := ""; ; {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(resolved, missing), nil
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || parent == path {
			return "", err
		}
		missing, path = filepath.Join(filepath.Base(path), missing), parent
	}
}

// inboxMark is the file in an inbox that says whose it is.
const inboxMark = ".purr-inbox"

// freeInbox takes another installation's mark from the inbox in the storage where --new says that the other is gone.
func freeInbox(ctx context.Context, cfg Settings, in storage.Place) error {
	if !cfg.New {
		return nil
	}
	if err := in.Below(inboxName).Remove(ctx, storage.Info{Name: inboxMark}); err != nil {
		return fmt.Errorf("free the inbox: %w", err)
	}
	return nil
}

// openInbox takes the inbox for this installation, and opens it.
func (a *App) openInbox(ctx context.Context, cfg Settings) error {
	if err := a.claimInbox(ctx, cfg); err != nil {
		return err
	}
	if inboxInStorage(cfg) {
		if _, is := a.storage.Folder(); !is {
			a.Inbox = inbound.OpenBucket(a.storage.Below(inboxName), a.Importer, a.log)
			return nil
		}
	}
	inbox, err := inbound.OpenInbox(cfg.Inbox.Folder, a.Importer, a.log)
	if err != nil {
		return err
	}
	a.Inbox = inbox
	a.swept(inbox.Sweep)
	a.onClose("inbox", func(context.Context) error { return inbox.Close() })
	return nil
}

// claimInbox fails if the inbox is that of another installation: both would take each other's files (rule D103). So it is also with
// the inbox in the data folder, which another one may have named as its own. Copies of an installation are the same one here. Only
// with --new, which says that the other is gone, the inbox in the data folder changes hands, with a warning.
func (a *App) claimInbox(ctx context.Context, cfg Settings) error {
	id, err := a.DB.InstallationID(ctx)
	if err != nil {
		return err
	}
	inbox := inboxPlace(cfg, a.storage)
	whose, err := inboxOwner(ctx, cfg, inbox, id)
	if err != nil || whose == id {
		return err
	}
	if whose != "" {
		a.log.Warn("the inbox was that of another installation, and is this one's from now on", "inbox", inbox, "other", whose, "own", id)
	}
	if err := inbox.Prepare(); err != nil {
		return fmt.Errorf("open the inbox: %w", err)
	}
	return inbox.PutAll(ctx, []storage.File{{Name: inboxMark, Content: []byte(id + "\n")}})[0]
}

// inboxOwner returns whose the inbox is, empty if nobody has claimed it. It fails if the installation must not take it over.
func inboxOwner(ctx context.Context, cfg Settings, inbox storage.Place, id string) (whose string, err error) {
	found, _, err := storage.Read(ctx, inbox, inboxMark, 1<<10)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("inbox: %w", err)
	}
	whose = strings.TrimSpace(string(found))
	own := inboxInStorage(cfg) || filepath.Clean(cfg.Inbox.Folder) == filepath.Join(cfg.Data, inboxName)
	if whose == "" || whose == id || cfg.New && own {
		return whose, nil
	}
	return whose, fmt.Errorf("inbox: %s is the inbox of another installation, %s, and this one is %s: name another folder with --inbox, or remove %s if that installation is gone",
		inbox, models.Foreign(whose, 40), cmp.Or(id, "new"), inbox.Below(inboxMark))
}
