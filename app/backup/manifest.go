package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"purr/store"
)

// Manifest says what a backup holds. It is written last: what it does not name is no part of the backup (rule O17).
type Manifest struct {
	Format       int               `json:"format"`
	Version      string            `json:"version"` // of the program that made the backup
	Schema       int64             `json:"schema"`  // version of the database's schema
	Installation string            `json:"installation"`
	Time         time.Time         `json:"time"` // from when the backup is
	Database     Database          `json:"database"`
	Counts       map[string]int64  `json:"counts"` // rows of each table
	Series       []store.SeriesEnd `json:"series"`
	Files        []File            `json:"files"`
	Lost         []string          `json:"lost,omitempty"` // SHA-256 of kept files that were lost or damaged when the backup was made
}

// Database says how the database was copied, and into which file of the backup.
type Database struct {
	By   By     `json:"by"`
	Path string `json:"path,omitempty"` // empty if By is ByNone
}

// By is a way to copy the database.
type By string

// The ways to copy the database.
const (
	ByVacuum    By = "vacuum"    // an SQLite file
	ByDriver    By = "driver"    // the rows as lines of JSON, compressed
	ByMysqldump By = "mysqldump" // SQL by the server's own program, compressed
	ByNone      By = "none"      // the database is backed up by other means
)

// File is a file of a backup.
type File struct {
	Path   string `json:"path"` // with slashes, below the backup's folder
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

const (
	manifestName = "manifest.json"
	format       = 1
	keptFolder   = "files"
)

// databaseName matches the name of a copy of the database. It holds the moment, so that no backup writes over the copy
// of the one before.
var databaseName = regexp.MustCompile(`^database-\d{8}T\d{6}\.\d{3}Z\.(db|jsonl\.gz|sql\.gz)$`)

var sumForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// keptPath returns the path of a kept file.
func keptPath(sum string) string { return keptFolder + "/" + sum[:2] + "/" + sum }

// isOurs reports whether a path is one that a backup may have. No other path is read or written, so a manifest or a tar
// cannot lead out of its folder.
func isOurs(path string) bool {
	sum := path[strings.LastIndexByte(path, '/')+1:]
	return databaseName.MatchString(path) || sumForm.MatchString(sum) && path == keptPath(sum)
}

// readManifest reads and checks a manifest.
func readManifest(r io.Reader) (Manifest, error) {
	var m Manifest
	raw, err := io.ReadAll(r)
	if err != nil {
		return Manifest{}, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return Manifest{}, fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	if m.Format > format || m.Schema > store.SchemaVersion() {
		return Manifest{}, fmt.Errorf("the backup was made by purr %s, which is newer than this program (schema %d, here %d): install the newer program",
			m.Version, m.Schema, store.SchemaVersion())
	}
	return m, m.check()
}

// check fails if the manifest contradicts itself or names files that no backup has.
func (m *Manifest) check() error {
	database := m.Database.By == ByNone
	seen := make(map[string]bool, len(m.Files))
	for _, f := range m.Files {
		switch {
		case !isOurs(f.Path):
			return fmt.Errorf("%s names %q, which is no file of a backup", manifestName, f.Path)
		case seen[f.Path], !sumForm.MatchString(f.SHA256), f.Bytes < 0, isKept(f) && !strings.HasSuffix(f.Path, f.SHA256):
			return fmt.Errorf("%s is damaged: see %q", manifestName, f.Path)
		}
		seen[f.Path] = true
		database = database || f.Path == m.Database.Path
	}
	if m.Format < 1 || !database {
		return errors.New(manifestName + " is damaged: it names no database")
	}
	return nil
}

func isKept(f File) bool { return strings.HasPrefix(f.Path, keptFolder+"/") }
