package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"

	"purr/internal/clock"
)

// The connections to a MySQL server that one process takes, at most (rule D119). An SQLite file has nine.
const (
	// PartConnections are those of a part, where nothing else is set and the server has enough of them.
	PartConnections = 48
	// CommandConnections are those of a command.
	CommandConnections = 2
	// MigrationConnections are those of a migration: one holds its lock, one renews its lease on a cluster, and one migrates.
	MigrationConnections = 3
	// LeastConnections are the fewest with which a part works: none of its pools waits for itself.
	LeastConnections = 8
	// partShare is the part of the server's connections, in percent, that a part takes where nothing is set: two parts leave some for
	// the command line.
	partShare = 40
)

// Connections says how many connections to a MySQL server a process takes.
type Connections struct {
	Most    int  // 0 for PartConnections, or fewer if the server has few
	Command bool // it is a command, which takes CommandConnections, or Most
}

// growAgain is how long a part that a server has refused a connection takes fewer, before it tries to take more.
const growAgain = time.Minute

// pools are the pools of connections of one database, which share them.
type pools struct {
	wanted int                    // of all together
	most   int                    // of all together at present: fewer than wanted for a while, after the server had none left
	tokens chan struct{}          // one for each connection of a command; nil for a part, whose pools have a fixed share each
	server atomic.Pointer[Server] // that the first connection has met

	mu  sync.Mutex
	all []*sql.DB // writing, reading; the same for what is kept for the console; readiness; the first two for the patient; fewer for a command
}

// shares are the parts of the pools of a part in all connections: writing and reading of nearly all work, then of what is kept for
// the console, the one of readiness, then of statements that take long.
func shares(most int) [7]int {
	few := max(1, most/24)
	rest := most - 4*few - 1
	reading := max(2, rest*35/100) // writing waits for the disk, and commits that wait together cost one wait
	return [7]int{rest - reading, reading, few, few, 1, few, few}
}

// add takes a pool under the bound. Its place says which it is.
func (p *pools) add(pool *sql.DB) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, pool)
	p.share()
}

// set changes the bound.
func (p *pools) set(most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted, p.most = most, most
	p.share()
}

// share gives each pool its part. The caller holds the lock.
func (p *pools) share() {
	for i, pool := range p.all {
		n := p.most
		if p.tokens == nil {
			n = shares(p.most)[i]
		}
		pool.SetMaxOpenConns(n)
		pool.SetMaxIdleConns(n)
	}
}

// shrink takes fewer connections of a server that has refused one, for others must have some too. After growAgain it takes as many as
// before: who was refused once is not slow for ever.
func (p *pools) shrink() {
	p.mu.Lock()
	defer p.mu.Unlock()
	const step = 4
	if p.tokens != nil || p.most <= LeastConnections {
		return
	}
	if p.most == p.wanted {
		time.AfterFunc(growAgain, p.grow)
	}
	p.most = max(LeastConnections, p.most-step)
	p.share()
}

// grow takes as many connections as were wanted.
func (p *pools) grow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = p.wanted
	p.share()
}

// takeToken waits until a command may open a connection. It closes those of its own that are idle in another pool.
func (p *pools) takeToken(ctx context.Context) error {
	const again = 20 * time.Millisecond
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		select {
		case p.tokens <- struct{}{}:
			return nil
		default:
		}
		p.mu.Lock()
		for _, pool := range p.all {
			pool.SetMaxIdleConns(-1)
			pool.SetMaxIdleConns(p.most)
		}
		p.mu.Unlock()
		select {
		case p.tokens <- struct{}{}:
			return nil
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// asking opens connections, and asks again while the server says that it has too many, until the caller's time ends.
type asking struct {
	driver.Connector
	pools *pools
}

// Connect opens a connection.
func (a asking) Connect(ctx context.Context) (driver.Conn, error) {
	const again = 100 * time.Millisecond
	for {
		conn, err := a.Connector.Connect(ctx)
		if n, _ := mysqlNumber(err); err == nil || !slices.Contains(mysqlTooMany, n) {
			return conn, err
		}
		a.pools.shrink()
		if stopped := pause(ctx, again); stopped != nil {
			return nil, err
		}
	}
}

// bounded opens connections of a command, within the bound of all its pools.
type bounded struct {
	driver.Connector
	pools *pools
}

// Connect opens a connection, once the command may have one more.
func (b bounded) Connect(ctx context.Context) (driver.Conn, error) {
	if err := b.pools.takeToken(ctx); err != nil {
		return nil, err
	}
	conn, err := b.Connector.Connect(ctx)
	if err != nil {
		<-b.pools.tokens
		return nil, err
	}
	return &countedConn{mysqlConn: conn.(mysqlConn), end: sync.OnceFunc(func() { <-b.pools.tokens })}, nil //nolint:errcheck // the driver's connections are all of this
}

// mysqlConn is what the driver's connections are.
type mysqlConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// countedConn is a connection of a command.
type countedConn struct {
	mysqlConn
	end func()
}

// Close closes the connection, and lets another one be opened.
func (c *countedConn) Close() error {
	defer c.end()
	return c.mysqlConn.Close()
}

// Most returns how many connections the process takes at most, and how many the server gives, 0 if it sets no bound, as TiDB does where nobody
// told it: both 0 for an SQLite file.
func (db *DB) Most(ctx context.Context) (ours, servers int, err error) {
	if db.pools == nil {
		return 0, 0, nil
	}
	servers, err = scan[int](db.with(ctx).Raw(`SELECT CASE WHEN @@SESSION.max_user_connections > 0 AND @@SESSION.max_user_connections < @@GLOBAL.max_connections
		THEN @@SESSION.max_user_connections ELSE @@GLOBAL.max_connections END`))
	db.pools.mu.Lock()
	defer db.pools.mu.Unlock()
	return db.pools.wanted, servers, err
}

// fit takes fewer connections where nothing was set and the server has few.
func (db *DB) fit(ctx context.Context) error {
	_, servers, err := db.Most(ctx)
	if err != nil {
		return err
	}
	if most := max(LeastConnections, servers*partShare/100); servers > 0 && most < PartConnections {
		db.pools.set(most)
	}
	return nil
}

// openMySQL opens the pools of connections: two for nearly all work, two that are kept for the console, one for readiness, and two for
// statements that take long. Those of a command are the first two and the last two. Without returning, INSERT ... RETURNING is not used
// even where the server has it (see insertion).
func openMySQL(databaseURL string, c clock.Clock, returning bool, of Connections) (*DB, error) {
	cfg, err := mysqlConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	shared := &pools{wanted: of.Most}
	switch {
	case of.Command:
		shared.wanted = max(of.Most, CommandConnections)
		shared.tokens = make(chan struct{}, shared.wanted)
	case of.Most == 0:
		shared.wanted = PartConnections
	}
	shared.most = shared.wanted
	db, err := openPools(cfg, c, returning, false, shared)
	if err != nil {
		return nil, err
	}
	db.limit = txLimit
	patient := cfg.Clone()
	patient.ReadTimeout = patientLimit
	for _, further := range []struct {
		cfg      *mysqldriver.Config
		into     **DB
		is, lone bool
	}{{cfg, &db.pages, !of.Command, false}, {cfg, &db.ready, !of.Command, true}, {patient, &db.patient, true, false}} {
		if !further.is {
			continue
		}
		if *further.into, err = openPools(further.cfg, c, returning, further.lone, shared); err != nil {
			return nil, errors.Join(err, db.Close())
		}
		db.close = append(db.close, (*further.into).close...)
	}
	db.patient.guard = db.guard
	for _, part := range []*DB{db.pages, db.ready} {
		if part != nil {
			part.guard = db.guard
			part.limit, part.full, part.numbering, part.patient = txLimit, db.full, db.numbering, db.patient
		}
	}
	if db.pages != nil {
		db.pages.writer, db.pages.reads = withKept(db.writer, db.pages.writer), reads{db: withKept(db.db, db.pages.db)}
	}
	err = db.Ping(context.Background())
	if err == nil && of == (Connections{}) {
		err = db.fit(context.Background())
	}
	if err != nil {
		return nil, fmt.Errorf("open MySQL database %s on %s: %w", cfg.DBName, cfg.Addr, errors.Join(err, db.Close()))
	}
	return db, nil
}
