package store

import (
	"context"
	"database/sql"

	"gorm.io/gorm"

	"purr/internal/clock"
)

// WithClock returns the same database with another clock for its transactions, which is then the common time too. The
// two share their connections: close only one of them.
func (db *DB) WithClock(c clock.Clock) *DB {
	other := *db
	other.clock, other.lead = c, nil
	if db.patient != nil {
		other.patient = db.patient.WithClock(c)
	}
	if db.pages != nil {
		other.pages, other.ready = db.pages.WithClock(c), db.ready.WithClock(c)
	}
	return &other
}

// Patient returns the same database for work whose single statements or transactions may take longer than the bounds: proofs
// of all books, counts of all rows, migrations. A call that somebody waits for must not use it.
func (db *DB) Patient() *DB {
	if db.patient != nil {
		return db.patient
	}
	other := *db
	other.limit = 0
	return &other
}

// ForPages returns the same database for the console. While all connections of its other work are taken, the console is answered by
// some that are kept for it.
func (db *DB) ForPages() *DB {
	if db.pages != nil {
		return db.pages
	}
	return db
}

// ForReadiness returns the same database by a connection that nothing else takes, so that readiness tells of the database, and not of
// how many wait for it.
func (db *DB) ForReadiness() *DB {
	if db.ready != nil {
		return db.ready
	}
	return db
}

// either asks a pool, and another one while all connections of the first are taken.
type either struct{ first, other *sql.DB }

func (e either) free() *sql.DB {
	if of := e.first.Stats(); of.InUse >= of.MaxOpenConnections {
		return e.other
	}
	return e.first
}

// PrepareContext, and the methods below, do what those of a pool do.
func (e either) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return e.free().PrepareContext(ctx, query)
}

// ExecContext does what that of a pool does.
func (e either) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return e.free().ExecContext(ctx, query, args...)
}

// QueryContext does what that of a pool does.
func (e either) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return e.free().QueryContext(ctx, query, args...)
}

// QueryRowContext does what that of a pool does.
func (e either) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return e.free().QueryRowContext(ctx, query, args...)
}

// BeginTx does what that of a pool does.
func (e either) BeginTx(ctx context.Context, options *sql.TxOptions) (*sql.Tx, error) {
	return e.free().BeginTx(ctx, options)
}

// withKept returns a pool that asks the other while its own connections are all taken.
func withKept(first, other *gorm.DB) *gorm.DB {
	g := first.Session(&gorm.Session{NewDB: true, Context: context.Background()})
	g.Statement.ConnPool = either{first.Statement.ConnPool.(*sql.DB), other.Statement.ConnPool.(*sql.DB)} //nolint:errcheck // openPools opened them
	return g
}
