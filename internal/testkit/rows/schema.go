package rows

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/clock"
	"purr/internal/testkit"
	"purr/internal/testkit/servers"
	"purr/store"
)

// Migrate makes the schema in a database, unless it has tables already. The migrations run once in all test processes of a command
// that withservers runs, else once in each: a copy of what they made takes a tenth of their time.
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

// migratedFile returns the file of a migrated SQLite database, which is made once.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	if file, err := kept(keptFile); file != nil || err != nil {
		return file, err
	}
	dir, err := os.MkdirTemp("", "purr-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "purr.db")
	if err := migrate("sqlite:" + path); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return file, keep(keptFile, file)
})

// What the migrations made, for the other test processes.
const (
	keptFile   = "migrated.db"
	keptTables = "migrated.json" // the statements
)

// kept returns what a test process has kept for all of them; nil if there is nothing.
func kept(name string) ([]byte, error) {
	dir := os.Getenv(servers.RunVariable)
	if dir == "" {
		return nil, nil
	}
	content, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// keep keeps what the migrations made. Another process may do the same at the same time.
func keep(name string, content []byte) error {
	dir := os.Getenv(servers.RunVariable)
	if dir == "" {
		return nil
	}
	file, err := os.CreateTemp(dir, name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, name))
}

// migratedTables are the statements that make a migrated MySQL database, empty until the migrations have run.
var migratedTables struct {
	sync.Mutex
	statements []string
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
	statements, err := migratedStatements(t.Context(), databaseURL, db)
	testkit.Must(t, err)
	for _, statement := range statements {
		_, err := db.ExecContext(t.Context(), statement)
		testkit.Must(t, err)
	}
}

// migratedStatements returns the statements that make the tables. The first call, if no other process has made it, migrates the
// database to learn them, and returns none.
func migratedStatements(ctx context.Context, databaseURL string, db *sql.DB) (statements []string, err error) {
	migratedTables.Lock()
	defer migratedTables.Unlock()
	if migratedTables.statements != nil {
		return migratedTables.statements, nil
	}
	content, err := kept(keptTables)
	if err != nil {
		return nil, err
	}
	if content != nil {
		err := json.Unmarshal(content, &migratedTables.statements)
		return migratedTables.statements, err
	}
	if err := migrate(databaseURL); err != nil {
		return nil, err
	}
	if migratedTables.statements, err = statementsOf(ctx, db); err != nil {
		return nil, err
	}
	if content, err = json.Marshal(migratedTables.statements); err != nil {
		return nil, err
	}
	return nil, keep(keptTables, content)
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

// statementsOf returns the statements that make the tables of a database as its migrations left them, with the versions
// that goose keeps.
func statementsOf(ctx context.Context, db *sql.DB) ([]string, error) {
	tables, err := tablesOf(ctx, db)
	if err != nil {
		return nil, err
	}
	var statements []string
	for _, table := range tables {
		var name, create string
		if err := db.QueryRowContext(ctx, "SHOW CREATE TABLE "+table).Scan(&name, &create); err != nil {
			return nil, err
		}
		statements = append(statements, create)
	}
	var version int64
	if err := db.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&version); err != nil {
		return nil, err
	}
	for v := range version + 1 {
		statements = append(statements, fmt.Sprintf("INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, 1)", v))
	}
	return statements, nil
}
