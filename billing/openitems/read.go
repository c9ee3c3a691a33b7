package openitems

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// batch is how many rows one transaction takes.
const batch = 500

// list reads the rows of a list.
type list struct {
	csv   *csv.Reader
	names []string // of the columns, in their order
}

// open begins to read a list: the mark of UTF-8, if any, and the names of the columns. They are divided by semicolons, commas or tabs.
func open(from io.Reader) (*list, []Fault, error) {
	in := bufio.NewReaderSize(from, 64<<10)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = in.Discard(3) // they are in the buffer
	}
	first, err := in.Peek(8 << 10)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, nil, fmt.Errorf("read the list: %w", err)
	}
	first, _, _ = bytes.Cut(first, []byte("\n"))
	l := &list{csv: csv.NewReader(in)}
	l.csv.FieldsPerRecord, l.csv.ReuseRecord, l.csv.Comma = -1, true, ';'
	for _, comma := range ",\t" {
		if strings.Count(string(first), string(comma)) > strings.Count(string(first), string(l.csv.Comma)) {
			l.csv.Comma = comma
		}
	}
	names, err := l.csv.Read()
	if errors.Is(err, io.EOF) {
		return l, []Fault{{Line: 1, Code: "empty", Msg: "the list is empty: its first row names the columns"}}, nil
	}
	if err != nil {
		if fault, is := syntax(err); is {
			return l, []Fault{fault}, nil
		}
		return nil, nil, fmt.Errorf("read the list: %w", err)
	}
	return l, l.name(names), nil
}

// name takes the names of the columns, and returns what is wrong with them.
func (l *list) name(names []string) (faults []Fault) {
	for i, name := range names {
		line, column := l.csv.FieldPos(i)
		name = strings.ToLower(models.OneLine(name))
		shown := models.Foreign(name, 40)
		switch {
		case !slices.Contains(Columns, name):
			faults = append(faults, Fault{line, column, shown, "unknown_column", "is no column of a list: purr adopt --template shows them"})
		case slices.Contains(l.names, name):
			faults = append(faults, Fault{line, column, shown, "repeated_column", "is there twice"})
		}
		l.names = append(l.names, name)
	}
	for _, name := range []string{"invoice_number", "balance"} {
		if !slices.Contains(l.names, name) {
			faults = append(faults, Fault{Line: 1, Name: name, Code: "missing_column", Msg: "is required"})
		}
	}
	return faults
}

// next returns the next row, and false at the end.
func (l *list) next() (*row, bool, error) {
	for {
		fields, err := l.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil, false, nil
		}
		if fault, is := syntax(err); is {
			return &row{line: fault.Line, faults: []Fault{fault}}, true, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("read the list: %w", err)
		}
		if strings.TrimSpace(strings.Join(fields, "")) == "" {
			continue
		}
		return l.row(fields), true, nil
	}
}

// row reads the fields of a row.
func (l *list) row(fields []string) *row {
	line, _ := l.csv.FieldPos(0)
	r := &row{line: line, has: make(map[string]bool, len(l.names)), places: make(map[string]int, len(l.names))}
	if n := len(fields); n > len(l.names) {
		_, column := l.csv.FieldPos(len(l.names))
		r.faults = append(r.faults, Fault{line, column, "", "too_many_fields", fmt.Sprintf("has %d fields, there are %d columns", n, len(l.names))})
		return r
	}
	values := make(map[string]string, len(l.names))
	for i, field := range fields {
		name := l.names[i]
		_, r.places[name] = l.csv.FieldPos(i)
		if !utf8.ValidString(field) {
			r.fault(name, "invalid_text", "is not UTF-8")
			continue
		}
		values[name] = models.OneLine(field)
	}
	r.read(values)
	return r
}

// syntax returns the fault that an error of the CSV reader is.
func syntax(err error) (Fault, bool) {
	wrong, is := errors.AsType[*csv.ParseError](err)
	if !is {
		return Fault{}, false
	}
	return Fault{Line: wrong.StartLine, Column: wrong.Column, Code: "invalid_csv", Msg: wrong.Err.Error()}, true
}

// each calls do with the rows, some at a time, until do fails.
func (l *list) each(ctx context.Context, do func(rows []*row) error) error {
	for more := true; more; {
		var rows []*row
		for len(rows) < batch {
			r, there, err := l.next()
			if err != nil {
				return err
			}
			if more = there; !there {
				break
			}
			rows = append(rows, r)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(rows) > 0 {
			if err := do(rows); err != nil {
				return err
			}
		}
	}
	return nil
}
