package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// migratingLimit is how long a process waits for another one that migrates.
const migratingLimit = 5 * time.Minute

var errMigrating = errors.New("another process has been migrating this database for five minutes")

// lockMigrations takes the server's named lock on a connection of its own. The lock ends with the connection. The other
// servers of a Galera cluster do not know it, so there a lease is taken too. An SQLite file has no such lock.
func (db *DB) lockMigrations(ctx context.Context) (unlock func(), err error) {
	if db.dialect == dialectSQLite {
		return func() {}, nil
	}
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
	if clustered, err := isGalera(ctx, pool); err != nil || !clustered {
		return func() {}, err
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

// isGalera reports whether the server is a node of a Galera cluster.
func isGalera(ctx context.Context, pool *sql.DB) (bool, error) {
	var name, wsrep string
	err := pool.QueryRowContext(ctx, "SHOW VARIABLES LIKE 'wsrep_on'").Scan(&name, &wsrep)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return wsrep == "ON", classify(err, "")
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
