package dunning

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"

	"purr/models"
)

//go:embed rules/*.csv
var embedded embed.FS

// Default returns the rules that the program was built with.
var Default = sync.OnceValue(func() *Rules {
	rules, err := Load(nil)
	if err != nil {
		panic(err) // the files are part of the program, and a test loads them
	}
	return rules
})

// Load returns the rules of the program with each CSV file of the override, which may be nil, in the place
// of the program's own file of the same name. It fails with every fault of the files, and for a CSV file
// that no rule is read from.
func Load(override fs.FS) (*Rules, error) {
	l := loader{override: override}
	l.refuseStrangers()
	rules := &Rules{
		interest:     required(&l, "late_interest.csv", atLeast(0, models.ParsePercent)),
		inkassosats:  required(&l, "inkassosats.csv", atLeast(0, models.ParseAmount)),
		feeFraction:  required(&l, "fee_fraction.csv", atLeast(1, parseInteger)),
		feeRounding:  required(&l, "fee_rounding.csv", atLeast(1, models.ParseAmount)),
		fee2026:      read(&l, "fee_2026.csv", atLeast(0, models.ParseAmount)),
		compensation: required(&l, "compensation.csv", atLeast(0, models.ParseAmount)),
		acts:         required(&l, "act.csv", parseAct),
	}
	if len(l.faults) > 0 {
		return nil, fmt.Errorf("dunning rules: %w", errors.Join(l.faults...))
	}
	return rules, nil
}

// loader reads rule files and keeps their faults.
type loader struct {
	override fs.FS
	faults   []error
}

func (l *loader) fault(name, format string, args ...any) {
	l.faults = append(l.faults, fmt.Errorf(name+": "+format, args...))
}

// refuseStrangers adds a fault for each file of the override whose name is not one of ours: a misspelt
// name would leave an old rate in force without a word.
func (l *loader) refuseStrangers() {
	if l.override == nil {
		return
	}
	files, err := fs.ReadDir(l.override, ".")
	if err != nil {
		l.faults = append(l.faults, err)
	}
	for _, file := range files {
		if path.Ext(file.Name()) != ".csv" {
			continue
		}
		if _, err := fs.Stat(embedded, "rules/"+file.Name()); err != nil {
			l.fault(file.Name(), "no rule is read from a file of this name")
		}
	}
}

// open opens the override's file or, where it has none, the program's own.
func (l *loader) open(name string) (fs.File, error) {
	if l.override != nil {
		f, err := l.override.Open(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return embedded.Open("rules/" + name)
}

// required is read, with a fault where no row is in force at any time.
func required[V any](l *loader, name string, parse func(string) (V, error)) timeline[V] {
	rows := read(l, name, parse)
	if len(rows) == 0 {
		l.fault(name, "at least one row with a date is required")
	}
	return rows
}

// read returns the rows of one file: from-date, value, source and confidence. The dates ascend. A row
// without a date holds what is not in force, and is left out.
func read[V any](l *loader, name string, parse func(string) (V, error)) timeline[V] {
	records, err := l.records(name)
	if err != nil {
		l.fault(name, "%w", err)
		return nil
	}
	var rows timeline[V]
	for _, record := range records {
		from, value, err := readRow(record, parse)
		switch {
		case err != nil:
			l.fault(name, "row %q: %w", record[0], err)
		case from == 0:
		case len(rows) > 0 && from <= rows[len(rows)-1].from:
			l.fault(name, "row %q: the dates must ascend", record[0])
		default:
			rows = append(rows, point[V]{from, value})
		}
	}
	return rows
}

// records returns the file's rows after its header.
func (l *loader) records(name string) ([][]string, error) {
	f, err := l.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	r := csv.NewReader(f)
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	const header = "from,value,source,confidence"
	if len(records) == 0 || strings.Join(records[0], ",") != header {
		return nil, errors.New("the first row must be " + header)
	}
	return records[1:], nil
}

func readRow[V any](record []string, parse func(string) (V, error)) (from models.Date, value V, err error) {
	if err := from.UnmarshalText([]byte(record[0])); err != nil {
		return 0, value, err
	}
	if value, err = parse(record[1]); err != nil {
		return 0, value, err
	}
	if strings.TrimSpace(record[2]) == "" {
		return 0, value, errors.New("a source is required")
	}
	switch record[3] {
	case "A", "B", "C", "D":
		return from, value, nil
	}
	return 0, value, fmt.Errorf("confidence %q is none of A, B, C, D", record[3])
}

// atLeast returns parse, refusing values below the least.
func atLeast[V ~int64](least V, parse func(string) (V, error)) func(string) (V, error) {
	return func(s string) (V, error) {
		v, err := parse(s)
		if err == nil && v < least {
			err = fmt.Errorf("%q is too small", s)
		}
		return v, err
	}
}

func parseInteger(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }

func parseAct(s string) (Act, error) {
	switch a := Act(s); a {
	case Act1988, Act2026:
		return a, nil
	}
	return "", fmt.Errorf("%q is no act on debt collection", s)
}
