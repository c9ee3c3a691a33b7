package schema

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// node is an element of a schema's text.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []*node    `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (n *node) kind() string { return n.XMLName.Local }

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// child returns the first child of a kind, nil if there is none.
func (n *node) child(kind string) *node {
	for _, c := range n.Nodes {
		if c.kind() == kind {
			return c
		}
	}
	return nil
}

// doc returns what is said of the node, in one line.
func (n *node) doc() string {
	if a := n.child("annotation"); a != nil {
		return strings.Join(strings.Fields(a.child("documentation").Text), " ")
	}
	return ""
}

// reader makes types of a schema's text. A type is made once, when something of it is first met.
type reader struct {
	named map[string]*node // by kind and name
	types map[string]*Type
}

// read returns the root elements of a schema, by name.
func read(document []byte) (map[string]*Field, error) {
	var top node
	if err := xml.Unmarshal(document, &top); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	r := &reader{named: map[string]*node{}, types: map[string]*Type{}}
	for _, n := range top.Nodes {
		kind := n.kind()
		if kind == "simpleType" || kind == "complexType" {
			kind = "type"
		}
		r.named[kind+" "+n.attr("name")] = n
	}
	roots := map[string]*Field{}
	for _, n := range top.Nodes {
		if n.kind() == "element" {
			roots[n.attr("name")] = r.field(n)
		}
	}
	return roots, nil
}

// field reads an element or an attribute.
func (r *reader) field(n *node) *Field {
	f := &Field{Name: n.attr("name"), Doc: n.doc(), Attribute: n.kind() == "attribute", Fixed: n.attr("fixed")}
	if f.Attribute {
		f.Optional = n.attr("use") != "required"
	} else {
		f.Optional = n.attr("minOccurs") == "0"
		most := n.attr("maxOccurs")
		f.Many = most != "" && most != "1"
	}
	switch {
	case n.attr("type") != "":
		f.Type = r.typeNamed(n.attr("type"))
	case n.child("complexType") != nil:
		f.Type = &Type{}
		r.complex(f.Type, n.child("complexType"))
	case n.child("simpleType") != nil:
		f.Type = r.simple(n.child("simpleType"))
	default:
		f.Type = &Type{Texts: Words}
	}
	return f
}

func (r *reader) typeNamed(name string) *Type {
	if t := r.types[name]; t != nil {
		return t
	}
	n := r.named["type "+name]
	if n == nil {
		return primitive(name)
	}
	t := &Type{}
	r.types[name] = t
	if n.kind() == "simpleType" {
		t.become(r.simple(n))
	} else {
		r.complex(t, n)
	}
	t.Name, t.Doc = name, n.doc()
	if name == "Flag" {
		t.Texts = Flag
	}
	return t
}

// primitive returns one of the types that XML Schema has itself.
func primitive(name string) *Type {
	switch name {
	case "xs:integer", "xs:long":
		return &Type{Texts: Whole}
	case "xs:decimal":
		return &Type{Texts: Decimal}
	case "xs:date":
		return &Type{Texts: Words, Facets: Facets{Format: "date"}}
	case "xs:dateTime":
		return &Type{Texts: Words, Facets: Facets{Format: "date-time"}}
	case "xs:anyURI":
		return &Type{Texts: Words, Facets: Facets{Format: "uri-reference"}}
	}
	return &Type{Texts: Words}
}

// become makes the type hold what another one does.
func (t *Type) become(base *Type) {
	t.Texts, t.Facets, t.Union, t.Blank, t.Fields = base.Texts, base.Facets, base.Union, base.Blank, slices.Clone(base.Fields)
}

// simple reads a type that is a text.
func (r *reader) simple(n *node) *Type {
	if u := n.child("union"); u != nil {
		return r.union(u)
	}
	if n.child("list") != nil {
		return &Type{Texts: Words}
	}
	return r.restriction(n.child("restriction"))
}

// union reads a type whose text is of one of several types.
func (r *reader) union(n *node) *Type {
	t := &Type{}
	for _, name := range strings.Fields(n.attr("memberTypes")) {
		t.add(r.typeNamed(name))
	}
	for _, c := range n.Nodes {
		if c.kind() == "simpleType" {
			t.add(r.simple(c))
		}
	}
	if len(t.Union) == 1 { // the rest is nothing
		one := t.Union[0]
		t.Facets, t.Union = one.Facets, one.Union
	}
	return t
}

// add adds a member to a union.
func (t *Type) add(member *Type) {
	t.Blank = t.Blank || member.Blank
	if member.Texts != 0 {
		t.Texts |= member.Texts
		t.Union = append(t.Union, member)
	}
}

// restriction narrows a type.
func (r *reader) restriction(n *node) *Type {
	t := &Type{}
	if base := n.attr("base"); base != "" {
		t.become(r.typeNamed(base))
	} else {
		t.become(r.simple(n.child("simpleType")))
	}
	f := &t.Facets
	var enum, patterns []string
	for _, c := range n.Nodes {
		value := c.attr("value")
		switch c.kind() {
		case "enumeration":
			enum = append(enum, value)
		case "pattern":
			patterns = append(patterns, value)
		case "length":
			if value == "0" {
				return &Type{Blank: true}
			}
		case "minLength":
			f.MinLength = number(value)
		case "maxLength":
			f.MaxLength = number(value)
		case "minInclusive":
			f.Minimum, f.ExclusiveMinimum = value, "" // a restriction narrows: what it says takes the place of the base's bound
		case "maxInclusive":
			f.Maximum = value
		case "minExclusive":
			f.Minimum, f.ExclusiveMinimum = "", value
		}
	}
	if enum != nil {
		if slices.Contains(enum, "") {
			t.Blank = true
		}
		f.Enum = enum
	}
	if patterns != nil {
		f.Patterns = patterns // those of the base are wider
	}
	return t
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // a test reads all
	}
	return n
}

// complex reads a type that has fields. Attributes come first, as they are written.
func (r *reader) complex(t *Type, n *node) {
	r.attributes(t, n)
	for _, c := range n.Nodes {
		switch c.kind() {
		case "simpleContent", "complexContent":
			extension := c.child("extension")
			t.become(r.typeNamed(extension.attr("base")))
			r.complex(t, extension)
		case "sequence", "all", "choice", "group":
			r.content(t, c, false, false)
		}
	}
}

func (r *reader) attributes(t *Type, n *node) {
	for _, c := range n.Nodes {
		switch c.kind() {
		case "attribute":
			t.Fields = append(t.Fields, r.field(c))
		case "attributeGroup":
			r.attributes(t, r.named["attributeGroup "+c.attr("ref")])
		}
	}
}

// content reads the elements of a model. One of a choice may be absent; one of a model that occurs several times may so, too.
func (r *reader) content(t *Type, n *node, optional, many bool) {
	if n.kind() == "group" {
		n = r.named["group "+n.attr("ref")]
	}
	optional = optional || n.kind() == "choice" || n.attr("minOccurs") == "0"
	most := n.attr("maxOccurs")
	many = many || most != "" && most != "1"
	for _, c := range n.Nodes {
		switch c.kind() {
		case "element":
			f := r.field(c)
			f.Optional, f.Many = f.Optional || optional, f.Many || many
			if there := t.Field(f.Name); there != nil { // in another branch of a choice
				there.Optional = there.Optional || f.Optional
				continue
			}
			t.Fields = append(t.Fields, f)
		case "sequence", "all", "choice", "group":
			r.content(t, c, optional, many)
		}
	}
}
