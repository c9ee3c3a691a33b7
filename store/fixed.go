package store

import (
	"context"
	"database/sql"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"

	"purr/models"
)

// fixed is a query that is asked at nearly every request, and whose text never changes. gorm would build it anew each time.
// On MySQL it is prepared once for each connection. Then MariaDB need not describe the columns again with each answer.
type fixed[T any] struct {
	parsed func() (text string, fields [][]int) // the place of each column in T
}

// selecting returns the query of the columns of T that goes on with the text, which begins with FROM.
func selecting[T any](from string) fixed[T] {
	return fixed[T]{sync.OnceValues(func() (string, [][]int) {
		parsed, err := schema.Parse(new(T), new(sync.Map), schema.NamingStrategy{})
		if err != nil {
			panic(err) // T is no struct of rows
		}
		fields := make([][]int, len(parsed.DBNames))
		for i, column := range parsed.DBNames {
			fields[i] = parsed.FieldsByDBName[column].StructField.Index
		}
		return "SELECT " + strings.Join(parsed.DBNames, ", ") + " " + from, fields
	})}
}

// each reads the rows that the query finds into row, one after the other, and calls do after each.
func (q fixed[T]) each(ctx context.Context, r reads, args []any, row *T, do func()) error {
	text, places := q.parsed()
	found, err := r.query(ctx, text, args)
	if err != nil {
		return classify(err, "")
	}
	fields := make([]any, len(places))
	for i, place := range places {
		fields[i] = reflect.ValueOf(row).Elem().FieldByIndex(place).Addr().Interface()
	}
	return eachOf(found, func(found *sql.Rows) error { *row = *new(T); return scanRow(r.db, found, fields, row) }, always(do))
}

// all returns all rows that the query finds.
func (q fixed[T]) all(ctx context.Context, r reads, args ...any) (rows []T, err error) {
	var row T
	err = q.each(ctx, r, args, &row, func() { rows = append(rows, row) })
	return rows, err
}

// one returns the row that the query finds, as readOne does.
func (q fixed[T]) one(ctx context.Context, r reads, what string, args ...any) (T, error) {
	row, found, err := q.first(ctx, r, args...)
	if err == nil && !found {
		err = models.NotFound(what)
	}
	return row, err
}

// first returns the row that the query finds, of which there is one at most, and false if there is none.
func (q fixed[T]) first(ctx context.Context, r reads, args ...any) (row T, found bool, err error) {
	err = q.each(ctx, r, args, &row, func() { found = true })
	return row, found, err
}

// query asks the database as gorm does, but for its callbacks.
func (r reads) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	countQuery(ctx)
	pool := r.conn()
	if statement := r.prepared.of(ctx, text); statement != nil { //nolint:sqlclosecheck // it stays prepared
		if tx, is := pool.(*sql.Tx); is {
			statement = tx.StmtContext(ctx, statement) //nolint:sqlclosecheck // the end of the transaction closes it
		}
		found, err := statement.QueryContext(ctx, args...)
		if n, is := mysqlNumber(err); !is || !slices.Contains(notPrepared, n) {
			return found, err
		}
	}
	return pool.QueryContext(ctx, text, args...)
}

// notPrepared are the errors of a server that cannot answer a prepared statement now, but the same text: it has no room for
// another one, a proxy has lost it, or the table's definition was forgotten too often.
var notPrepared = []uint16{mysqlNoRoomToPrepare, mysqlNotPrepared, mysqlPrepareAgain}

// prepared are the statements that a pool has prepared. A nil one prepares none.
type prepared struct {
	pool       *sql.DB
	statements sync.Map // *sql.Stmt by text
	preparing  sync.Mutex
}

// of returns the prepared statement with the text, nil if there is none now. Preparing takes a connection, while the caller
// may hold another. So only one caller at a time does it, and the others do not wait.
func (p *prepared) of(ctx context.Context, text string) *sql.Stmt {
	if p == nil {
		return nil
	}
	if s, known := p.statements.Load(text); known {
		return s.(*sql.Stmt) //nolint:errcheck // only statements are stored
	}
	if !p.preparing.TryLock() {
		return nil
	}
	defer p.preparing.Unlock()
	if s, known := p.statements.Load(text); known { // meanwhile
		return s.(*sql.Stmt) //nolint:errcheck // see above
	}
	s, err := p.pool.PrepareContext(ctx, text) //nolint:sqlclosecheck // it stays prepared
	if err != nil {
		return nil // asked as text, it will say what is wrong
	}
	p.statements.Store(text, s)
	return s
}
