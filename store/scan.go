package store

import (
	"database/sql"
	"reflect"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
)

// scanStraight has a pool scan what a query finds straight into the fields of its rows. gorm itself scans each value into a
// variable of its own and copies it from there, which takes longer than all else that the program does to read a row.
func scanStraight(db *gorm.DB) error {
	return db.Callback().Query().Replace("gorm:query", func(g *gorm.DB) {
		if g.Error != nil {
			return
		}
		callbacks.BuildQuerySQL(g)
		if g.DryRun || g.Error != nil {
			return
		}
		found, err := g.Statement.ConnPool.QueryContext(g.Statement.Context, g.Statement.SQL.String(), g.Statement.Vars...)
		if err != nil {
			_ = g.AddError(err)
			return
		}
		defer func() { _ = g.AddError(found.Close()) }()
		_ = g.AddError(scanRows(g, found))
	})
}

// scanRows fills the destination of the statement: a value, or a slice of values. A value is a struct, whose fields the columns
// name, or takes the only column. Without a slice it gets the last row.
func scanRows(g *gorm.DB, found *sql.Rows) error {
	into := g.Statement.ReflectValue
	row, many := into, into.Kind() == reflect.Slice
	if many {
		into.SetLen(0)
		row = reflect.New(into.Type().Elem()).Elem()
	}
	fields, err := fieldsOf(g, row, found)
	if err != nil {
		return err
	}
	for g.RowsAffected = 0; found.Next(); {
		row.SetZero()
		if err := scanRow(g, found, fields, row.Addr().Interface()); err != nil {
			return err
		}
		g.RowsAffected++
		if many {
			into.Grow(1)
			into.SetLen(int(g.RowsAffected))
			into.Index(into.Len() - 1).Set(row)
		}
	}
	if g.RowsAffected == 0 && g.Statement.RaiseErrorOnNotFound && found.Err() == nil {
		return gorm.ErrRecordNotFound
	}
	return found.Err()
}

// scanRow scans the present row into its fields. NULL leaves a field zero that cannot say that there is no value.
func scanRow(g *gorm.DB, found *sql.Rows, fields []any, row any) error {
	if found.Scan(fields...) == nil {
		return nil
	}
	return g.Session(&gorm.Session{NewDB: true}).ScanRows(found, row)
}

// fieldsOf returns where the columns of a row are scanned into.
func fieldsOf(g *gorm.DB, row reflect.Value, found *sql.Rows) ([]any, error) {
	if _, scans := row.Addr().Interface().(sql.Scanner); scans || row.Kind() != reflect.Struct || row.Type() == reflect.TypeFor[time.Time]() {
		return []any{row.Addr().Interface()}, nil
	}
	columns, err := found.Columns()
	if err != nil {
		return nil, err
	}
	parsed := gorm.Statement{DB: g}
	if err := parsed.Parse(row.Addr().Interface()); err != nil {
		return nil, err
	}
	fields := make([]any, len(columns))
	for i, column := range columns {
		if field := parsed.Schema.LookUpField(column); field != nil {
			fields[i] = field.ReflectValueOf(g.Statement.Context, row).Addr().Interface()
		} else {
			fields[i] = new(any)
		}
	}
	return fields, nil
}
