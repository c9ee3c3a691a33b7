package form

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"purr/models"
)

// claim is an element that only answers have and that a request holds too (rule L20). It is in order if the answer says
// the same.
type claim struct {
	path models.Place // each step counted among the siblings of its name, also where it is the only one
	*Element
}

// Knows tells the form what the resource looks like in answers: as it is before the request, or the zero value if it is
// new. From then on, an element that no call reads is no fault if the answers have it. The caller must hold the form
// against the answer to the request: see Agrees.
func (f *Form) Knows(before any) { f.before, f.known = before, namesOf(reflect.TypeOf(before)) }

// HasClaims reports whether Agrees has anything to compare.
func (f *Form) HasClaims() bool { return len(f.claims) > 0 }

// Agrees compares the elements that only answers have with the answer (rule L20). It fails with models.Errors and a
// fault of code differs for each that says something else. An empty element says nothing.
func (f *Form) Agrees(answer any) error {
	if !f.HasClaims() {
		return nil
	}
	faults, err := f.differences(answer)
	if err != nil {
		return err
	}
	return faults.ErrorOrNil()
}

func (f *Form) differences(answer any) (models.Errors, error) {
	shown, err := treeOf(answer)
	if err != nil {
		return nil, err
	}
	var faults models.Errors
	for _, c := range f.claims {
		if so := shown.at(c.path); so == nil || !c.says(so) {
			faults = append(faults, models.Invalid("differs", "", "is only in answers, and does not say what is so: leave it out").Under(c.place()))
		}
	}
	return faults, nil
}

// claim keeps an unread element for Agrees, and reports false if answers have no such element.
func (f *Form) claim(e *Element) bool {
	c := claim{Element: e}
	name := ""
	for at := e; at.parent != nil; at = at.parent {
		c.path = append(c.path, models.Step{Name: at.name, Nth: max(1, at.index)})
		name = "/" + at.name + name
	}
	slices.Reverse(c.path)
	if !f.known[name] {
		return false
	}
	if !e.blank() {
		f.claims = append(f.claims, c)
	}
	return true
}

// blank reports whether an element says nothing.
func (e *Element) blank() bool {
	_, names := e.attrs["uri"]
	return len(e.children) == 0 && strings.TrimSpace(e.text) == "" && !names
}

// at returns the element at the path below, nil if there is none.
func (e *Element) at(path models.Place) *Element {
	for _, s := range path {
		var found *Element
		nth := 0
		for _, c := range e.children {
			if c.name == s.Name {
				if nth++; nth == s.Nth {
					found = c
					break
				}
			}
		}
		if e = found; e == nil {
			return nil
		}
	}
	return e
}

// says reports whether an element says nothing but what the other one says.
func (e *Element) says(so *Element) bool {
	if e.blank() {
		return true
	}
	for name, value := range e.attrs {
		is, there := so.attrs[name]
		if there && value != is && (name != "uri" || PathOf(value) != PathOf(is)) {
			return false
		}
	}
	if text := strings.TrimSpace(e.text); text != "" && canonical(text) != canonical(strings.TrimSpace(so.text)) {
		return false
	}
	count := map[string]int{}
	for _, c := range e.children {
		count[c.name]++
		if its := so.at(models.Place{}.Item(c.name, count[c.name])); its == nil || !c.says(its) {
			return false
		}
	}
	return true
}

// PathOf returns the path of a URI, by which alone it counts (rule L20). It returns the empty text if s is no URI.
func PathOf(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		return ""
	}
	return u.Path
}

// decimal is a number with a point.
var decimal = regexp.MustCompile(`^-?[0-9]{1,20}\.[0-9]{0,20}$`)

// canonical returns a text in the form in which equal texts are the same: numbers without zeros at the end, other texts
// in composed letters.
func canonical(text string) string {
	if decimal.MatchString(text) {
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return models.OneLine(text)
}

// treeOf returns the elements of an answer.
func treeOf(answer any) (*Element, error) {
	text, err := xml.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("write a %T as XML: %w", answer, err)
	}
	p := parser{form: &Form{}, xml: xml.NewDecoder(bytes.NewReader(text)), unbounded: true}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.form.Element, nil
}

// namesOf returns the paths of the elements below a type's own element, each beginning with a slash.
func namesOf(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	addNames(names, "", t)
	return names
}

func addNames(names map[string]bool, above string, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for field := range t.Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("xml"), ",")
		switch {
		case field.Anonymous && name == "":
			addNames(names, above, field.Type)
		case name != "" && field.Name != "XMLName" && option != "attr":
			names[above+"/"+name] = true
			addNames(names, above+"/"+name, field.Type)
		}
	}
}
