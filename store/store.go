// Package store keeps everything in a MySQL, MariaDB or SQLite database through gorm. It is the only package that
// knows which of them is used. It knows no business rules. It reads only within one creditor unless a method says
// otherwise, and writes only inside a transaction.
package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/glebarez/sqlite"
	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"purr/clock"
)

// DB is an open database. Its own methods only read; InTx writes. It is safe for concurrent use.
type DB struct {
	reads
	writer  *gorm.DB
	clock   clock.Clock
	dialect dialect
	close   []func() error
}

type dialect string

const (
	dialectMySQL  dialect = "mysql"
	dialectSQLite dialect = "sqlite"
)

// Open opens the database at the URL, sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/NAME. It does not touch the schema:
// see Migrate and CheckSchema.
func Open(databaseURL string, c clock.Clock) (*DB, error) {
	if path, ok := strings.CutPrefix(databaseURL, "sqlite:"); ok {
		return openSQLite(strings.TrimPrefix(path, "//"), c)
	}
	if strings.HasPrefix(databaseURL, "mysql://") {
		return openMySQL(databaseURL, c, true)
	}
	return nil, errors.New("the database URL must begin with sqlite: or mysql://")
}

// openSQLite opens one connection for writing and several for reading. SQLite has one writer at a time; in WAL
// mode readers do not wait for it. The writer caches 64 MB of pages, so that a large import finds the indexes in
// memory. It copies the log into the file every 16 MB. Its statements are short, because the driver searches all
// arguments for each placeholder.
func openSQLite(path string, c clock.Clock) (*DB, error) {
	if path == "" || path == ":memory:" || strings.Contains(path, "?") {
		return nil, errors.New("the database URL sqlite: takes the path of a file, without a question mark")
	}
	const (
		pragmas = "?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=temp_store(MEMORY)"
		writing = "&_txlock=immediate&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(4000)"
		reading = "&_pragma=query_only(true)"
		rows    = 20 // of one statement
	)
	writer, closeWriter, err := openGorm(sqlite.Open(path+pragmas+writing), c, 1, rows)
	if err != nil {
		return nil, fmt.Errorf("open SQLite database %s: %w", path, err)
	}
	reader, closeReader, err := openGorm(sqlite.Open(path+pragmas+reading), c, 8, rows)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite database %s: %w", path, err), closeWriter())
	}
	return &DB{reads{reader}, writer, c, dialectSQLite, []func() error{closeReader, closeWriter}}, nil
}

// openMySQL opens two pools of connections. In the pool for writing, each statement sees the data that was
// committed when the statement began. In the pool for reading, a transaction sees the data that was committed at
// its first read. Without returning, INSERT ... RETURNING is not used even where the server has it (see Tx.insert).
func openMySQL(databaseURL string, c clock.Clock, returning bool) (*DB, error) {
	cfg, err := mysqlConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	connector, err := mysqldriver.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("the database URL: %w", err)
	}
	open := func(transactions string) (*gorm.DB, func() error, error) {
		dialector := mysql.New(mysql.Config{Conn: sql.OpenDB(session{connector, transactions}), DisableWithReturning: !returning})
		db, closeDB, err := openGorm(dialector, c, 32, 1000)
		if err != nil {
			return nil, nil, fmt.Errorf("open MySQL database %s on %s: %w", cfg.DBName, cfg.Addr, err)
		}
		return db, closeDB, nil
	}
	writer, closeWriter, err := open("ISOLATION LEVEL READ COMMITTED")
	if err != nil {
		return nil, err
	}
	reader, closeReader, err := open("ISOLATION LEVEL REPEATABLE READ, READ ONLY")
	if err != nil {
		return nil, errors.Join(err, closeWriter())
	}
	return &DB{reads{reader}, writer, c, dialectMySQL, []func() error{closeReader, closeWriter}}, nil
}

// mysqlConfig reads the URL. The session takes times as UTC, and refuses bad data instead of truncating it.
func mysqlConfig(databaseURL string) (*mysqldriver.Config, error) {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return nil, errors.New("the database URL is not a URL; the form is mysql://USER:PASSWORD@HOST:PORT/NAME")
	}
	name := strings.Trim(u.Path, "/")
	if u.Host == "" || name == "" {
		return nil, errors.New("the database URL needs a host and a database name: mysql://USER:PASSWORD@HOST:PORT/NAME")
	}
	for parameter := range u.Query() {
		if parameter != "tls" {
			return nil, fmt.Errorf("the database URL's parameter %q is unknown; tls is the only one", parameter)
		}
	}
	cfg := mysqldriver.NewConfig()
	cfg.Net, cfg.Addr, cfg.DBName = "tcp", u.Host, name
	if u.Port() == "" {
		cfg.Addr = u.Host + ":3306"
	}
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.ParseTime, cfg.Loc = true, time.UTC
	cfg.Collation = "utf8mb4_bin"
	cfg.InterpolateParams = true // one round trip for each statement; gorm would prepare statements again in every transaction
	cfg.ClientFoundRows = true   // else gorm takes "no row changed" for "no row found"
	cfg.TLSConfig = u.Query().Get("tls")
	cfg.Logger = &mysqldriver.NopLogger{} // the driver returns what it would print
	cfg.Timeout = 10 * time.Second
	cfg.Params = maps.Clone(sessionVariables)
	return cfg, nil
}

// sessionVariables are set in each session of MySQL.
var sessionVariables = map[string]string{
	"sql_mode":                 "'TRADITIONAL,ONLY_FULL_GROUP_BY'",
	"time_zone":                "'+00:00'",
	"innodb_lock_wait_timeout": "10", // seconds, then the transaction is repeated
}

// session sets the isolation of all transactions when it connects, which saves each of them a round trip. As a parameter
// of the URL the isolation would have one name in MySQL 8 and another in MariaDB before 11.1.
//
// On a Galera cluster it lets each transaction, and each read outside of one, begin when the node has what was committed
// on any other node before (rule K1). Whoever was answered 201 may ask another node, and a job must find its row.
type session struct {
	driver.Connector
	transactions string
}

func (s session) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := s.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	execer := conn.(driver.ExecerContext) //nolint:errcheck // the driver's connections are ExecerContexts
	if _, err := execer.ExecContext(ctx, "SET SESSION TRANSACTION "+s.transactions, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	_, err = execer.ExecContext(ctx, "SET SESSION wsrep_sync_wait = 1", nil)
	if n, _ := mysqlNumber(err); err != nil && n != mysqlUnknown { // unknown: not built for Galera
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// openGorm opens a pool with the given number of connections. It inserts at most the given number of rows with one
// statement.
func openGorm(dialector gorm.Dialector, c clock.Clock, connections, rows int) (*gorm.DB, func() error, error) {
	db, err := gorm.Open(dialector, &gorm.Config{
		SkipDefaultTransaction: true,
		CreateBatchSize:        rows,
		Logger:                 logger.Discard,
		NowFunc:                c.Now,
	})
	if err != nil {
		return nil, nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, nil, err
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxLifetime(10 * time.Minute)
	return db, pool.Close, nil
}

// WithClock returns the same database with another clock for its transactions. The two share their connections:
// close only one of them.
func (db *DB) WithClock(c clock.Clock) *DB {
	other := *db
	other.clock = c
	return &other
}

// Close closes all connections. Those that were lost before are no error.
func (db *DB) Close() error {
	var errs []error
	for _, c := range db.close {
		if err := c(); !isLost(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Ping fails if the database does not answer.
func (db *DB) Ping(ctx context.Context) error {
	return classify(db.with(ctx).Exec("SELECT 1").Error, "")
}
