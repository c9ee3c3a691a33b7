package bench

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit"
)

// Database is a database with the program's tables.
type Database struct {
	Store *store.DB
	Bare  *sql.DB // as durable, with nothing of the program between
	Rows  int     // how many rows a statement inserts fastest
	lite  bool    // it is SQLite
}

// EachDatabase runs the benchmark on SQLite and on MySQL (or MariaDB), as the sub-benchmarks "sqlite"
// and "mysql".
func EachDatabase(b *testing.B, run func(b *testing.B, db Database)) {
	b.Run("sqlite", func(b *testing.B) { run(b, SQLite(b)) })
	b.Run("mysql", func(b *testing.B) { run(b, MySQL(b)) })
}

// SQLite returns a new SQLite database.
func SQLite(b *testing.B) Database {
	b.Helper()
	databaseURL := testkit.SQLite(b)
	s := migrated(b, databaseURL)
	bare, err := sql.Open("sqlite", strings.TrimPrefix(databaseURL, "sqlite://")+
		"?_txlock=immediate&_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"+
		"&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		b.Fatal(err)
	}
	bare.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = bare.Close() })
	return Database{s, bare, 20, true}
}

// MySQL returns a new MySQL (or MariaDB) database.
func MySQL(b *testing.B) Database {
	b.Helper()
	databaseURL := testkit.MySQL(b)
	s := migrated(b, databaseURL)
	bare := openMySQL(b, databaseURL)
	b.Cleanup(func() { _ = bare.Close() })
	return Database{s, bare, 1000, false}
}

func migrated(b *testing.B, databaseURL string) *store.DB {
	b.Helper()
	db, err := store.Open(databaseURL, clock.System{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if _, err := db.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	return db
}

// openMySQL writes the values into the statements, so that each takes one round trip: the fastest way
// to say something once.
func openMySQL(b *testing.B, databaseURL string) *sql.DB {
	b.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		b.Fatal(err)
	}
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.DBName, cfg.User = "tcp", u.Host, strings.Trim(u.Path, "/"), u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.ParseTime, cfg.InterpolateParams = true, true
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		b.Fatal(err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(64)
	db.SetMaxIdleConns(64)
	return db
}
