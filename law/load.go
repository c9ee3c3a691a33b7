package law

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
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

// Load returns the rules of the program with the figures of the folder added. folder may be nil. A file is named
// after its kind, such as late_interest.csv. Each of its rows replaces the program's row of the same date. The
// error of Load names every fault of the files and its position. A CSV file with an unknown name is a fault too.
func Load(folder fs.FS) (*Rules, error) {
	l := loader{figures: make(figures)}
	program, err := fs.Sub(embedded, "rules")
	if err != nil {
		return nil, err
	}
	l.add(program, FromProgram)
	if folder != nil {
		l.add(folder, FromFile)
	}
	rules, err := compile(l.figures)
	if err := errors.Join(append(l.faults, err)...); err != nil {
		return nil, fmt.Errorf("dunning rules: %w", err)
	}
	return rules, nil
}

// loader reads rule files and keeps their faults.
type loader struct {
	figures figures
	faults  []error
}

func (l *loader) fault(position, format string, args ...any) {
	l.faults = append(l.faults, fmt.Errorf(position+": "+format, args...))
}

// add reads the CSV files of a folder. A file that is not named after a kind is a fault. Its name may be misspelt,
// and an old figure would then silently stay in force.
func (l *loader) add(folder fs.FS, origin Origin) {
	files, err := fs.ReadDir(folder, ".")
	if err != nil {
		l.faults = append(l.faults, err)
	}
	for _, file := range files {
		if path.Ext(file.Name()) != ".csv" {
			continue
		}
		kind := models.RuleKind(strings.TrimSuffix(file.Name(), ".csv"))
		if !slices.Contains(models.RuleKinds, kind) {
			l.fault(file.Name(), "no rule is read from a file of this name")
		} else if err := l.read(folder, file.Name(), kind, origin); err != nil {
			l.fault(file.Name(), "%w", err)
		}
	}
}

// read adds the rows of one file. Their dates must ascend.
func (l *loader) read(folder fs.FS, name string, kind models.RuleKind, origin Origin) error {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read from
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	const header = "from,value,source,confidence"
	if first, err := r.Read(); err != nil || strings.Join(first, ",") != header {
		return errors.New("the first row must be " + header)
	}
	var last models.Date
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		position := fmt.Sprintf("%s line %d", name, line)
		from, err := checkRow(row)
		switch {
		case err != nil:
			l.fault(position, "%w", err)
		case from == 0: // passed as law, but not in force
		case from <= last:
			l.fault(position, "the dates must ascend")
		default:
			last = from
			l.figures = l.figures.put(Figure{kind, from, row[1], row[2], origin, position})
		}
	}
}

// checkRow returns a row's date, or zero if the row is not in force.
func checkRow(row []string) (from models.Date, err error) {
	switch {
	case len(row) != 4:
		return 0, fmt.Errorf("wrong number of fields: %d, not 4", len(row))
	case strings.TrimSpace(row[2]) == "":
		return 0, errors.New("a source is required")
	case !slices.Contains([]string{"A", "B", "C", "D"}, row[3]):
		return 0, fmt.Errorf("confidence %q is none of A, B, C, D", row[3])
	}
	if err := from.UnmarshalText([]byte(row[0])); err != nil {
		return 0, err
	}
	return from, nil
}
