package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// Migrate makes the schema in a database, unless it has tables already. The migrations run once in each test process, and
// under "make test" once for all of them: a copy of what they made takes a tenth of their time.
func Migrate(t testing.TB, databaseURL string) {
	t.Helper()
	if path, isFile := strings.CutPrefix(databaseURL, "sqlite:"); isFile {
		copyFile(t, strings.TrimPrefix(path, "//"))
		return
	}
	copyTables(t, databaseURL)
}

// migrate runs the migrations.
func migrate(databaseURL string) error {
	db, err := store.Open(databaseURL, clock.NewTest(Start))
	if err != nil {
		return err
	}
	_, err = db.Migrate(context.Background())
	return errors.Join(err, db.Close())
}

// copyFile makes the file of a migrated SQLite database if it does not exist yet.
func copyFile(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	file, err := migratedFile()
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(path, file, 0o600))
}

// shared returns what another test process has made of that name, or has it made. Each process would run the migrations
// for itself otherwise, which takes seconds under the race detector.
func shared(name string, build func() ([]byte, error)) ([]byte, error) {
	folder := os.Getenv(servers.SharedVariable)
	if folder == "" {
		return build()
	}
	path := filepath.Join(folder, name)
	if made, err := os.ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		return made, err
	}
	made, err := build()
	if err != nil {
		return nil, err
	}
	half := fmt.Sprintf("%s.%d", path, os.Getpid()) // others make it at the same time, and read whole files only
	return made, errors.Join(os.WriteFile(half, made, 0o600), os.Rename(half, path))
}

// migratedFile returns the file of a migrated SQLite database, which is made once.
var migratedFile = sync.OnceValues(func() ([]byte, error) { return shared("migrated.db", makeMigratedFile) })

func makeMigratedFile() ([]byte, error) {
	dir, err := os.MkdirTemp("", "purr-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "purr.db")
	if err := migrate("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// migratedTables is the script that makes a migrated MySQL database, empty until the migrations have run.
var migratedTables struct {
	sync.Mutex
	script string
}

// copyTables makes the tables of a migrated MySQL database if it has none yet.
func copyTables(t testing.TB, databaseURL string) {
	t.Helper()
	db, err := servers.OpenMySQL(databaseURL)
	testkit.Must(t, err)
	defer func() { _ = db.Close() }()
	tables, err := tablesOf(t.Context(), db)
	testkit.Must(t, err)
	if len(tables) > 0 {
		return
	}
	script, err := migratedScript(t.Context(), databaseURL, db)
	testkit.Must(t, err)
	if script == "" {
		return
	}
	_, err = db.ExecContext(t.Context(), script)
	testkit.Must(t, err)
}

// migratedScript returns the script that makes the tables. If nobody knows it yet it migrates the database to learn it, and
// returns none.
func migratedScript(ctx context.Context, databaseURL string, db *sql.DB) (script string, err error) {
	migratedTables.Lock()
	defer migratedTables.Unlock()
	if migratedTables.script != "" {
		return migratedTables.script, nil
	}
	migrated := false
	written, err := shared("migrated.sql", func() ([]byte, error) {
		migrated = true
		if err := migrate(databaseURL); err != nil {
			return nil, err
		}
		return scriptOf(ctx, db)
	})
	if err != nil {
		return "", err
	}
	migratedTables.script = string(written)
	if migrated {
		return "", nil
	}
	return migratedTables.script, nil
}

func tablesOf(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// scriptOf returns the statements that make the tables of a database as its migrations left them, with the versions
// that goose keeps. The server takes them at once.
func scriptOf(ctx context.Context, db *sql.DB) ([]byte, error) {
	tables, err := tablesOf(ctx, db)
	if err != nil {
		return nil, err
	}
	var script []byte
	for _, table := range tables {
		var name, create string
		if err := db.QueryRowContext(ctx, "SHOW CREATE TABLE "+table).Scan(&name, &create); err != nil {
			return nil, err
		}
		script = append(script, create+";\n"...)
	}
	var versions string
	if err := db.QueryRowContext(ctx, "SELECT GROUP_CONCAT('(', version_id, ', 1)' ORDER BY id) FROM goose_db_version").Scan(&versions); err != nil {
		return nil, err
	}
	return append(script, "INSERT INTO goose_db_version (version_id, is_applied) VALUES "+versions...), nil
}
