package models

import (
	"slices"
	"strconv"
	"strings"
)

// Place says where in a request or a file a fault is: the steps from the outermost field, such as lines, line 2, vat_rate. Without
// steps it is the whole. The steps have the words of the interface, and no form of writing: each edge writes a Place in its own.
type Place []Step

// Step leads to a field, or to one item of the list before it.
type Step struct {
	Name string // of the field; of an item, what each one of its list is called
	Nth  int    // which item of the list, from 1; 0 for a field
}

// At returns the place of a field, after those that it lies in.
func At(fields ...string) Place {
	p := make(Place, len(fields))
	for i, name := range fields {
		p[i].Name = name
	}
	return p
}

// Item returns the place of the nth item, from 1, of the list at p.
func (p Place) Item(name string, nth int) Place { return append(slices.Clip(p), Step{name, nth}) }

// Under returns the place p as it is below another one.
func (p Place) Under(above Place) Place { return slices.Concat(above, p) }

// Is reports whether two places are the same.
func (p Place) Is(other Place) bool { return slices.Equal(p, other) }

// String returns the place as the XML interface, the log and the command line write it: lines/line[2]/vat_rate (rule D5).
func (p Place) String() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(s.Name)
		if s.Nth > 0 {
			b.WriteString("[" + strconv.Itoa(s.Nth) + "]")
		}
	}
	return b.String()
}
