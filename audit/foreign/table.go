package foreign

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// table reads the rows of one file, and keeps what is wrong with them.
type table struct {
	file   string
	faults *Faults
	header header
	row    []string
	line   int
	taken  bool // nothing is wrong with the row so far
}

// readTable calls do for each row below the first one. It returns how many there were, and the SHA-256 of the file's bytes. A file may begin with a
// byte order mark, of UTF-8 or UTF-16. Its separator is the semicolon if its first line has one, else the comma. The error is of reading alone: what is wrong with the
// content is among the faults.
func readTable(in io.Reader, file string, columns []Column, faults *Faults, do func(t *table)) (rows int, sum string, err error) {
	raw := newCounted(in)
	text := bufio.NewReaderSize(transform.NewReader(raw, unicode.BOMOverride(transform.Nop)), 64<<10)
	r := csv.NewReader(text)
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	first, err := text.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) && len(first) == 0 {
		return 0, "", notRead(faults, file, err)
	}
	if line, _, _ := bytes.Cut(first, []byte("\n")); bytes.IndexByte(line, ';') >= 0 {
		r.Comma = ';'
	}
	t := &table{file: file, faults: faults}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, "", notRead(faults, file, err)
		}
		t.row, t.taken = row, true
		t.line, _ = r.FieldPos(0)
		if t.header == nil {
			t.header = newHeader(row, columns, t.fault)
			if len(faults.All) > 0 && faults.All[len(faults.All)-1].File == file {
				return 0, "", nil // of rows under such a heading nothing can be said
			}
			continue
		}
		if len(row) == 1 && strings.TrimSpace(row[0]) == "" {
			continue
		}
		rows++
		if len(row) != len(t.header) {
			t.fault("", "the row has %d fields, and the first row %d", len(row), len(t.header))
			continue
		}
		do(t)
	}
	if t.header == nil {
		faults.add(Fault{File: file, Text: "is empty: its first row names the columns"})
	}
	return rows, raw.SHA256(), nil
}

// notRead notes a row that is no CSV, or returns another error.
func notRead(faults *Faults, file string, err error) error {
	if parse, is := errors.AsType[*csv.ParseError](err); is {
		faults.add(Fault{file, parse.Line, strconv.Itoa(parse.Column), parse.Err.Error()})
		return nil
	}
	if errors.Is(err, errTooLarge) || errors.Is(err, errLongLine) {
		faults.add(Fault{File: file, Text: err.Error()})
		return nil
	}
	return fmt.Errorf("%s: %w", file, err)
}

// fault notes what is wrong with the row.
func (t *table) fault(column, format string, args ...any) {
	t.taken = false
	t.faults.add(Fault{t.file, t.line, column, fmt.Sprintf(format, args...)})
}

// text returns a column's field, empty where the file has no such column.
func (t *table) text(column string) string {
	at, is := t.header[column]
	if !is {
		return ""
	}
	return decoded(t.row[at])
}

// field reads a column's field that may be empty.
func field[V any](t *table, column string, parse func(string) (V, error)) (value V) {
	given := t.text(column)
	if given == "" {
		return value
	}
	value, err := parse(given)
	if err != nil {
		t.fault(column, "%s", err)
	}
	return value
}

// wanted reads a column's field that must not be empty.
func wanted[V any](t *table, column string, parse func(string) (V, error)) (value V) {
	if t.text(column) == "" {
		t.fault(column, "is empty")
		return value
	}
	return field(t, column, parse)
}
