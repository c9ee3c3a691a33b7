// Package form reads the XML bodies of requests. It offers the elements and their values, and collects every fault. It
// knows nothing of routes, of resources or of the database.
package form

import (
	"strings"

	"purr/models"
)

// Form is a body that is being read; its Element is the root. An element that no call reads is a fault in the end
// (rule D4).
type Form struct {
	*Element

	faults  models.Errors
	faulted map[string]bool // by place

	before any             // see Knows
	known  map[string]bool // the paths of the elements of answers
	claims []claim
}

// maxFaults is the most faults that are kept of a body. It is more than models.MaxFaults, so that an answer can say
// that there are more.
const maxFaults = models.MaxFaults + 1

// merge adds the faults whose places have none yet.
func (f *Form) merge(faults ...*models.Error) {
	for _, fault := range faults {
		if len(f.faults) >= maxFaults {
			return
		}
		if at := fault.Place.String(); !f.faulted[at] {
			f.faulted[at] = true
			f.faults = append(f.faults, fault)
		}
	}
}

// Done ends the reading. It returns the faults as models.Errors, at most maxFaults, nil if there is none. These are the faults of reading, an unknown element
// each, and the further ones. Each place has one fault, the first.
func (f *Form) Done(further models.Errors) error {
	f.claims = nil
	f.rest()
	f.merge(further...)
	if len(f.faults) > 0 && f.HasClaims() { // the caller will not come to Agrees
		differences, err := f.differences(f.before)
		if err != nil {
			return err
		}
		f.merge(differences...)
	}
	return f.faults.ErrorOrNil()
}

// Element is one element of a form. A nil element has no children, so that the children of an absent element are
// absent too.
type Element struct {
	form     *Form
	parent   *Element // nil for the root
	name     string
	index    int // among the siblings of its name, from 1; 0 if it is the only one
	attrs    map[string]string
	text     string
	children []*Element
	taken    bool
	leaf     bool // its text was read
}

// Fault adds a fault of the child with the name, which may be absent. An empty name stands for the element itself.
func (e *Element) Fault(name, code, format string, args ...any) {
	if len(e.form.faults) < maxFaults {
		e.Merge(models.Invalid(code, name, format, args...))
	}
}

// Merge adds faults of what is below the element, where it has none yet.
func (e *Element) Merge(faults ...*models.Error) {
	e.form.merge(models.Errors(faults).Under(e.place())...)
}

// place returns where the element is, counted from the root, which has no step.
func (e *Element) place() models.Place {
	if e.parent == nil {
		return nil
	}
	return append(e.parent.place(), models.Step{Name: e.name, Nth: e.index})
}

// Child reads the first child with the name, nil if there is none.
func (e *Element) Child(name string) *Element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			c.taken = true
			return c
		}
	}
	return nil
}

// Each reads all children with the name.
func (e *Element) Each(name string) []*Element {
	if e == nil {
		return nil
	}
	var found []*Element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
			c.taken, c.index = true, len(found)
		}
	}
	return found
}

// Empty reports whether the element has no children.
func (e *Element) Empty() bool { return e == nil || len(e.children) == 0 }

// Attr returns an attribute. It returns false if the element does not have it.
func (e *Element) Attr(name string) (string, bool) {
	if e == nil {
		return "", false
	}
	value, sent := e.attrs[name]
	return value, sent
}

// Text reads the text of a child as it was sent. It returns false if there is no such child.
func (e *Element) Text(name string) (string, bool) {
	c := e.Child(name)
	if c == nil {
		return "", false
	}
	c.leaf = true
	return c.text, true
}

// Line reads the text of a child that is one line, in the form that is kept (rule L20): without blanks around it, in
// composed letters.
func (e *Element) Line(name string) (string, bool) {
	text, sent := e.Text(name)
	return models.OneLine(text), sent
}

// Token reads the text of a child without the blanks around it.
func (e *Element) Token(name string) (string, bool) {
	text, sent := e.Text(name)
	return strings.TrimSpace(text), sent
}

// Value reads the element's own text without the blanks around it.
func (e *Element) Value() string {
	e.leaf = true
	return strings.TrimSpace(e.text)
}

// Require adds a fault for each child that is absent or blank.
func (e *Element) Require(names ...string) {
	for _, name := range names {
		if text, _ := e.Token(name); text == "" {
			e.Fault(name, "required", "is required")
		}
	}
}

// rest adds a fault for each element that no call read, and for text between elements.
func (e *Element) rest() {
	seen := map[string]bool{}
	for _, c := range e.children {
		switch {
		case c.taken:
			c.rest()
		case seen[c.name]:
			c.Fault("", "duplicate_element", "must occur only once")
		case !e.form.claim(c):
			c.Fault("", "unknown_element", "is not allowed here")
		}
		seen[c.name] = seen[c.name] || c.taken
	}
	if !e.leaf && strings.TrimSpace(e.text) != "" {
		e.Fault("", "unexpected_text", "must not contain text")
	}
}
