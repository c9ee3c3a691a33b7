package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	"modernc.org/sqlite"

	"purr/models"
)

// The error numbers of the databases that the store acts on.
const (
	mysqlDuplicate   = 1062 // ER_DUP_ENTRY
	mysqlLockTimeout = 1205 // ER_LOCK_WAIT_TIMEOUT
	mysqlNoWait      = 3572 // ER_LOCK_NOWAIT; MariaDB says ER_LOCK_WAIT_TIMEOUT
	mysqlDeadlock    = 1213 // ER_LOCK_DEADLOCK; Galera reports a failed certification at commit as this too
	mysqlRolledBack  = 3101 // ER_TRANSACTION_ROLLBACK_DURING_COMMIT: a failed certification in Group Replication
	mysqlUnknown     = 1193 // ER_UNKNOWN_SYSTEM_VARIABLE
	mysqlNoTable     = 1146 // ER_NO_SUCH_TABLE

	mysqlNotPrepared     = 1243 // ER_UNKNOWN_STMT_HANDLER
	mysqlNoRoomToPrepare = 1461 // ER_MAX_PREPARED_STMT_COUNT_REACHED
	mysqlPrepareAgain    = 1615 // ER_NEED_REPREPARE

	sqliteBusy       = 5
	sqliteFails      = 10 // SQLITE_IOERR
	sqliteFull       = 13
	sqliteUnique     = 2067 // SQLITE_CONSTRAINT_UNIQUE
	sqlitePrimaryKey = 1555 // SQLITE_CONSTRAINT_PRIMARYKEY
	sqlitePrimary    = 0xff // mask: the primary result code
)

// ErrDuplicate is returned by a write that would break a unique key.
var ErrDuplicate = errors.New("store: a row with this key exists")

// classify gives a driver's error a kind. what names the thing that the query looked for.
func classify(err error, what string) error {
	var already *models.Error
	switch {
	case err == nil, errors.As(err, &already), errors.Is(err, ErrDuplicate):
		return err
	case errors.Is(err, gorm.ErrRecordNotFound):
		return models.NotFound(what)
	case isDuplicate(err):
		return fmt.Errorf("%w: %w", ErrDuplicate, withoutValues(err))
	case errors.As(err, new(GateError)): // soon another process answers
		return models.Unavailable("the database", err)
	case isAway(err), isTransient(err): // a read is not repeated here, but its caller may do so
		return models.Unavailable("the database", withoutValues(err))
	}
	return withoutValues(err)
}

// serverError is an error of MySQL whose text can be logged. The server's own text quotes values, such as the name in
// "Duplicate entry 'Kari' for key 'customers.name'", or a part of a statement.
type serverError struct{ cause *mysqldriver.MySQLError }

// lastKey matches the name of a key at the end of a message, after the value.
var lastKey = regexp.MustCompile(`' for key '[\w.]+'$`)

// Error returns the number and the message. It leaves out what is in quotes, except the name of a key.
func (e *serverError) Error() string {
	text, rest := e.cause.Message, "'"
	first, last := strings.IndexByte(text, '\''), strings.LastIndexByte(text, '\'')
	switch key := lastKey.FindString(text); {
	case first < 0:
		return fmt.Sprintf("MySQL error %d: %s", e.cause.Number, text)
	case e.cause.Number == mysqlDuplicate && key != "":
		rest = key
	case e.cause.Number != mysqlDuplicate && last > first:
		rest = text[last:]
	}
	return fmt.Sprintf("MySQL error %d: %s'…%s", e.cause.Number, text[:first], rest)
}

// Unwrap returns the driver's error.
func (e *serverError) Unwrap() error { return e.cause }

// withoutValues returns the error with a text that can be logged. It drops errors that wrap MySQL's error, because
// they repeat its text.
func withoutValues(err error) error {
	var already *serverError
	var cause *mysqldriver.MySQLError
	if errors.As(err, &already) || !errors.As(err, &cause) {
		return err
	}
	return &serverError{cause}
}

func isDuplicate(err error) bool {
	if n, ok := mysqlNumber(err); ok {
		return n == mysqlDuplicate
	}
	code, ok := sqliteCode(err)
	return ok && (code == sqliteUnique || code == sqlitePrimaryKey)
}

// isTransient reports whether the database asks for the transaction to be repeated.
func isTransient(err error) bool {
	if n, ok := mysqlNumber(err); ok {
		return n == mysqlDeadlock || n == mysqlLockTimeout || n == mysqlRolledBack || repeatsOnTiDB(err)
	}
	code, ok := sqliteCode(err)
	return ok && code&sqlitePrimary == sqliteBusy
}

// isLocked reports whether another transaction holds a lock for which the query did not wait.
func isLocked(err error) bool {
	n, ok := mysqlNumber(err)
	return ok && (n == mysqlNoWait || n == mysqlLockTimeout)
}

// isAway reports whether the database does not answer, or cannot do its work now: trying again later helps.
func isAway(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var netErr net.Error
	if isLost(err) || errors.As(err, &netErr) {
		return true
	}
	if isFull(err) {
		return true
	}
	if code, ok := sqliteCode(err); ok {
		return slices.Contains(sqliteAway, code&sqlitePrimary)
	}
	n, ok := mysqlNumber(err)
	return ok && (slices.Contains(mysqlAway, n) || slices.Contains(tidbAway, n))
}

// isLost reports whether the connection was lost, and with it the transaction.
func isLost(err error) bool {
	n, _ := mysqlNumber(err)
	const killed = 1927 // MariaDB's ER_CONNECTION_KILLED
	return n == killed || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysqldriver.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone)
}

// isFull reports whether the disk of the database is full or read-only, or fails.
func isFull(err error) bool {
	if code, ok := sqliteCode(err); ok {
		return code&sqlitePrimary == sqliteFull || code&sqlitePrimary == sqliteFails
	}
	n, ok := mysqlNumber(err)
	return ok && slices.Contains(mysqlFull, n)
}

// systemError matches the error of the server's system in a message of MySQL: (Errcode: 28 "No space left on device"), or Got error 30.
var systemError = regexp.MustCompile(`(?:Errcode: |Got error )(\d{1,3})\b`)

// serverErrno returns the error of the system that a server of MySQL repeats, nil if it repeats none. That a table is full it says
// by numbers of its own; from 120 on the numbers are its storage engine's.
func serverErrno(err error) error {
	var e *mysqldriver.MySQLError
	if !errors.As(err, &e) {
		return nil
	}
	if e.Number == mysqlDiskFull || e.Number == mysqlTableFull {
		return syscall.ENOSPC
	}
	const engines = 120
	if found := systemError.FindStringSubmatch(e.Message); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil && n < engines {
			return syscall.Errno(n)
		}
	}
	return nil
}

const (
	mysqlDiskFull  = 1021 // ER_DISK_FULL
	mysqlTableFull = 1114 // ER_RECORD_FILE_FULL
)

var (
	// mysqlFull are EE_WRITE, ER_DISK_FULL, ER_ERROR_ON_WRITE, ER_GET_ERRNO and ER_RECORD_FILE_FULL.
	mysqlFull = []uint16{3, mysqlDiskFull, 1026, 1030, mysqlTableFull}
	// mysqlTooMany are ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS and ER_USER_LIMIT_REACHED.
	mysqlTooMany = []uint16{1040, 1203, 1226}
	// mysqlAway are the errors of a MySQL server that helps nobody now.
	mysqlAway = []uint16{
		1040, 1203, 1226, 1053, 1317, 4031, // too many connections, of the user too; shutdown in progress; killed; silent for too long
		1290, 1836, 1047, 1180, // read-only (a fail-over under way); a node of Galera that is not ready, or was cut off while it committed
		mysqlLockTimeout, mysqlDeadlock, // also of a read that waits for a migration
	}
	// sqliteAway are the primary codes of a file that another program locks, that is read-only, or cannot be opened.
	sqliteAway = []int{sqliteBusy, 8, 14, 15} // SQLITE_READONLY, CANTOPEN, PROTOCOL
)

func mysqlNumber(err error) (uint16, bool) {
	var e *mysqldriver.MySQLError
	if errors.As(err, &e) {
		return e.Number, true
	}
	return 0, false
}

func sqliteCode(err error) (int, bool) {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code(), true
	}
	return 0, false
}
