package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to this program's version and returns that version (rule R2). If a newer program
// has migrated the database, it fails and changes nothing. Processes that migrate the same database at once wait
// for each other.
func (db *DB) Migrate(ctx context.Context) (version int64, err error) {
	db = db.Patient() // a change of a large table takes minutes
	if db.dialect == dialectMySQL {
		unlock, err := db.lockMigrations(ctx)
		if err != nil {
			return 0, err
		}
		defer unlock()
	}
	provider, err := db.migrator()
	if err != nil {
		return 0, err
	}
	return migrateUp(ctx, provider)
}

// migrateUp applies the missing migrations. SQLite has no lock that outlives a transaction. So a process goes on
// with the next migration if another process has just made this one.
func migrateUp(ctx context.Context, provider *goose.Provider) (version int64, err error) {
	for {
		before, err := provider.GetDBVersion(ctx)
		if err != nil {
			return 0, fmt.Errorf("read the schema's version: %w", classify(err, ""))
		}
		if wanted := newest(provider); before > wanted {
			return 0, tooNew(before, wanted)
		}
		_, failure := provider.Up(ctx)
		after, err := provider.GetDBVersion(ctx)
		switch {
		case failure == nil:
			return after, err
		case err != nil || after == before:
			return 0, fmt.Errorf("migrate the schema: %w", failure)
		}
	}
}

// MigrateTo makes the schema of an earlier version in an empty database, for rows of that version. It fails if this
// program knows no such version.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	provider, err := db.migrator()
	if err != nil {
		return err
	}
	if wanted := newest(provider); version > wanted {
		return tooNew(version, wanted)
	}
	_, err = provider.UpTo(ctx, version)
	return err
}

// CheckSchema fails if the schema is not of this program's version. The error says which of the two is older and what
// to do (rule R2).
func (db *DB) CheckSchema(ctx context.Context) error {
	provider, err := db.migrator()
	if err != nil {
		return err
	}
	wanted := newest(provider)
	found, err := provider.GetDBVersion(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("read the schema's version: %w", classify(err, ""))
	case found < wanted:
		return fmt.Errorf("the database's schema is version %d, older than this program's %d: run `purr migrate` first", found, wanted)
	case found > wanted:
		return tooNew(found, wanted)
	}
	return nil
}

// newest returns the version of this program's schema.
func newest(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

func tooNew(found, wanted int64) error {
	return fmt.Errorf("the database's schema is version %d, newer than this program's %d: install the newer program", found, wanted)
}

func (db *DB) migrator() (*goose.Provider, error) {
	pool, err := db.writer.DB()
	if err != nil {
		return nil, err
	}
	dir, err := fs.Sub(migrations, "migrations/"+string(db.dialect))
	if err != nil {
		return nil, err
	}
	dialects := map[dialect]goose.Dialect{dialectMySQL: goose.DialectMySQL, dialectSQLite: goose.DialectSQLite3}
	return goose.NewProvider(dialects[db.dialect], pool, dir)
}

// lockMigrations takes the server's named lock on a connection of its own.
func (db *DB) lockMigrations(ctx context.Context) (unlock func(), err error) {
	pool, err := db.writer.DB()
	if err != nil {
		return nil, err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, classify(err, "")
	}
	if _, err := conn.ExecContext(ctx, "SET SESSION wait_timeout = 86400"); err != nil { // it is silent while others migrate
		return nil, errors.Join(classify(err, ""), conn.Close())
	}
	var got sql.NullInt64
	err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(CONCAT(DATABASE(), '.purr-migrate'), 300)").Scan(&got)
	if err == nil && got.Int64 != 1 {
		err = errors.New("another process has been migrating this database for five minutes")
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() {
		// Closing the connection would release the lock too, but the pool keeps it open.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK(CONCAT(DATABASE(), '.purr-migrate'))")
		_ = conn.Close()
	}, nil
}

// SchemaVersion returns the version of this program's schema.
func SchemaVersion() int64 {
	names, err := fs.Glob(migrations, "migrations/sqlite/*.sql")
	if err != nil || len(names) == 0 {
		return 0 // impossible: the program contains migrations
	}
	var version int64
	_, _ = fmt.Sscanf(path.Base(names[len(names)-1]), "%d_", &version) // Migrate checks the form of the names
	return version
}
