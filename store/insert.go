package store

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// insert writes new rows, a pointer to one or to a slice of them, and sets their IDs. If all of them have an ID, they keep it.
func (tx *Tx) insert(ctx context.Context, rows any) error { return tx.write(ctx, rows, true) }

// add writes new rows as insert does, but leaves their IDs undefined: nobody needs them, so the database need not tell them.
func (tx *Tx) add(ctx context.Context, rows any) error { return tx.write(ctx, rows, false) }

// insertIgnoring writes a row unless there is one with its key. It reports whether it wrote the row.
func (tx *Tx) insertIgnoring(ctx context.Context, row any) (bool, error) {
	err := tx.insert(ctx, row)
	if errors.Is(err, ErrDuplicate) {
		return false, nil
	}
	return err == nil, err
}

// insertOr writes new rows; on says what becomes of a row whose key is there.
func (tx *Tx) insertOr(ctx context.Context, rows any, on clause.OnConflict) error {
	return classify(tx.with(ctx).Clauses(on).Create(rows).Error, "")
}

func (tx *Tx) write(ctx context.Context, rows any, setIDs bool) error {
	all := structsOf(rows)
	if len(all) == 0 {
		return nil
	}
	t, err := tableOf(tx.db, rows)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, tx.db.CreateBatchSize) {
		in := insertion{tx, t, some}
		if setIDs && t.id != nil && !in.haveIDs() {
			err = in.andSetIDs(ctx)
		} else {
			_, err = in.exec(ctx)
		}
		if err != nil {
			return classify(err, "")
		}
	}
	return nil
}

// structsOf returns the structs behind a pointer to one, or to a slice of them or of pointers to them.
func structsOf(rows any) []reflect.Value {
	value := reflect.ValueOf(rows).Elem()
	if value.Kind() != reflect.Slice {
		return []reflect.Value{value}
	}
	all := make([]reflect.Value, value.Len())
	for i := range all {
		all[i] = reflect.Indirect(value.Index(i))
	}
	return all
}

// table is what insert and put must know of a type of row. gorm says it once. gorm's own Create asks anew each time, and builds each
// statement from clauses: that took half of the program's own time for an invoice.
type table struct {
	name, columns string          // the columns without the ID
	fields        []*schema.Field // of the columns
	id            *schema.Field   // nil if the database does not give IDs
	key, mutable  []*schema.Field // what put finds a row by, and what it writes
	put           string          // the statement that puts one row
}

// tables are those that were needed, by the type of the rows.
var tables sync.Map

func tableOf(g *gorm.DB, rows any) (table, error) {
	if known, is := tables.Load(reflect.TypeOf(rows)); is {
		return known.(table), nil //nolint:errcheck // nothing else is stored
	}
	parsed := gorm.Statement{DB: g}
	if err := parsed.Parse(rows); err != nil {
		return table{}, err
	}
	t := table{name: parsed.Schema.Table, key: parsed.Schema.PrimaryFields}
	if id := parsed.Schema.PrioritizedPrimaryField; id != nil && id.AutoIncrement {
		t.id = id
	}
	var columns []string
	for _, column := range parsed.Schema.DBNames {
		field := parsed.Schema.FieldsByDBName[column]
		if field != t.id {
			columns, t.fields = append(columns, column), append(t.fields, field)
		}
		if !field.PrimaryKey && column != "created_at" && !slices.Contains(unchanging[t.name], column) {
			t.mutable = append(t.mutable, field)
		}
	}
	t.columns = quoted(columns)
	t.put = "UPDATE `" + t.name + "` SET " + equals(t.mutable, ", ") + " WHERE " + equals(t.key, " AND ")
	tables.Store(reflect.TypeOf(rows), t)
	return t, nil
}

// insertion is an INSERT of some rows with one statement.
type insertion struct {
	tx    *Tx
	table table
	rows  []reflect.Value
}

func (in insertion) id(row int) reflect.Value {
	return in.rows[row].FieldByIndex(in.table.id.StructField.Index)
}

// haveIDs reports whether all rows have an ID.
func (in insertion) haveIDs() bool {
	for i := range in.rows {
		if in.id(i).IsZero() {
			return false
		}
	}
	return true
}

// statement returns the statement and its arguments.
func (in insertion) statement(ctx context.Context) (statement string, args []any) {
	columns, fields := in.table.columns, in.table.fields
	if in.table.id != nil && in.haveIDs() {
		columns, fields = columns+", `"+in.table.id.DBName+"`", append(slices.Clip(fields), in.table.id)
	}
	args = make([]any, 0, len(in.rows)*len(fields))
	for _, row := range in.rows {
		args = appendValues(ctx, args, fields, row)
	}
	places := "(?" + strings.Repeat(", ?", len(fields)-1) + ")"
	return "INSERT INTO `" + in.table.name + "` (" + columns + ") VALUES " + places + strings.Repeat(", "+places, len(in.rows)-1), args
}

// appendValues appends the values of the fields of a row.
func appendValues(ctx context.Context, to []any, fields []*schema.Field, row reflect.Value) []any {
	for _, field := range fields {
		value, _ := field.ValueOf(ctx, row)
		to = append(to, value)
	}
	return to
}

func (in insertion) exec(ctx context.Context) (sql.Result, error) {
	statement, args := in.statement(ctx)
	return in.tx.exec(ctx, statement, args)
}

// exec carries out a statement as gorm does, but for its callbacks.
func (tx *Tx) exec(ctx context.Context, statement string, args []any) (sql.Result, error) {
	countQuery(ctx)
	return tx.conn().ExecContext(ctx, statement, args...)
}

// andSetIDs inserts rows and sets their IDs. The answer to an INSERT tells the first ID.
//
// The IDs of one INSERT do not count up by one everywhere: a server of a cluster gives every third or so
// (auto_increment_increment), and the step changes when a server joins or leaves, even within a session. So an INSERT of
// several rows returns the IDs that it gave (MariaDB since 10.5, SQLite). MySQL cannot: see inSteps.
func (in insertion) andSetIDs(ctx context.Context) error {
	if len(in.rows) > 1 {
		if slices.Contains(in.tx.db.Callback().Create().Clauses, "RETURNING") {
			return in.returning(ctx)
		}
		return in.inSteps(ctx)
	}
	return in.from(ctx, 0)
}

// returning lets the INSERT return the IDs.
func (in insertion) returning(ctx context.Context) (err error) {
	countQuery(ctx)
	statement, args := in.statement(ctx)
	told, err := in.tx.db.Statement.ConnPool.QueryContext(ctx, statement+" RETURNING `"+in.table.id.DBName+"`", args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, told.Close()) }()
	for i := range in.rows {
		if !told.Next() {
			return errors.Join(errors.New("an INSERT returned too few rows"), told.Err())
		}
		if err := told.Scan(in.id(i).Addr().Interface()); err != nil {
			return err
		}
	}
	return told.Err()
}

// inSteps counts the IDs up from the first one. MySQL's manual promises ("AUTO_INCREMENT Handling in InnoDB") that an
// INSERT of a known number of rows gets IDs without gaps, in every lock mode and whoever else inserts: each is
// auto_increment_increment above the one before. If the increment is another one after the INSERT than before it, the
// transaction is repeated.
func (in insertion) inSteps(ctx context.Context) error {
	const ask = "SELECT @@SESSION.auto_increment_increment"
	before, err := scan[int64](in.tx.with(ctx).Raw(ask))
	if err != nil {
		return err
	}
	if err := in.from(ctx, before); err != nil {
		return err
	}
	after, err := scan[int64](in.tx.with(ctx).Raw(ask))
	if err == nil && before != after {
		err = &mysqldriver.MySQLError{Number: mysqlDeadlock, Message: "auto_increment_increment has changed"}
	}
	return err
}

// from inserts the rows and sets their IDs, each a step above the one before.
func (in insertion) from(ctx context.Context, step int64) error {
	result, err := in.exec(ctx)
	if err != nil {
		return err
	}
	first, err := result.LastInsertId()
	if err != nil {
		return err
	}
	for i := range in.rows {
		in.id(i).SetInt(first + int64(i)*step)
	}
	return nil
}
