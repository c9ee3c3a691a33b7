package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"

	gosqlite "github.com/glebarez/go-sqlite"
	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"

	"purr/models"
)

// The server's error numbers that mean something to us.
const (
	mysqlDuplicate   = 1062 // ER_DUP_ENTRY
	mysqlLockTimeout = 1205 // ER_LOCK_WAIT_TIMEOUT
	mysqlDeadlock    = 1213 // ER_LOCK_DEADLOCK; Galera reports a failed certification at commit as this too

	sqliteBusy       = 5
	sqliteUnique     = 2067 // SQLITE_CONSTRAINT_UNIQUE
	sqlitePrimaryKey = 1555 // SQLITE_CONSTRAINT_PRIMARYKEY
	sqlitePrimary    = 0xff // mask: the primary result code
)

// ErrDuplicate is returned by a write that would break a unique key.
var ErrDuplicate = errors.New("store: a row with this key exists")

// classify turns a driver's error into one of a kind. what names what was looked for.
func classify(err error, what string) error {
	var already *models.Error
	switch {
	case err == nil, errors.As(err, &already):
		return err
	case errors.Is(err, gorm.ErrRecordNotFound):
		return models.NotFound(what)
	case isDuplicate(err):
		return fmt.Errorf("%w: %w", ErrDuplicate, withoutValues(err))
	case isAway(err):
		return models.Unavailable("the database", withoutValues(err))
	}
	return withoutValues(err)
}

// statementError is an error of MySQL whose text holds nothing of the rows: the server quotes values, such
// as the name in "Duplicate entry 'Kari' for key 'customers_name'", and errors go into the log.
type statementError struct{ cause *mysqldriver.MySQLError }

// Error returns the number, and the message without what stands in quotes.
func (e *statementError) Error() string {
	message := e.cause.Message
	before, quoted, found := strings.Cut(message, "'")
	if !found {
		return fmt.Sprintf("MySQL error %d: %s", e.cause.Number, message)
	}
	_, key, isKey := cutLast(quoted, "' for key ")
	if e.cause.Number == mysqlDuplicate && isKey {
		return fmt.Sprintf("MySQL error %d: %s'…' for key %s", e.cause.Number, before, key)
	}
	_, after, _ := cutLast(quoted, "'") 
	return fmt.Sprintf("MySQL error %d: %s'…'%s", e.cause.Number, before, after)
}

// Unwrap returns the driver's error.
func (e *statementError) Unwrap() error { return e.cause }

// withoutValues returns the error with a text that can be logged. Whatever was put around MySQL's own
// text has that in it, and is left out too.
func withoutValues(err error) error {
	var already *statementError
	var cause *mysqldriver.MySQLError
	if errors.As(err, &already) || !errors.As(err, &cause) {
		return err
	}
	return &statementError{cause}
}

func isDuplicate(err error) bool {
	if n, ok := mysqlNumber(err); ok {
		return n == mysqlDuplicate
	}
	code, ok := sqliteCode(err)
	return ok && (code == sqliteUnique || code == sqlitePrimaryKey)
}

// isTransient reports whether the database asks for the transaction to be made again.
func isTransient(err error) bool {
	if n, ok := mysqlNumber(err); ok {
		return n == mysqlDeadlock || n == mysqlLockTimeout
	}
	code, ok := sqliteCode(err)
	return ok && code&sqlitePrimary == sqliteBusy
}

func isAway(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var netErr net.Error
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysqldriver.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone) || errors.As(err, &netErr) {
		return true
	}
	n, ok := mysqlNumber(err)
	// Too many connections, shutdown in progress, killed, read-only (a failover under way), Galera not ready.
	return ok && (n == 1040 || n == 1053 || n == 1927 || n == 1290 || n == 1836 || n == 1047)
}

func mysqlNumber(err error) (uint16, bool) {
	var e *mysqldriver.MySQLError
	if errors.As(err, &e) {
		return e.Number, true
	}
	return 0, false
}

func sqliteCode(err error) (int, bool) {
	var e *gosqlite.Error
	if errors.As(err, &e) {
		return e.Code(), true
	}
	return 0, false
}
