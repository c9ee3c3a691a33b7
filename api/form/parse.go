package form

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"purr/models"
)

// Bounds that are far above any real request.
const (
	maxDepth    = 32
	maxElements = 20_000
	maxAttrs    = 1_000 // of all elements

	maxSpace = 100 // characters of a namespace in the name of an element; the same one may stand before every element
)

// errDoctype refuses document type declarations. Without them, only the five entities of XML itself exist.
var errDoctype = models.Malformed("doctype_not_allowed", "", "a document type declaration is not allowed")

// Body is the body of a request.
type Body struct {
	Text []byte
	JSON bool // it is JSON, and otherwise XML
}

// Empty reports whether the body has no content.
func (b Body) Empty() bool { return len(bytes.TrimSpace(b.Text)) == 0 }

// Parse reads a body that is the root element with the name. It fails with models.KindMalformed if the body is not
// well-formed XML in an encoding that is understood (rules D4, L20), or not well-formed JSON.
func Parse(body Body, root string) (*Form, error) {
	if body.JSON {
		return parseJSON(body.Text, root)
	}
	return parseXML(body.Text, root)
}

func parseXML(body []byte, root string) (*Form, error) {
	p := parser{form: &Form{faulted: map[string]bool{}}}
	p.xml = xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	p.xml.CharsetReader = charsetReader
	if err := p.parse(); err != nil {
		return nil, err
	}
	f := p.form
	if f.Element == nil {
		return nil, malformed("there is no element")
	}
	if f.name != root {
		return nil, models.Invalid("unknown_element", f.name, "the body must be an element %s", root)
	}
	f.countSiblings()
	return f, nil
}

// ParseEmpty accepts a body without content: no bytes, or an empty element with the name.
func ParseEmpty(body Body, root string) error {
	if body.Empty() {
		return nil
	}
	f, err := Parse(body, root)
	if err != nil {
		return err
	}
	return f.Done(nil)
}

// countSiblings numbers the children that share their name with a sibling.
func (e *Element) countSiblings() {
	count := map[string]int{}
	for _, c := range e.children {
		count[c.name]++
	}
	next := map[string]int{}
	for _, c := range e.children {
		if count[c.name] > 1 {
			next[c.name]++
			c.index = next[c.name]
		}
		c.countSiblings()
	}
}

func malformed(format string, args ...any) error {
	return models.Malformed("malformed_xml", "", "the body is not well-formed XML: "+format, args...)
}

// parser builds the tree of elements.
type parser struct {
	xml      *xml.Decoder
	form     *Form
	space    string // the root's namespace
	open     []*Element
	text     []*strings.Builder // of the open elements
	elements int
	attrs    int
	begun    bool // something was read

	unbounded bool // it is a text of our own
}

func (p *parser) parse() error {
	for {
		token, err := p.xml.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return syntaxFault(err)
		}
		if err := p.take(token); err != nil {
			return err
		}
		p.begun = true
	}
}

func (p *parser) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return p.start(t)
	case xml.EndElement:
		last := len(p.open) - 1
		p.open[last].text = p.text[last].String()
		p.open, p.text = p.open[:last], p.text[:last]
	case xml.CharData:
		if len(p.open) > 0 {
			p.text[len(p.text)-1].Write(t)
		} else if len(bytes.TrimSpace(t)) > 0 {
			return malformed("there is text outside the root element")
		}
	case xml.Directive:
		return errDoctype
	case xml.ProcInst:
		if t.Target == "xml" && p.begun {
			return malformed("the XML declaration is not at the beginning")
		}
	}
	return nil
}

func (p *parser) start(t xml.StartElement) error {
	if p.elements++; p.elements > maxElements && !p.unbounded {
		return models.Invalid("too_many_elements", "", "the body has more than %d elements", maxElements)
	}
	if p.attrs += len(t.Attr); p.attrs > maxAttrs && !p.unbounded {
		return models.Invalid("too_many_attributes", "", "the body's elements have more than %d attributes", maxAttrs)
	}
	if len(p.open) == maxDepth {
		return models.Invalid("too_deep", "", "the body's elements are nested more than %d deep", maxDepth)
	}
	e := &Element{form: p.form}
	switch {
	case len(p.open) > 0:
		e.parent = p.open[len(p.open)-1]
		e.parent.children = append(e.parent.children, e)
	case p.form.Element != nil:
		return malformed("there is a second root element")
	default:
		p.form.Element, p.space = e, t.Name.Space
	}
	e.name = t.Name.Local
	if t.Name.Space != p.space {
		e.name = models.Shorten(t.Name.Space, maxSpace) + ":" + t.Name.Local // another namespace: no call reads this name
	}
	var err error
	e.attrs, err = attributes(t.Attr)
	p.open, p.text = append(p.open, e), append(p.text, &strings.Builder{})
	return err
}

func attributes(attrs []xml.Attr) (map[string]string, error) {
	if len(attrs) == 0 {
		return nil, nil
	}
	found := make(map[xml.Name]bool, len(attrs))
	values := make(map[string]string, len(attrs))
	for _, a := range attrs {
		if found[a.Name] {
			return nil, malformed("the attribute %s comes twice", a.Name.Local)
		}
		found[a.Name] = true
		if a.Name.Space == "" {
			values[a.Name.Local] = a.Value
		}
	}
	return values, nil
}

// syntaxFault returns the fault for an error of the XML decoder.
func syntaxFault(err error) error {
	var classed *models.Error
	if errors.As(err, &classed) {
		return classed
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return malformed("line %d: %s", syntax.Line, syntax.Msg)
	}
	return malformed("%v", err)
}
