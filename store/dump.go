package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A dump is all rows of a database, as lines of JSON. An object begins a table; an array is a row of it. Both databases
// write and read the same form.

// dumpedTable is the line that begins a table.
type dumpedTable struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Kinds   []kind   `json:"kinds"`
}

// Dump writes all rows, as they are at one moment. It holds one row in memory.
func (v View) Dump(ctx context.Context, w io.Writer) error {
	tables, err := v.tables(ctx)
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, t := range tables {
		names, as, err := v.columns(ctx, t)
		if err != nil {
			return err
		}
		if err := out.Encode(dumpedTable{t, names, as}); err != nil {
			return err
		}
		row := make([]any, len(names))
		err = v.eachOfTable(ctx, t, names, func(values []any) (err error) {
			for i, value := range values {
				if row[i], err = dumped(as[i], value); err != nil {
					return fmt.Errorf("%s.%s: %w", t, names[i], err)
				}
			}
			return out.Encode(row)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dumped returns a driver's value as JSON shows it: null, a number or a text.
func dumped(k kind, value any) (any, error) {
	if text, is := value.([]byte); is && k != kindBytes {
		value = string(text)
	}
	switch v := value.(type) {
	case nil:
		return nil, nil //nolint:nilnil // NULL
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case int64:
		if k == kindInt {
			return v, nil
		}
		return strconv.FormatInt(v, 10), nil
	case []byte:
		return base64.StdEncoding.EncodeToString(v), nil
	case time.Time:
		if k == kindDate {
			return v.Format(time.DateOnly), nil
		}
		return v.UTC().Format(time.RFC3339Nano), nil
	case string:
		switch k {
		case kindInt:
			return strconv.ParseInt(v, 10, 64)
		case kindBytes:
			return base64.StdEncoding.EncodeToString([]byte(v)), nil
		case kindText, kindDate:
			return v, nil
		case kindTime:
		}
	}
	return nil, fmt.Errorf("a value of the type %T is no %s", value, k)
}

// Load fills an empty database, whose schema is of the dump's version, with the rows of a dump. It holds a few hundred
// rows in memory.
func (db *DB) Load(ctx context.Context, r io.Reader) error {
	in := json.NewDecoder(r)
	in.UseNumber()
	l := loader{db: db}
	for {
		var line json.RawMessage
		err := in.Decode(&line)
		if errors.Is(err, io.EOF) {
			return l.flush(ctx)
		}
		if err != nil {
			return fmt.Errorf("read the dump: %w", err)
		}
		if err := l.take(ctx, line); err != nil {
			return err
		}
	}
}

// loader writes the rows of one table after the other.
type loader struct {
	db    *DB
	table dumpedTable
	as    []kind // of the columns in this database
	rows  [][]any
	size  int // of the rows in bytes, about
}

// The bounds of what is written at once.
const (
	loadRows  = 500
	loadBytes = 1 << 20
)

// take reads a line.
func (l *loader) take(ctx context.Context, line json.RawMessage) error {
	if line[0] == '{' {
		if err := l.flush(ctx); err != nil {
			return err
		}
		l.table = dumpedTable{}
		if err := json.Unmarshal(line, &l.table); err != nil {
			return fmt.Errorf("read the dump: %w", err)
		}
		return l.begin(ctx)
	}
	var row []any
	numbers := json.NewDecoder(bytes.NewReader(line))
	numbers.UseNumber()
	if err := numbers.Decode(&row); err != nil || len(row) != len(l.table.Columns) {
		return errors.Join(fmt.Errorf("read the dump: a row of %s has %d of %d columns", l.table.Table, len(row), len(l.table.Columns)), err)
	}
	for i, value := range row {
		loaded, err := loaded(l.table.Kinds[i], l.as[i], value)
		if err != nil {
			return fmt.Errorf("read the dump: %s.%s: %w", l.table.Table, l.table.Columns[i], err)
		}
		row[i] = loaded
	}
	l.rows, l.size = append(l.rows, row), l.size+len(line)
	if len(l.rows) == loadRows || l.size > loadBytes {
		return l.flush(ctx)
	}
	return nil
}

// begin compares the columns of a table with those of this database. Names of columns come from this database alone.
func (l *loader) begin(ctx context.Context) error {
	tables, err := l.db.tables(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(tables, l.table.Table) || len(l.table.Columns) != len(l.table.Kinds) {
		return fmt.Errorf("read the dump: there is no table %q", l.table.Table)
	}
	names, as, err := l.db.columns(ctx, l.table.Table)
	if err != nil {
		return err
	}
	l.as = nil
	for _, c := range l.table.Columns {
		i := slices.Index(names, c)
		if i < 0 {
			return fmt.Errorf("read the dump: there is no column %q in %s", c, l.table.Table)
		}
		l.as = append(l.as, as[i])
	}
	return nil
}

// flush writes the rows that were read.
func (l *loader) flush(ctx context.Context) error {
	if len(l.rows) == 0 {
		return nil
	}
	atOnce := loadRows
	if l.db.IsSQLite() {
		atOnce = 20 // see openSQLite
	}
	insert := "INSERT"
	if l.table.Table == "settings" {
		insert = "REPLACE" // a hold may be there already
	}
	place := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(l.table.Columns)), ", ") + ")"
	err := l.db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		for rows := range slices.Chunk(l.rows, atOnce) {
			statement := insert + " INTO `" + l.table.Table + "` (" + quoted(l.table.Columns) + ") VALUES " + place + strings.Repeat(", "+place, len(rows)-1)
			if err := tx.with(ctx).Exec(statement, slices.Concat(rows...)...).Error; err != nil {
				return fmt.Errorf("load %s: %w", l.table.Table, classify(err, ""))
			}
		}
		return nil
	})
	l.rows, l.size = l.rows[:0], 0
	return err
}

// loaded returns a dump's value, of the kind from, as the driver takes it for a column of the kind to. The databases
// differ in which texts they keep as bytes.
func loaded(from, to kind, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil //nolint:nilnil // NULL
	case json.Number:
		return v.Int64()
	case string:
		switch from {
		case kindTime:
			return time.Parse(time.RFC3339Nano, v)
		case kindBytes:
			raw, err := base64.StdEncoding.DecodeString(v)
			if to == kindText {
				return string(raw), err
			}
			return raw, err
		case kindText, kindDate, kindInt:
			if to == kindBytes {
				return []byte(v), nil
			}
			return v, nil
		}
	}
	return nil, fmt.Errorf("a value of the type %T is no %s", value, from)
}
