package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"time"

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
	if version, err = migrateUp(ctx, provider); err != nil {
		return 0, err
	}
	if err := db.reckonRepayments(ctx); err != nil {
		return 0, err
	}
	if err := db.reckonLapses(ctx); err != nil {
		return 0, err
	}
	return version, db.indexWords(ctx)
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
// to do (rule R2). It writes nothing.
func (db *DB) CheckSchema(ctx context.Context) error {
	found, wanted, err := db.versions(ctx)
	if err == nil && found < wanted {
		return fmt.Errorf("the database's schema is version %d, older than this program's %d: run `purr migrate` first", found, wanted)
	}
	return err
}

// CheckNotNewer fails if the schema is of a newer program. It writes nothing.
func (db *DB) CheckNotNewer(ctx context.Context) error {
	_, _, err := db.versions(ctx)
	return err
}

// versions returns the version of the schema, 0 if the database holds no table, and this program's. It fails if the first is newer.
func (db *DB) versions(ctx context.Context) (found, wanted int64, err error) {
	provider, err := db.migrator()
	if err != nil {
		return 0, 0, err
	}
	wanted = newest(provider)
	tables, err := db.tables(ctx)
	if err == nil && len(tables) > 0 { // else the provider would make its own table
		found, err = provider.GetDBVersion(ctx)
		err = classify(err, "")
	}
	switch {
	case err != nil:
		return 0, wanted, fmt.Errorf("read the schema's version: %w", err)
	case found > wanted:
		return found, wanted, tooNew(found, wanted)
	}
	return found, wanted, nil
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

// migratingLimit is how long a process waits for another one that migrates.
const migratingLimit = 5 * time.Minute

var errMigrating = errors.New("another process has been migrating this database for five minutes")

// lockMigrations takes the server's named lock on a connection of its own. The lock ends with the connection. The other
// servers of a Galera cluster do not know it, so there a lease is taken too.
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
	err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(CONCAT(DATABASE(), '.purr-migrate'), ?)", migratingLimit.Seconds()).Scan(&got)
	if err == nil && got.Int64 != 1 {
		err = errMigrating
	}
	endLease := func() {}
	if err == nil {
		endLease, err = leaseMigrations(ctx, pool)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() {
		endLease()
		// Closing the connection would release the lock too, but the pool keeps it open.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK(CONCAT(DATABASE(), '.purr-migrate'))")
		_ = conn.Close()
	}, nil
}

// The lease on the migrations of a cluster is a row that names its holder. It lasts as long as others wait, so that it does
// not end under a migration that stops the whole cluster, and with it the renewing.
const (
	makeLease  = "CREATE TABLE IF NOT EXISTS migration_lease (id INT NOT NULL PRIMARY KEY, holder VARCHAR(26) NOT NULL, until DATETIME(6) NOT NULL) ENGINE=InnoDB"
	firstLease = "INSERT IGNORE INTO migration_lease (id, holder, until) VALUES (1, '', '2000-01-01')"
	takeLease  = "UPDATE migration_lease SET holder = ?, until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND WHERE id = 1 AND (until < UTC_TIMESTAMP(6) OR holder = ?)"
	giveLease  = "UPDATE migration_lease SET until = '2000-01-01' WHERE id = 1 AND holder = ?"
)

// leaseMigrations takes the lease if the server is a node of a Galera cluster, and renews it until the lease is ended.
func leaseMigrations(ctx context.Context, pool *sql.DB) (end func(), err error) {
	var name, wsrep string
	err = pool.QueryRowContext(ctx, "SHOW VARIABLES LIKE 'wsrep_on'").Scan(&name, &wsrep)
	if errors.Is(err, sql.ErrNoRows) || err == nil && wsrep != "ON" {
		return func() {}, nil
	}
	if err != nil {
		return nil, classify(err, "")
	}
	for _, statement := range []string{makeLease, firstLease} {
		if err := repeat(ctx, func() error { _, err := pool.ExecContext(ctx, statement); return err }); err != nil {
			return nil, err
		}
	}
	holder := rand.Text()
	take := func() (taken bool, err error) {
		err = repeat(ctx, func() error {
			result, err := pool.ExecContext(ctx, takeLease, holder, migratingLimit.Seconds(), holder)
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			taken = n == 1
			return nil
		})
		return taken, err
	}
	for waited := time.Duration(0); ; waited += leasePause {
		taken, err := take()
		if err != nil {
			return nil, err
		}
		if taken {
			break
		}
		if waited >= migratingLimit {
			return nil, errMigrating
		}
		if err := pause(ctx, leasePause); err != nil {
			return nil, err
		}
	}
	renewing, stop := context.WithCancel(ctx)
	var renewer sync.WaitGroup
	renewer.Go(func() {
		for pause(renewing, migratingLimit/10) == nil {
			_, _ = take() // at an error the next one comes in time
		}
	})
	return func() {
		stop()
		renewer.Wait()
		_, _ = pool.ExecContext(context.WithoutCancel(ctx), giveLease, holder)
	}, nil
}

// leasePause is the pause between two tries to take the lease.
const leasePause = 200 * time.Millisecond

// repeat does one statement outside of a transaction, and repeats it when the database asks for it.
func repeat(ctx context.Context, do func() error) error {
	for attempt := 1; ; attempt++ {
		err := do()
		if !isTransient(err) || attempt == attempts {
			return classify(err, "")
		}
		if stopped := pause(ctx, firstPause<<(attempt-1)); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
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
