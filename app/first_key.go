package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"purr/internal/disk"
	"purr/models"
)

// firstKeyFile is the file of the data folder that keeps the first key until it is used (rule Q5).
const firstKeyFile = "first-key"

// KeepFirstKey does what FirstKey does, and writes the key into a file of the data folder that only its owner reads. The file is removed
// when the key is first used, by whomever. KeepFirstKey returns the path of the file, also of one that an earlier start has left
// there, and whether it is new; the path is empty if there is none. A key that is killed on its way leaves either no creditor
// or the file (rule Q5).
func (a *App) KeepFirstKey(ctx context.Context) (path string, made bool, err error) {
	if path, err = filepath.Abs(filepath.Join(a.data, firstKeyFile)); err != nil {
		return "", false, err
	}
	key, err := a.FirstKey(ctx, func(key string) error { return disk.Write(a.data, firstKeyFile, []byte(key+"\n")) })
	if err != nil {
		return "", false, err
	}
	there, err := a.awaitFirstKey()
	if err != nil || !there {
		return "", false, err
	}
	return path, key != "", nil
}

// awaitFirstKey has the file of the first key removed when the key is used. It reports false if there is no such file.
func (a *App) awaitFirstKey() (there bool, err error) {
	path := filepath.Join(a.data, firstKeyFile)
	key, err := os.ReadFile(path)
	if err != nil {
		return false, ignoreGone(err)
	}
	a.keys.WhenUsed(models.HashKey(strings.TrimSpace(string(key))), func() {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("the first key was used, but its file could not be removed: remove it", "file", path, "error", err)
		}
	})
	return true, nil
}
