package openapi

import (
	"regexp"
	"slices"
	"strings"

	"purr/api/schema"
)

// schemas makes the schemas of the document from the types of the interface. A type that has a name is a component by that name. The
// type of requests that is another than the one of answers by the same name has "InRequest" at the end of its name.
type schemas struct {
	components map[string]object
	answers    map[string]bool // the names of the types of answers
	sent       bool            // those of requests are made
}

// ruleCited is a rule that a text cites, which those who read the document do not know.
var ruleCited = regexp.MustCompile(`\s*\((rules?|section)\s[^)]*\)`)

func said(doc string) string { return ruleCited.ReplaceAllString(doc, "") }

// reference refers to a component.
func reference(name string) object { return object{{"$ref", "#/components/schemas/" + name}} }

// component returns a reference to the type, which is made by the function if it is not there yet.
func (s *schemas) component(t *schema.Type, build func() object) object {
	name := t.Name
	if name == "" {
		return build()
	}
	if s.sent && s.answers[name] {
		made := build()
		if made.text() == s.components[name].text() {
			return reference(name)
		}
		name += "InRequest"
		s.components[name] = made
		return reference(name)
	}
	if _, there := s.components[name]; !there {
		s.components[name] = object{} // while it is made
		s.components[name] = build()
	}
	if !s.sent {
		s.answers[name] = true
	}
	return reference(name)
}

// root returns the schema of a root element. What a PUT takes has all members of the answer: what GET shows can be put back (rule L20).
func (s *schemas) root(f *schema.Field) object {
	if f.Type.IsLeaf() && len(f.Type.Fields) == 0 {
		return object{{"type", "object"}, {"description", "Nothing: an object without members."}, {"additionalProperties", false}}
	}
	answer := schema.Answer(f.Name)
	if !s.sent || answer == nil || !strings.Contains(f.Doc, "PUT ") {
		return s.object(f)
	}
	return s.component(f.Type, func() object {
		var shown object
		for _, m := range answer.Type.Members(answer.Name) {
			if f.Member(m.Name) == nil {
				shown = append(shown, member{m.Name, s.member(m).without("description").with("description", "As GET shows it.")})
			}
		}
		return s.members(f, shown...)
	})
}

// object returns the schema of the object that stands for an element.
func (s *schemas) object(f *schema.Field) object {
	if f.Type.IsLeaf() { // one of several, with attributes
		return s.members(f)
	}
	if f.Name == "event" {
		return s.component(f.Type, func() object { return s.event(f) })
	}
	return s.component(f.Type, func() object { return s.members(f) })
}

// members returns the schema of an object with the members of an element, and some more.
func (s *schemas) members(f *schema.Field, more ...member) object {
	o := object{{"type", "object"}}.with("description", said(f.Type.Doc))
	properties, required := object{}, []string{}
	for _, m := range f.Type.Members(f.Name) {
		properties = append(properties, member{m.Name, s.member(m)})
		if !m.Optional() {
			required = append(required, m.Name)
		}
	}
	o = append(o, member{"properties", append(properties, more...)})
	if len(required) > 0 {
		o = append(o, member{"required", required})
	}
	return append(o, member{"additionalProperties", false})
}

// member returns the schema of a member's value.
func (s *schemas) member(m *schema.Member) object {
	doc := m.Field.Doc
	var value object
	switch m.Form {
	case schema.Value:
		value = s.leaf(m.Field)
	case schema.Object:
		value = s.object(m.Field)
	case schema.Values, schema.Objects:
		if m.List != nil {
			doc = m.List.Doc
			if doc == "" {
				doc = m.List.Type.Doc
			}
		}
		value = s.array(m)
	}
	return value.with("description", said(doc))
}

func (s *schemas) array(m *schema.Member) object {
	items := s.leaf
	if m.Form == schema.Objects {
		items = s.object
	}
	kind := any("array")
	if s.sent && m.Field.Optional {
		kind = []string{"array", "null"}
	}
	return object{{"type", kind}, {"items", items(m.Field)}}
}

// leaf returns the schema of a text.
func (s *schemas) leaf(f *schema.Field) object {
	if f.Fixed != "" {
		return object{{"type", "string"}, {"const", f.Fixed}}
	}
	return s.component(f.Type, func() object { return s.text(f.Type).with("description", said(f.Type.Doc)) })
}

// text returns the schema of a text, which may be of several kinds. In a request null is an empty text. A number is taken for a text
// with decimals there, a text for a whole number, and "1" and "0" for a flag.
func (s *schemas) text(t *schema.Type) object {
	if t.Texts == schema.Flag {
		return s.flag(t)
	}
	if t.Texts == schema.Whole {
		return s.whole(t)
	}
	var words words
	words.take(t)
	kinds := []string{"string"}
	if t.Texts&schema.Whole != 0 {
		kinds = []string{"integer", "string"}
	} else if t.Texts&schema.Decimal != 0 && s.sent {
		kinds = append(kinds, "number")
	}
	if s.sent && words.blank {
		kinds = append(kinds, "null")
	}
	o := object{{"type", kinds}}
	if len(kinds) == 1 {
		o = object{{"type", kinds[0]}}
	}
	o = append(o, words.schema(s.sent && words.blank, t.Texts&(schema.Whole|schema.Decimal) != 0)...)
	if t.Texts&(schema.Whole|schema.Decimal) != 0 && len(kinds) > 1 {
		o = append(o, bounds(t)...)
	}
	return o
}

// flag returns the schema of a flag.
func (s *schemas) flag(t *schema.Type) object {
	switch {
	case s.sent && t.Blank:
		return object{{"type", []string{"boolean", "string", "null"}}, {"enum", []any{true, false, "1", "0", nil}}}
	case s.sent:
		return object{{"type", []string{"boolean", "string"}}, {"enum", []any{true, false, "1", "0"}}}
	case slices.Equal(t.Facets.Enum, []string{"1"}):
		return object{{"type", "boolean"}, {"const", true}}
	}
	return object{{"type", "boolean"}}
}

// whole returns the schema of a whole number.
func (s *schemas) whole(t *schema.Type) object {
	o := object{{"type", "integer"}, {"format", "int64"}}
	switch {
	case s.sent && t.Blank:
		o = object{{"type", []string{"integer", "string", "null"}}, {"pattern", "^(-?[0-9]+)?$"}}
	case s.sent:
		o = object{{"type", []string{"integer", "string"}}, {"pattern", "^-?[0-9]+$"}}
	}
	if t.Facets.Enum != nil {
		var values []any
		for _, v := range t.Facets.Enum {
			values = append(values, number(v))
			if s.sent {
				values = append(values, v)
			}
		}
		return append(o, member{"enum", values})
	}
	return append(o, bounds(t)...)
}

// bounds returns what bounds the numbers of a type. Texts have none.
func bounds(t *schema.Type) (o object) {
	for _, u := range t.Union {
		if found := bounds(u); found != nil {
			return found
		}
	}
	for _, b := range []struct{ name, value string }{
		{"minimum", t.Facets.Minimum}, {"maximum", t.Facets.Maximum}, {"exclusiveMinimum", t.Facets.ExclusiveMinimum},
	} {
		if b.value != "" {
			o = append(o, member{b.name, number(b.value)})
		}
	}
	return o
}

// number is a number as it is written.
type number string

// MarshalJSON writes the number as it is.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// words are what the texts of a type may be.
type words struct {
	blank     bool // nothing too
	enum      []string
	patterns  []string
	free      bool // any text of the length, since no pattern can say it
	format    string
	min, max  int
	unbounded bool
}

// take takes a type, or those of which it is a union. Numbers are no texts where JSON has numbers.
func (w *words) take(t *schema.Type) {
	w.blank = w.blank || t.Blank
	if t.Union != nil {
		for _, u := range t.Union {
			w.take(u)
		}
		return
	}
	if t.Texts == schema.Whole || t.Texts == schema.Flag || t.Texts == 0 {
		return
	}
	f := t.Facets
	w.format, w.min = f.Format, f.MinLength
	w.max = max(w.max, f.MaxLength)
	w.unbounded = w.unbounded || f.MaxLength == 0
	if f.Enum != nil {
		w.enum = append(w.enum, f.Enum...)
		return
	}
	if f.Patterns == nil {
		w.free = true
	}
	for _, p := range f.Patterns {
		converted, good := ecma(p)
		w.free = w.free || !good
		if good {
			w.patterns = append(w.patterns, converted)
		}
	}
	w.blank = w.blank || f.Format == "" && f.MinLength == 0 && t.Texts == schema.Words && matchesNothing(w.patterns)
}

// matchesNothing reports whether an empty text is one of the patterns', or there is none.
func matchesNothing(patterns []string) bool {
	whole := anyOf(patterns)
	return len(patterns) == 0 || whole != "" && regexp.MustCompile(whole).MatchString("")
}

// schema returns the keywords for the texts. Beside null and numbers, texts that are all known are told in another way.
func (w *words) schema(null, numbers bool) (o object) {
	if w.patterns == nil && !w.free && !numbers {
		return w.values(null)
	}
	for _, v := range w.enum {
		w.patterns = append(w.patterns, regexp.QuoteMeta(v))
	}
	if w.blank && !w.free && !matchesNothing(w.patterns) {
		w.patterns, w.format = append(w.patterns, ""), ""
	}
	o = o.with("format", w.format)
	if !w.free && len(w.patterns) > 0 {
		o = o.with("pattern", anyOf(w.patterns))
	}
	if !w.blank {
		o = o.with("minLength", w.min)
	}
	if !w.unbounded {
		o = o.with("maxLength", w.max)
	}
	return o
}

// values returns the keyword for texts that are all known.
func (w *words) values(null bool) object {
	values := make([]any, 0, len(w.enum)+2)
	for _, v := range w.enum {
		values = append(values, v)
	}
	if w.blank && !slices.Contains(w.enum, "") {
		values = append(values, "")
	}
	if null {
		values = append(values, nil)
	}
	return object{{"enum", values}}
}

// pathOf returns a path as the document shows it: without the slash at its end.
func pathOf(path string) string { return strings.TrimSuffix(path, "/") }
