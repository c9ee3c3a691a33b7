package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is something in a file that cannot be taken as it is.
type Fault struct {
	File   string
	Line   int    // from 1; zero for the file as a whole
	Column string // the column's name, or the place in the line where the row cannot be taken apart; may be empty
	Text   string
}

// String returns the fault on one line.
func (f Fault) String() string {
	place := f.File
	if f.Line > 0 {
		place += fmt.Sprintf(" line %d", f.Line)
	}
	if f.Column != "" {
		place += " column " + f.Column
	}
	return place + ": " + f.Text
}

func lineText(line int32) string { return strconv.Itoa(int(line)) }

// maxFaults is how many faults are told.
const maxFaults = 1000

// Faults are all faults of the files. It is an error: with one fault nothing is judged.
type Faults struct {
	All  []Fault // the first thousand
	More int     // how many others there are
}

// Error has a line for each fault.
func (f *Faults) Error() string {
	lines := make([]string, len(f.All))
	for i, fault := range f.All {
		lines[i] = fault.String()
	}
	if f.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", f.More))
	}
	return strings.Join(lines, "\n")
}

func (f *Faults) add(fault Fault) {
	if len(f.All) == maxFaults {
		f.More++
		return
	}
	f.All = append(f.All, fault)
}

// sort puts the faults in the order of the files and their lines.
func (f *Faults) sort() {
	place := func(name string) int {
		for i, file := range Files {
			if file.Name == name {
				return i
			}
		}
		return none
	}
	slices.SortStableFunc(f.All, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(place(a.File), place(b.File)), cmp.Compare(a.Line, b.Line))
	})
}

// whenAny returns the faults as an error, or nil if there are none.
func (f *Faults) whenAny() error {
	if len(f.All) == 0 {
		return nil
	}
	return f
}
