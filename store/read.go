package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"gorm.io/gorm"
)

// reads are the queries that a DB, a View and a Tx share.
type reads struct {
	db       *gorm.DB
	view     *sql.Tx   // the transaction of a View, of which db does not know; nil elsewhere
	prepared *prepared // nil where nothing is prepared: on SQLite, which would not gain, and in writing transactions
}

func (r reads) with(ctx context.Context) *gorm.DB {
	g := r.db.WithContext(ctx)
	g.Statement.ConnPool = r.conn()
	return g
}

// conn returns what is asked: the transaction, or a pool outside of one.
func (r reads) conn() gorm.ConnPool {
	if r.view != nil {
		return r.view
	}
	return r.db.Statement.ConnPool
}

// Queries counts the statements that the database is asked under a context. The begin and end of a transaction are none.
type Queries struct{ n atomic.Int64 }

// Count returns how many there were so far.
func (q *Queries) Count() int64 { return q.n.Load() }

type queriesKey struct{}

// Counting returns a context under which q counts.
func (q *Queries) Counting(ctx context.Context) context.Context {
	return context.WithValue(ctx, queriesKey{}, q)
}

// countQuery counts a statement.
func countQuery(ctx context.Context) {
	if q, is := ctx.Value(queriesKey{}).(*Queries); is {
		q.n.Add(1)
	}
}

// countQueries has a pool count the statements that gorm builds.
func countQueries(db *gorm.DB) error {
	count := func(g *gorm.DB) {
		if !g.DryRun { // a dry run builds what is part of another
			countQuery(g.Statement.Context)
		}
	}
	on, name := db.Callback(), "purr:count_queries"
	return errors.Join(
		on.Query().Register(name, count), on.Row().Register(name, count), on.Raw().Register(name, count),
		on.Create().Register(name, count), on.Update().Register(name, count), on.Delete().Register(name, count),
	)
}

// readOne returns the row that the query finds. If it finds none, readOne fails with models.KindNotFound and names
// what was sought.
func readOne[T any](g *gorm.DB, what string) (T, error) {
	var row T
	err := g.Take(&row).Error
	return row, classify(err, what)
}

// readFirst returns the first row that the query finds, and false if there is none.
func readFirst[T any](g *gorm.DB) (T, bool, error) {
	var none T
	rows, err := readAll[T](g.Limit(1))
	if err != nil || len(rows) == 0 {
		return none, false, err
	}
	return rows[0], true, nil
}

// readAll returns all rows that the query finds.
func readAll[T any](g *gorm.DB) ([]T, error) {
	var rows []T
	err := g.Find(&rows).Error
	return rows, classify(err, "")
}

// readBy returns all rows that the query finds, by key. Of rows with the same key it returns the last.
func readBy[K comparable, T any](g *gorm.DB, key func(T) K) (map[K]T, error) {
	rows, err := readAll[T](g)
	if err != nil {
		return nil, err
	}
	found := make(map[K]T, len(rows))
	for _, row := range rows {
		found[key(row)] = row
	}
	return found, nil
}

// readGroups returns all rows that the query finds in groups, by key. Each group has its rows in the query's order.
func readGroups[K comparable, T any](g *gorm.DB, key func(T) K) (map[K][]T, error) {
	rows, err := readAll[T](g)
	if err != nil {
		return nil, err
	}
	return groupBy(rows, key), nil
}

func groupBy[K comparable, T any](rows []T, key func(T) K) map[K][]T {
	groups := map[K][]T{}
	for _, row := range rows {
		groups[key(row)] = append(groups[key(row)], row)
	}
	return groups
}

// unionAll joins queries to one. Those with a limit or an order of their own must stand apart.
const unionAll = " UNION ALL "

// apart returns a query that keeps its limit and its order among others.
func apart(d dialect, query string) string {
	if d == dialectSQLite { // which knows no such brackets; MySQL would fill a table for each of the others
		return "SELECT * FROM (" + query + ") AS each_one"
	}
	return "(" + query + ")"
}

// limited returns a query with a limit. As a parameter it would have SQLite parse the query again each time (see writeLimit).
func limited(query string, limit int) string { return query + " LIMIT " + strconv.Itoa(limit) }

// mostSelects is how many SELECTs one statement joins: SQLite allows 500.
const mostSelects = 500

// forEach returns what the query finds for each of the values, in the order of the values. args returns the query's
// arguments for a value. One statement asks for many values, so that each keeps a limit of its own.
func forEach[T, V any](g *gorm.DB, query string, values []V, args func(V) []any) (found []T, err error) {
	for some := range slices.Chunk(values, mostSelects) {
		var all []any
		for _, value := range some {
			all = append(all, args(value)...)
		}
		one := apart(dialect(g.Name()), query)
		rows, err := scan[[]T](g.Raw(one+strings.Repeat(unionAll+one, len(some)-1), all...))
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
	}
	return found, nil
}

// idsOf returns the IDs of the rows that the query finds.
func idsOf(g *gorm.DB) ([]int64, error) { return scan[[]int64](g.Select("id")) }

// count returns how many rows the query finds.
func count(g *gorm.DB) (n int64, err error) {
	err = g.Count(&n).Error
	return n, classify(err, "")
}

// exists reports whether the query finds a row.
func exists(g *gorm.DB) (bool, error) {
	found, err := scan[[]int](g.Select("1").Limit(1))
	if err != nil {
		return false, err
	}
	return len(found) > 0, nil
}

// eachRow reads the query's columns into the variables, row by row, and calls do after each. It is for reads of very many rows,
// which gorm takes several times as long for.
func eachRow(g *gorm.DB, do func(), into ...any) error { return eachUntil(g, always(do), into...) }

// eachUntil does what eachRow does until do fails.
func eachUntil(g *gorm.DB, do func() error, into ...any) error {
	rows, err := g.Rows()
	if err != nil {
		return classify(err, "")
	}
	return eachOf(rows, func(row *sql.Rows) error { return row.Scan(into...) }, do)
}

// eachAs calls do with each row that the query finds until do fails. It is for lists that are too long to be held.
func eachAs[T any](g *gorm.DB, do func(T) error) error {
	rows, err := g.Rows()
	if err != nil {
		return classify(err, "")
	}
	var value T
	return eachOf(rows, func(row *sql.Rows) error { value = *new(T); return g.ScanRows(row, &value) }, func() error { return do(value) })
}

// each does what eachRow does, with a query of a constant text.
func (r reads) each(ctx context.Context, text string, args []any, do func(), into ...any) error {
	rows, err := r.query(ctx, text, args)
	if err != nil {
		return classify(err, "")
	}
	return eachOf(rows, func(row *sql.Rows) error { return row.Scan(into...) }, always(do))
}

// eachOf scans each of the rows, calls do after each, and closes them.
func eachOf(rows *sql.Rows, scan func(*sql.Rows) error, do func() error) (err error) {
	defer func() {
		if closing := rows.Close(); err == nil {
			err = classify(closing, "")
		}
	}()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return classify(err, "")
		}
		if err := do(); err != nil {
			return err
		}
	}
	return classify(rows.Err(), "")
}

// always returns do as what never fails.
func always(do func()) func() error { return func() error { do(); return nil } }

// scan returns the value that the query computes: a number, a struct, or a slice of these.
func scan[T any](g *gorm.DB) (T, error) {
	var value T
	err := g.Find(&value).Error
	return value, classify(err, "")
}
