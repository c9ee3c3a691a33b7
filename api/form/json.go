package form

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"purr/api/schema"
	"purr/models"
)

// maxJSONDepth is how deep a body in JSON may be nested (rule J1).
const maxJSONDepth = 16

// parseJSON reads a body in JSON that stands for an element of requests with the name. The schema says which elements and attributes
// its members stand for: see schema.Member. What is refused in XML is refused here too: a member twice, an unknown one. It fails with
// models.KindMalformed if the body is not well-formed JSON in UTF-8 (RFC 8259).
func parseJSON(body []byte, root string) (*Form, error) {
	r := jsonReader{
		d:    jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true)),
		form: &Form{faulted: map[string]bool{}},
	}
	if bytes.HasPrefix(body, []byte("\ufeff")) {
		return nil, malformedJSON("it begins with a byte order mark")
	}
	if kind := r.d.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return nil, malformedJSON("it must be an object")
	}
	f := r.form
	f.Element = &Element{form: f, name: root}
	if err := r.object(f.Element, shape{schema.Request(root), schema.Answer(root)}); err != nil {
		return nil, r.failure(err)
	}
	if _, err := r.d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, malformedJSON("something follows the object")
	}
	f.countSiblings()
	for _, fault := range r.faults {
		fault.of.Fault(fault.attribute, fault.code, "%s", fault.msg)
	}
	return f, nil
}

func malformedJSON(format string, args ...any) *models.Error {
	return models.Malformed("malformed_json", "", "the body is not well-formed JSON: "+format, args...)
}

// here returns the place at which the decoder stands, in the words of JSON.
func (r *jsonReader) here() (at models.Place) {
	for name := range r.d.StackPointer().Tokens() {
		at = append(at, models.Step{Name: name})
	}
	return at
}

// failure returns the refusal for an error of the decoder, with the place.
func (r *jsonReader) failure(err error) error {
	refusal, is := errors.AsType[*models.Error](err)
	if syntax, broken := errors.AsType[*jsontext.SyntacticError](err); broken {
		refusal = malformedJSON("byte %d: %v", syntax.ByteOffset, syntax.Err)
	} else if !is {
		refusal = malformedJSON("it ends too early")
	}
	return models.Errors{refusal}.Under(r.here())[0]
}

// shape is an element as requests and as answers have it. A request may hold what only answers have (rule L20).
type shape struct{ request, answer *schema.Field }

// member returns the member with the name, and what an element that it shows looks like below. It returns nil if neither has it.
func (s shape) member(name string) (*schema.Member, shape) {
	asked, shown := s.request.Member(name), s.answer.Member(name)
	m := asked
	if m == nil {
		m = shown
	}
	below := shape{}
	if asked != nil {
		below.request = asked.Field
	}
	if shown != nil {
		below.answer = shown.Field
	}
	return m, below
}

// jsonReader builds the tree of elements.
type jsonReader struct {
	d        *jsontext.Decoder
	form     *Form
	elements int
	faults   []jsonFault // of values of another kind; their places are known in the end
}

type jsonFault struct {
	of        *Element
	attribute string
	code, msg string
}

func (r *jsonReader) fault(e *Element, attribute, code, msg string) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, jsonFault{e, attribute, code, msg})
	}
}

// add adds a child.
func (r *jsonReader) add(parent *Element, name string) (*Element, error) {
	if r.elements++; r.elements > maxElements {
		return nil, models.Invalid("too_many_elements", "", "the body has more than %d members", maxElements)
	}
	e := &Element{form: r.form, parent: parent, name: name}
	parent.children = append(parent.children, e)
	return e, nil
}

// open reads the beginning of an object or an array.
func (r *jsonReader) open() error {
	if r.d.StackDepth() >= maxJSONDepth {
		return models.Invalid("too_deep", "", "the body is nested more than %d deep", maxJSONDepth)
	}
	_, err := r.d.ReadToken()
	return err
}

// object reads an object whose members are the attributes and children of an element.
func (r *jsonReader) object(e *Element, s shape) error {
	if err := r.open(); err != nil {
		return err
	}
	seen := map[string]bool{}
	beside := map[string]map[string]string{} // attributes of children with a text
	for r.d.PeekKind() == '"' {
		token, err := r.d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		m, below := s.member(name)
		switch {
		case m == nil:
			err = r.unknown(e, name)
		case m.Of != nil || m.Field.Attribute:
			err = r.attribute(e, m, beside)
		default:
			if seen[name] && m.List == nil && m.Form >= schema.Values {
				r.fault(e, m.Field.Name, "duplicate_element", "must occur only once")
			}
			err = r.element(e, m, below)
		}
		if err != nil {
			return err
		}
		seen[name] = true
	}
	for _, c := range e.children {
		for name, value := range beside[c.name] {
			c.set(name, value)
		}
	}
	_, err := r.d.ReadToken()
	return err
}

func (e *Element) set(attribute, value string) {
	if e.attrs == nil {
		e.attrs = map[string]string{}
	}
	e.attrs[attribute] = value
}

// unknown reads a member that nothing knows. No call reads its element.
func (r *jsonReader) unknown(e *Element, name string) error {
	if _, err := r.add(e, name); err != nil {
		return err
	}
	return r.skip()
}

// skip reads a value of any kind, and forgets it.
func (r *jsonReader) skip() error {
	for begun := r.d.StackDepth(); ; {
		switch r.d.PeekKind() {
		case '{', '[':
			if err := r.open(); err != nil {
				return err
			}
			continue
		default:
			if _, err := r.d.ReadToken(); err != nil {
				return err
			}
		}
		if r.d.StackDepth() == begun {
			return nil
		}
	}
}

// attribute reads a member that is an attribute of the element, or of a child. Answers may have more than requests read.
func (r *jsonReader) attribute(e *Element, m *schema.Member, beside map[string]map[string]string) error {
	text, sent, err := r.text(e, m.Name, m.Field.Type)
	if err != nil || !sent {
		return err
	}
	if m.Of == nil {
		e.set(m.Field.Name, text)
		return nil
	}
	if beside[m.Of.Name] == nil {
		beside[m.Of.Name] = map[string]string{}
	}
	beside[m.Of.Name][m.Field.Name] = text
	return nil
}

// element reads a member that is a child element, or several.
func (r *jsonReader) element(e *Element, m *schema.Member, below shape) error {
	switch {
	case m.Field.Name == "": // the text of the element
		return r.textOf(e, m.Field.Type)
	case m.Form >= schema.Values:
		return r.array(e, m, below)
	}
	c, err := r.add(e, m.Field.Name)
	if err != nil {
		return err
	}
	return r.value(c, m.Form, below)
}

// array reads an array, whose items are children of the element that stands for it, or of the one in which it stands.
func (r *jsonReader) array(e *Element, m *schema.Member, below shape) error {
	if m.List != nil {
		var err error
		if e, err = r.add(e, m.List.Name); err != nil {
			return err
		}
	}
	switch r.d.PeekKind() {
	case 'n':
		return r.skip()
	case '[':
	default:
		name := m.Field.Name
		if m.List != nil {
			name = ""
		}
		r.fault(e, name, "invalid_type", "must be an array")
		return r.skip()
	}
	if err := r.open(); err != nil {
		return err
	}
	form := schema.Object
	if m.Form == schema.Values {
		form = schema.Value
	}
	for r.d.PeekKind() != ']' {
		c, err := r.add(e, m.Field.Name)
		if err != nil {
			return err
		}
		if err := r.value(c, form, below); err != nil {
			return err
		}
	}
	_, err := r.d.ReadToken()
	return err
}

// value reads what is in an element. null is an empty one.
func (r *jsonReader) value(e *Element, form schema.Form, s shape) error {
	if form == schema.Value {
		of := s.request
		if of == nil {
			of = s.answer
		}
		return r.textOf(e, of.Type)
	}
	kind := r.d.PeekKind()
	if kind == '{' {
		return r.object(e, s)
	}
	if kind != 'n' {
		r.fault(e, "", "invalid_type", "must be an object")
	}
	return r.skip()
}

// textOf reads what is to be the text of an element.
func (r *jsonReader) textOf(e *Element, as *schema.Type) error {
	text, _, err := r.text(e, "", as)
	if err != nil {
		return err
	}
	e.text = text
	return nil
}

// text reads the text of an element or an attribute, as XML has it. It reports false for null, and for what is of another kind, which is
// a fault.
func (r *jsonReader) text(e *Element, attribute string, as *schema.Type) (text string, sent bool, err error) {
	kind := r.d.PeekKind()
	if kind == '{' || kind == '[' {
		r.fault(e, attribute, "invalid_type", "must be "+wanted(as))
		return "", false, r.skip()
	}
	token, err := r.d.ReadToken()
	if err != nil {
		return "", false, err
	}
	switch text = token.String(); {
	case kind == 'n':
		return "", false, nil
	case kind == '"':
		if i := strings.IndexFunc(text, noCharacter); i >= 0 {
			return "", false, malformedJSON("a text has the sign %U, which no text may have", []rune(text[i:])[0])
		}
		return text, true, nil
	case kind == '0' && as.Texts&(schema.Decimal|schema.Whole) != 0:
		return text, true, nil
	case kind == 't' && as.Texts&schema.Flag != 0:
		return "1", true, nil
	case kind == 'f' && as.Texts&schema.Flag != 0:
		return "0", true, nil
	}
	r.fault(e, attribute, "invalid_type", "must be "+wanted(as))
	return "", false, nil
}

// noCharacter reports whether XML has no way to write a sign.
func noCharacter(c rune) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF
}

// wanted says of what kind the value of a text is.
func wanted(t *schema.Type) string {
	if t.Texts == schema.Flag {
		return "true or false"
	}
	if t.Texts == schema.Whole {
		return "a whole number"
	}
	return "a string"
}
