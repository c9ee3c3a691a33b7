package ehf

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// element is an element of a document. Its name has the prefix that its namespace usually has: cbc:ID, cac:Party, and none
// for the root. It has children or a text.
type element struct {
	name       string
	attributes []attribute
	children   []*element
	text       string
}

type attribute struct{ name, value string }

// leaf returns an element with a text, or nil if the text is empty: a document must not have empty elements. Attributes are
// names and values in turn.
func leaf(name, text string, attributes ...string) *element {
	if text == "" {
		return nil
	}
	e := &element{name: name, text: text}
	for i := 0; i < len(attributes); i += 2 {
		e.attributes = append(e.attributes, attribute{attributes[i], attributes[i+1]})
	}
	return e
}

// group returns an element with the children that are not nil, or nil if all are.
func group(name string, children ...*element) *element {
	e := &element{name: name}
	e.add(children...)
	if len(e.children) == 0 {
		return nil
	}
	return e
}

// add appends the children that are not nil.
func (e *element) add(children ...*element) {
	for _, c := range children {
		if c != nil {
			e.children = append(e.children, c)
		}
	}
}

// all returns the elements at a path, such as "cac:TaxTotal/cac:TaxSubtotal", in the document's order.
func (e *element) all(path string) []*element {
	name, rest, deeper := strings.Cut(path, "/")
	var found []*element
	for _, c := range e.children {
		switch {
		case c.name != name:
		case deeper:
			found = append(found, c.all(rest)...)
		default:
			found = append(found, c)
		}
	}
	return found
}

// at returns the first element at a path, or nil.
func (e *element) at(path string) *element {
	if found := e.all(path); len(found) > 0 {
		return found[0]
	}
	return nil
}

// has reports whether there is an element at a path.
func (e *element) has(path string) bool { return e.at(path) != nil }

// value returns the text of the first element at a path, without blanks around it, or the empty text.
func (e *element) value(path string) string {
	if found := e.at(path); found != nil {
		return strings.TrimSpace(found.text)
	}
	return ""
}

// attribute returns the value of an attribute, or the empty text.
func (e *element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// each calls do for the element and for all below it, each before its children.
func (e *element) each(do func(*element)) {
	do(e)
	for _, c := range e.children {
		c.each(do)
	}
}

// bytes returns the element as a document: one element a line, indented, always the same bytes.
func (e *element) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	e.write(&b, "")
	return b.Bytes()
}

func (e *element) write(b *bytes.Buffer, indent string) {
	b.WriteString(indent + "<" + e.name)
	for _, a := range e.attributes {
		b.WriteString(" " + a.name + `="`)
		escape(b, a.value)
		b.WriteString(`"`)
	}
	b.WriteString(">")
	if len(e.children) > 0 {
		b.WriteString("\n")
		for _, c := range e.children {
			c.write(b, indent+"  ")
		}
		b.WriteString(indent)
	}
	escape(b, e.text)
	b.WriteString("</" + e.name + ">\n")
}

func escape(b *bytes.Buffer, text string) {
	if err := xml.EscapeText(b, []byte(text)); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
}
