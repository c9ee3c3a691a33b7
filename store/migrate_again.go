package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"time"
)

// A change of a table waits until nobody uses the table, and all that come after it wait for the change. So it gives up soon, and tries again
// when those have gone on (rule K3).
const (
	waitForTable  = "SET SESSION lock_wait_timeout = 1" // seconds
	tryTableAgain = time.Second
)

// madeBefore are ER_TABLE_EXISTS_ERROR, ER_BAD_TABLE_ERROR, ER_DUP_FIELDNAME, ER_DUP_KEYNAME and ER_CANT_DROP_FIELD_OR_KEY.
var madeBefore = []uint16{1050, 1051, 1060, 1061, 1091}

// poolOfMigrations returns a pool for migrations that may have been cut off. A server has made each statement whole or not at all, and tells
// of one that it is asked a second time, which is no error.
func poolOfMigrations(dial driver.Connector) *sql.DB {
	pool := sql.OpenDB(again{dial})
	pool.SetMaxIdleConns(-1) // a process of few connections needs them elsewhere
	return pool
}

// again opens connections for migrations.
type again struct{ driver.Connector }

// Connect opens a connection.
func (a again) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := a.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := againConn{conn.(mysqlConn)} //nolint:errcheck // the driver's connections are all of this
	if _, err := c.ExecContext(ctx, waitForTable, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return c, nil
}

type againConn struct{ mysqlConn }

// ExecContext carries out a statement. What it would make was made, or what it would take away is gone: that is well.
func (c againConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.mysqlConn.ExecContext(ctx, query, args)
	if n, _ := mysqlNumber(err); slices.Contains(madeBefore, n) {
		return driver.RowsAffected(0), nil
	}
	return result, err
}
