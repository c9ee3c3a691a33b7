package api

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// What no honest body comes near.
const (
	maxDepth    = 32
	maxElements = 20_000
)

// errDoctype refuses document type declarations, and with them every entity but the five of XML itself.
var errDoctype = models.Malformed("doctype_not_allowed", "", "a document type declaration is not allowed")

// parseForm reads a body whose root element has the name. It fails with models.KindMalformed where the
// body is not well-formed XML of the encodings that rule D4 names.
func parseForm(raw []byte, root string) (*form, error) {
	p := formParser{form: &form{faulted: map[string]bool{}}}
	p.xml = xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	p.xml.CharsetReader = charsetReader
	if err := p.parse(); err != nil {
		return nil, err
	}
	f := p.form
	if f.element == nil {
		return nil, malformed("there is no element")
	}
	if f.name != root {
		return nil, models.Invalid("unknown_element", f.name, "the body must be an element %s", root)
	}
	f.countSiblings()
	return f, nil
}

// parseEmptyForm reads a body that says nothing: there is none, or an element of the name with nothing in it.
func parseEmptyForm(raw []byte, root string) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	f, err := parseForm(raw, root)
	if err != nil {
		return err
	}
	return f.done(nil)
}

// countSiblings counts the children that share their name with a sibling.
func (e *element) countSiblings() {
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

// formParser builds the tree of elements.
type formParser struct {
	xml      *xml.Decoder
	form     *form
	space    string // the root's namespace
	open     []*element
	text     []*strings.Builder // of the open elements
	elements int
	begun    bool // something was read
}

func (p *formParser) parse() error {
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

func (p *formParser) take(token xml.Token) error {
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

func (p *formParser) start(t xml.StartElement) error {
	if p.elements++; p.elements > maxElements {
		return models.Invalid("too_many_elements", "", "the body has more than %d elements", maxElements)
	}
	if len(p.open) == maxDepth {
		return models.Invalid("too_deep", "", "the body's elements are nested more than %d deep", maxDepth)
	}
	e := &element{form: p.form}
	switch {
	case len(p.open) > 0:
		e.parent = p.open[len(p.open)-1]
		e.parent.children = append(e.parent.children, e)
	case p.form.element != nil:
		return malformed("there is a second root element")
	default:
		p.form.element, p.space = e, t.Name.Space
	}
	e.name = t.Name.Local
	if t.Name.Space != p.space {
		e.name = t.Name.Space + ":" + t.Name.Local // some other vocabulary's element: nobody asks for it
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

// charsetReader decodes a body that declares another encoding than UTF-8.
func charsetReader(label string, input io.Reader) (io.Reader, error) {
	if !strings.EqualFold(label, "ISO-8859-1") {
		return nil, models.Malformed("unsupported_encoding", "", "the body must be in UTF-8 or ISO-8859-1")
	}
	latin1, err := io.ReadAll(input)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	text := make([]byte, 0, len(latin1)+len(latin1)/8)
	for _, b := range latin1 {
		text = utf8.AppendRune(text, rune(b))
	}
	return bytes.NewReader(text), nil
}

// syntaxFault says what the decoder found, in the caller's own terms.
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

// bodyBroken classes what went wrong while a body was read from the connection.
func bodyBroken(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &models.Error{Kind: models.KindTooLarge, Code: "too_large", Msg: fmt.Sprintf("the body has more than %d bytes", tooLarge.Limit)}
	}
	return &models.Error{Kind: models.KindMalformed, Code: "body_incomplete", Msg: "the body broke off", Err: err}
}
