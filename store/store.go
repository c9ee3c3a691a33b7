package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"purr/internal/clock"
)

// DB is an open database. Its own methods only read; InTx writes. It is safe for concurrent use.
type DB struct {
	reads
	writer  *gorm.DB
	patient *DB                     // the pools for statements that take long; nil on SQLite
	pages   *DB                     // the same pools for the console, and some that are kept for it; nil on SQLite, and of a command
	ready   *DB                     // the connection of readiness; nil on SQLite, and of a command
	pools   *pools                  // nil on SQLite
	guard   *guard                  // one for all pools
	dial    driver.Connector        // of the writer; nil on SQLite
	limit   time.Duration           // of a transaction with its repetitions; 0 for none
	full    *atomic.Pointer[noRoom] // when a transaction last could not write to the disk; see Probe
	file    string                  // of SQLite
	clock   clock.Clock
	dialect dialect
	close   []func() error

	numbering *joint        // of events
	sellers   *knownSellers // what KeepSeller knows
	lead      *atomic.Int64 // how many nanoseconds the database's clock is ahead of ours; nil if ours is the common one
}

type dialect string

const (
	dialectMySQL  dialect = "mysql"
	dialectSQLite dialect = "sqlite"
	dialectTiDB   dialect = "tidb" // of migrations; its statements are those of MySQL
)

// The bounds of a database that does not answer, and of a client that falls silent (rule O7). Whatever waits for the
// database ends within 20 seconds, but for the work that Patient is for.
const (
	txLimit        = 15 * time.Second // of a transaction with its repetitions
	statementLimit = 15 * time.Second // until the answer to a statement begins
	patientLimit   = time.Hour        // the same for statements that take long
	connectLimit   = 5 * time.Second  // to connect and sign in
	lockLimit      = 5                // seconds of waiting for a lock, then the transaction is repeated
	silenceLimit   = 20               // seconds of silence, then the server ends the session, and with it its transaction
	idleLimit      = 15 * time.Second // then an unused connection is closed: before the server does, and lest a dead one is used
)

// Open opens the database at the URL, sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/NAME. It does not touch the schema:
// see Migrate and CheckSchema.
func Open(databaseURL string, c clock.Clock) (*DB, error) {
	return OpenWith(databaseURL, c, Connections{})
}

// OpenWith opens the database as Open does, with so many connections.
func OpenWith(databaseURL string, c clock.Clock, of Connections) (*DB, error) {
	if strings.HasPrefix(databaseURL, "sqlite:") {
		path, err := SQLiteFile(databaseURL)
		if err != nil {
			return nil, err
		}
		return openSQLite(path, c)
	}
	if strings.HasPrefix(databaseURL, "mysql://") {
		return openMySQL(databaseURL, c, true, of)
	}
	return nil, errors.New("the database URL must begin with sqlite: or mysql://")
}

// SQLiteFile returns the file of a database URL, empty if the URL is not of SQLite. It fails if the URL names no file.
func SQLiteFile(databaseURL string) (string, error) {
	path, is := strings.CutPrefix(databaseURL, "sqlite:")
	if !is {
		return "", nil
	}
	path = strings.TrimPrefix(path, "//")
	if path == "" || path == ":memory:" || strings.Contains(path, "?") {
		return "", errors.New("the database URL sqlite: takes the path of a file, without a question mark")
	}
	return path, nil
}

// openPools prepares a pool for writing and one for reading. The first connects at once, to learn the server's version. In
// the pool for writing, each statement sees the data that was committed when the statement began. If the client falls
// silent, the server ends the session, so that its locks hold nobody up. In the pool for reading, a transaction sees the
// data that was committed at its first read. A lone pool reads and writes.
func openPools(cfg *mysqldriver.Config, c clock.Clock, returning, lone bool, shared *pools) (*DB, error) {
	connector, err := mysqldriver.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("the database URL: %w", err)
	}
	writing := []string{
		"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
		fmt.Sprintf("SET SESSION wait_timeout = %d, net_write_timeout = %[1]d", silenceLimit),
	}
	reading := []string{"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ" + readOnly}
	db := &DB{
		full: new(atomic.Pointer[noRoom]), clock: c, dialect: dialectMySQL, numbering: newJoint(), sellers: new(knownSellers), pools: shared, guard: new(guard),
	}
	if _, simulated := c.(*clock.Test); !simulated {
		db.lead = new(atomic.Int64)
	}
	open := func(begin []string, skipVersion bool) (*gorm.DB, *sql.DB, error) {
		var from driver.Connector = session{asking{connector, shared}, begin, c, db.lead, &shared.server}
		if shared.tokens != nil {
			from = bounded{from, shared}
		}
		if db.dial == nil {
			db.dial = from
		}
		pool := sql.OpenDB(from)
		dialector := mysql.Dialector{Config: &mysql.Config{Conn: pool, DisableWithReturning: !returning, SkipInitializeWithVersion: skipVersion}}
		g, closePool, err := openGorm(unexplained{dialector}, c, 1, 1000, idleLimit)
		if err != nil {
			return nil, nil, fmt.Errorf("open MySQL database %s on %s: %w", cfg.DBName, cfg.Addr, errors.Join(err, db.Close()))
		}
		db.close = append(db.close, closePool)
		shared.add(pool)
		return g, pool, nil
	}
	if db.writer, _, err = open(writing, false); err != nil {
		return nil, err
	}
	db.dialect = shared.server.Load().dialect()
	if lone {
		db.reads = reads{db: db.writer}
		return db, nil
	}
	reader, pool, err := open(reading, true)
	if err != nil {
		return nil, err
	}
	db.reads = reads{db: reader, prepared: &prepared{pool: pool}}
	return db, nil
}

// unexplained keeps gorm from writing each query that is scanned as a text with its values, for a log that nobody reads.
type unexplained struct{ mysql.Dialector }

// Explain returns nothing.
func (unexplained) Explain(string, ...any) string { return "" }

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
	cfg.Timeout, cfg.WriteTimeout, cfg.ReadTimeout = connectLimit, statementLimit, statementLimit
	cfg.RejectReadOnly = true // after a fail-over: connect anew, to the server that takes writes
	// A peer that is gone without a word is noticed on connections that wait for a long statement too.
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}
	cfg.DialFunc = dialer.DialContext
	cfg.Params = maps.Clone(sessionVariables)
	return cfg, nil
}

// sessionVariables are set in each session of MySQL.
var sessionVariables = map[string]string{
	"sql_mode":                 "'TRADITIONAL,ONLY_FULL_GROUP_BY'",
	"time_zone":                "'+00:00'",
	"innodb_lock_wait_timeout": strconv.Itoa(lockLimit),
	"lock_wait_timeout":        strconv.Itoa(lockLimit), // for a table that a migration changes
}

// session sets what holds for all transactions when it connects, which saves each of them a round trip. As a parameter
// of the URL the isolation would have one name in MySQL 8 and another in MariaDB before 11.1. It also measures how far
// the database's clock is ahead of ours. A connection lives a few minutes, so the measure is never old.
//
// On a Galera cluster it lets each transaction, and each read outside of one, begin when the node has what was committed
// on any other node before (rule K1). Whoever was answered 201 may ask another node, and a job must find its row.
type session struct {
	driver.Connector
	begin  []string // statements
	clock  clock.Clock
	lead   *atomic.Int64 // nil if nobody asks for it
	server *atomic.Pointer[Server]
}

func (s session) Connect(ctx context.Context) (driver.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	conn, err := s.connect(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil { // this is the server's fault, not the end of the caller's time
		return nil, fmt.Errorf("connect within %s: %w", connectLimit, mysqldriver.ErrInvalidConn)
	}
	return conn, err
}

func (s session) connect(ctx context.Context) (driver.Conn, error) {
	conn, err := s.Connector.Connect(ctx)
	if _, refused := mysqlNumber(err); err != nil && !refused && !isAway(err) && ctx.Err() == nil {
		return nil, fmt.Errorf("connect: %w: %w", mysqldriver.ErrInvalidConn, err) // the driver has errors of its own for a greeting that broke off
	}
	if err != nil {
		return nil, err
	}
	server, err := s.meet(ctx, conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	execer := conn.(driver.ExecerContext) //nolint:errcheck // the driver's connections are ExecerContexts
	for _, statement := range s.begin {
		if _, err := execer.ExecContext(ctx, server.takes(statement), nil); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	if err := s.measure(ctx, conn, server); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	_, err = execer.ExecContext(ctx, "SET SESSION wsrep_sync_wait = 1", nil)
	if n, _ := mysqlNumber(err); err != nil && n != mysqlUnknown { // unknown: not built for Galera
		return nil, errors.Join(err, conn.Close())
	}
	if err := gateLets(ctx, conn.(driver.QueryerContext)); err != nil { //nolint:errcheck // the driver's connections are QueryerContexts
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// measure asks the database for its time.
func (s session) measure(ctx context.Context, conn driver.Conn, server Server) error {
	if s.lead == nil {
		return nil
	}
	before := s.clock.Now()
	value, err := server.askTime(ctx, conn)
	if err != nil {
		return err
	}
	theirs, is := value.(time.Time)
	if !is {
		return fmt.Errorf("the database's time is %v", value)
	}
	after := s.clock.Now()
	s.lead.Store(int64(theirs.Sub(before.Add(after.Sub(before) / 2))))
	return nil
}

// gormConfig is common to all databases of this process, and with it what gorm learns of the models: it tries some sixty patterns
// for the name of each table. So nothing may use its prepared statements (PrepareStmt), which it would keep there for one database.
var gormConfig = sync.OnceValues(func() (gorm.Config, error) {
	db, err := gorm.Open(nil, &gorm.Config{SkipDefaultTransaction: true, Logger: logger.Discard})
	if err != nil {
		return gorm.Config{}, err
	}
	return *db.Config, nil
})

// openGorm prepares a pool with the given number of connections, which are closed when they were idle for as long as
// given, if that is not zero. It inserts at most the given number of rows with one
// statement.
func openGorm(dialector gorm.Dialector, c clock.Clock, connections, rows int, idle time.Duration) (*gorm.DB, func() error, error) {
	config, err := gormConfig()
	if err != nil {
		return nil, nil, err
	}
	config.Plugins, config.ClauseBuilders = nil, nil // those are of one database alone
	config.CreateBatchSize = rows
	config.DisableAutomaticPing = idle > 0 // a server is asked once, by Open
	config.NowFunc = c.Now
	db, err := gorm.Open(dialector, &config)
	if err != nil {
		return nil, nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(countQueries(db), scanStraight(db)); err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxLifetime(10 * time.Minute)
	pool.SetConnMaxIdleTime(idle)
	return db, pool.Close, nil
}

// Now returns the time of the database's clock.
func (db *DB) Now() time.Time { return db.clock.Now() }

// Close closes all connections. A connection to MySQL that cannot be closed well is lost, and with it nothing: that is no
// error.
func (db *DB) Close() error {
	var errs []error
	for _, c := range db.close {
		if err := c(); db.dialect == dialectSQLite {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Ping fails if the database does not answer.
func (db *DB) Ping(ctx context.Context) error {
	return classify(db.with(ctx).Exec("SELECT 1").Error, "")
}
