package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"modernc.org/sqlite"

	"purr/internal/clock"
)

// sqliteLockLimit is how many milliseconds SQLite waits for another program's lock before the transaction is repeated.
// The end of a context does not cut this wait short.
const sqliteLockLimit = 2000

// openSQLite opens one connection for writing and several for reading. SQLite has one writer at a time; in WAL
// mode readers do not wait for it. The writer caches 64 MB of pages, so that a large import finds the indexes in
// memory. It copies the log into the file every 16 MB.
func openSQLite(path string, c clock.Clock) (*DB, error) {
	pragmas := fmt.Sprintf("?_time_format=sqlite&_timezone=UTC&_pragma=busy_timeout(%d)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=temp_store(MEMORY)", sqliteLockLimit)
	const (
		writing = "&_txlock=immediate&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(4000)"
		reading = "&_pragma=query_only(true)"
	)
	open := func(options string, connections int) (*gorm.DB, func() error, error) {
		connector, err := sqlite.NewConnector(path + pragmas + options)
		if err != nil {
			return nil, nil, fmt.Errorf("open SQLite database %s: %w", path, err)
		}
		g, closePool, err := openGorm(sqliteDialector{pool: sql.OpenDB(keeping{connector})}, c, connections, sqliteRows, 0)
		if err != nil {
			return nil, nil, fmt.Errorf("open SQLite database %s: %w", path, errors.Join(err, diskSays(path)))
		}
		return g, closePool, nil
	}
	writer, closeWriter, err := open(writing, 1)
	if err != nil {
		return nil, err
	}
	reader, closeReader, err := open(reading, 8)
	if err != nil {
		return nil, errors.Join(err, closeWriter())
	}
	return &DB{
		reads: reads{db: reader}, writer: writer, limit: txLimit, file: path, full: new(atomic.Pointer[noRoom]), clock: c, numbering: newJoint(), sellers: new(knownSellers), guard: new(guard),
		dialect: dialectSQLite, close: []func() error{closeReader, closeWriter},
	}, nil
}

// sqliteRows is how many rows a statement inserts.
const sqliteRows = 20

// sqliteDialector tells gorm what differs in SQLite from MySQL: an INSERT of several rows returns IDs, and there are no locks
// of rows, because a writing transaction is alone from its beginning.
type sqliteDialector struct {
	unexplained
	pool *sql.DB
}

// Name returns the dialect.
func (sqliteDialector) Name() string { return string(dialectSQLite) }

// Initialize prepares gorm to use the pool.
func (d sqliteDialector) Initialize(db *gorm.DB) error {
	db.ConnPool = d.pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{CreateClauses: []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"}})
	db.ClauseBuilders["FOR"] = func(clause.Clause, clause.Builder) {}
	db.ClauseBuilders["LIMIT"] = writeLimit
	return nil
}

// writeLimit writes the number itself. SQLite plans by the value of a "LIMIT ?", so it would parse a kept statement anew each
// time that it is given one.
func writeLimit(c clause.Clause, b clause.Builder) {
	limit, is := c.Expression.(clause.Limit)
	if !is || limit.Limit == nil {
		c.Build(b)
		return
	}
	text := "LIMIT " + strconv.Itoa(*limit.Limit)
	if limit.Offset == 0 {
		_, _ = b.WriteString(text) // into memory
		return
	}
	_, _ = b.WriteString(text + " OFFSET ")
	b.AddVar(b, limit.Offset)
}

// keeping opens connections that keep the statements which they have prepared. SQLite parses a short statement longer than it
// works on it.
type keeping struct{ driver.Connector }

// Connect opens a connection.
func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keeper{sqliteConn: conn.(sqliteConn), kept: map[string]sqliteStmt{}}, nil //nolint:errcheck // the driver's connections are all of this
}

// What the driver's connections and statements are.
type (
	sqliteConn interface {
		driver.Conn
		driver.ConnBeginTx
		driver.ConnPrepareContext
		driver.Pinger
		driver.SessionResetter
		driver.Validator
	}
	sqliteStmt interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
)

// keeper is a connection that keeps statements. One that is in use is not among them.
type keeper struct {
	sqliteConn
	kept map[string]sqliteStmt
}

// The bounds of what a connection keeps: statements, and characters of each. Long ones hold many rows or keys, and most of them
// never come again.
const (
	mostKept    = 100
	longestKept = 4000
)

// take returns the statement for the caller alone, who gives it back.
func (k *keeper) take(ctx context.Context, query string) (sqliteStmt, error) {
	if s, is := k.kept[query]; is {
		delete(k.kept, query)
		return s, nil
	}
	s, err := k.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.(sqliteStmt), nil //nolint:errcheck // the driver's statements are all of this
}

func (k *keeper) giveBack(query string, s sqliteStmt) error {
	if _, twice := k.kept[query]; twice || len(query) > longestKept {
		return s.Close()
	}
	k.kept[query] = s
	if len(k.kept) <= mostKept {
		return nil
	}
	for text, old := range k.kept {
		delete(k.kept, text)
		return old.Close()
	}
	return nil
}

// ExecContext carries out a statement.
func (k *keeper) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args)
	return result, errors.Join(err, k.giveBack(query, s))
}

// QueryContext carries out a query. Its statement is in use until the rows are closed.
func (k *keeper) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, k.giveBack(query, s))
	}
	return keptRows{rows, func() error { return k.giveBack(query, s) }}, nil
}

// Close closes the connection with its statements.
func (k *keeper) Close() error {
	var errs []error
	for _, s := range k.kept {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, k.sqliteConn.Close())...)
}

// keptRows are the rows of a query whose statement is given back.
type keptRows struct {
	driver.Rows
	giveBack func() error
}

// Close ends the query.
func (r keptRows) Close() error { return errors.Join(r.Rows.Close(), r.giveBack()) }
