package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	mysqldriver "github.com/go-sql-driver/mysql"
)

// TiDB is a distributed database that speaks MySQL's language (rule K8): its rows lie in ranges on as many machines as they need. The statements
// are those of MySQL. What else differs is here, and in its first migration.

// Server says which database it is.
type Server struct {
	Kind    string // sqlite, mysql (MariaDB too) or tidb
	Version string // as it tells it itself
}

// Server returns which database it is.
func (db *DB) Server(ctx context.Context) (s Server, err error) {
	s.Kind = string(db.dialect)
	if db.dialect == dialectSQLite {
		s.Version, err = scan[string](db.with(ctx).Raw("SELECT sqlite_version()"))
	} else {
		s.Version = db.pools.server.Load().Version
	}
	return s, err
}

func (s Server) dialect() dialect { return dialect(s.Kind) }

// meet returns which server a session has met. It is asked once for all sessions.
func (s session) meet(ctx context.Context, conn driver.Conn) (Server, error) {
	if known := s.server.Load(); known != nil {
		return *known, nil
	}
	value, err := askOne(ctx, conn, "SELECT VERSION()")
	if err != nil {
		return Server{}, err
	}
	met := Server{Kind: string(dialectMySQL), Version: asText(value)}
	if strings.Contains(met.Version, "-TiDB-") {
		met.Kind = string(dialectTiDB)
	}
	s.server.Store(&met)
	return met, nil
}

// readOnly ends the statement after which a session refuses to write.
const readOnly = ", READ ONLY"

// takes returns a statement that begins a session as the server takes it. TiDB has no sessions that refuse to write: what reads there is kept
// from writing by the program alone, whose writes are methods of Tx.
func (s Server) takes(statement string) string {
	if s.dialect() == dialectTiDB {
		return strings.TrimSuffix(statement, readOnly)
	}
	return statement
}

// serverTime is the time by the server's clock, as SQL. The servers of TiDB have a clock each, and one that they share: that of the timestamps of
// their transactions. In a transaction of TiDB it is when that began. Other servers do not read the comment.
const serverTime = "COALESCE(/*T! TIDB_PARSE_TSO(@@tidb_current_ts), */ UTC_TIMESTAMP(6))"

// askTime asks for the time by the server's clock.
func (s Server) askTime(ctx context.Context, conn driver.Conn) (value driver.Value, err error) {
	if s.dialect() == dialectTiDB { // which has a timestamp in a transaction alone
		tx, err := conn.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{}) //nolint:errcheck // the driver's connections are ConnBeginTxs
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, tx.Rollback()) }()
	}
	return askOne(ctx, conn, "SELECT "+serverTime)
}

// askOne asks a new connection for one value.
func askOne(ctx context.Context, conn driver.Conn, query string) (driver.Value, error) {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, query, nil) //nolint:errcheck // the driver's connections are QueryerContexts
	if err != nil {
		return nil, err
	}
	value := make([]driver.Value, 1)
	err = errors.Join(rows.Next(value), rows.Close())
	return value[0], err
}

// The errors of TiDB that the store acts on. Their numbers are no other server's.
var (
	// tidbRepeats are ErrForUpdateCantRetry, ErrTxnRetryable, ErrInfoSchemaChanged, ErrLockExpire and ErrWriteConflict.
	tidbRepeats = []uint16{8002, 8022, 8028, 8229, 9007}
	// tidbAway are ErrInfoSchemaExpired (it has lost its storage), and those of time-outs and of servers of its storage that are busy or away.
	tidbAway = []uint16{8027, 9001, 9002, 9003, 9004, 9005, 9008, 9011}
)

// tidbOther is the number of errors of TiDB that have none of their own. Texts tell those apart after which the transaction is to be repeated.
const tidbOther = 1105

var tidbOtherRepeats = []string{"Information schema is changed", "pessimistic lock retry limit reached"}

// repeatsOnTiDB reports whether TiDB asks for the transaction to be repeated: one that has met another, or a change of the schema.
func repeatsOnTiDB(err error) bool {
	var e *mysqldriver.MySQLError
	if !errors.As(err, &e) {
		return false
	}
	says := func(text string) bool { return strings.Contains(e.Message, text) }
	return slices.Contains(tidbRepeats, e.Number) || e.Number == tidbOther && slices.ContainsFunc(tidbOtherRepeats, says)
}

// firstOnTiDB is the number of the migration that makes the whole schema on TiDB. No installation there is older.
const firstOnTiDB = 82

// onTiDB returns the files of a folder's migrations for TiDB: MySQL's after the first of its own. Where its own folder has the number, its own file.
func onTiDB(folder string, own, mysqls []string) []string {
	for _, file := range mysqls {
		is := func(other string) bool { return numberOf(other) == numberOf(file) }
		if (folder == finish || numberOf(file) > firstOnTiDB) && !slices.ContainsFunc(own, is) {
			own = append(own, file)
		}
	}
	slices.SortFunc(own, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	return own
}

// files are migrations that lie in several folders, as one folder.
type files []string

// Open opens a file.
func (f files) Open(name string) (fs.File, error) {
	for _, file := range f {
		if path.Base(file) == name {
			return migrations.Open(file)
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Glob returns the names that match.
func (f files) Glob(pattern string) (names []string, err error) {
	for _, file := range f {
		if is, err := path.Match(pattern, path.Base(file)); err != nil {
			return nil, err
		} else if is {
			names = append(names, path.Base(file))
		}
	}
	return names, nil
}
