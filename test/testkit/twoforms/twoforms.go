// Package twoforms writes XML of the interface in JSON (rule J1), by the schema that describes both and by nothing else of the program. So what
// tests say in XML they can say in JSON too.
package twoforms

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"purr/api/schema"
)

// Tree is an element of XML, with what is in it.
type Tree struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []*Tree    `xml:",any"`
	Text    string     `xml:",chardata"`
}

// Parse reads a document.
func Parse(document string) (*Tree, error) {
	var t Tree
	err := xml.Unmarshal([]byte(document), &t)
	return &t, err
}

// JSON writes an element as rule J1 has it, by the schema alone: a second hand than the program's. other is how the other direction describes it, nil
// for none. In a request (sent) an empty element is null.
func (e *Tree) JSON(f, other *schema.Field, sent bool) string {
	if f.Type.IsLeaf() && len(f.Type.Fields) == 0 && len(e.Nodes) == 0 {
		return value(e.Text, f.Type)
	}
	var members []string
	add := func(name, text string) { members = append(members, Quote(name)+":"+text) }
	if f.Type.IsLeaf() && len(f.Type.Fields) > 0 {
		add("text", value(e.Text, f.Type))
	}
	for _, a := range e.Attrs {
		if at := attribute(f, other, a.Name.Local); at != nil {
			add(a.Name.Local, value(a.Value, at.Type))
		}
	}
	for i, c := range e.Nodes {
		in, inOther := child(f, c.XMLName.Local), child(other, c.XMLName.Local)
		if in == nil {
			in = inOther
		}
		switch {
		case in == nil:
			add(c.XMLName.Local, Quote(c.Text))
		case in.Many || in == itemsOf(f):
			if slices.IndexFunc(e.Nodes, func(n *Tree) bool { return n.XMLName.Local == in.Name }) == i {
				name := in.Name
				if in == itemsOf(f) {
					name = f.Name
				}
				add(name, e.array(in, inOther, sent))
			}
		case itemsOf(in) != nil && !in.Type.HasAttributes():
			add(in.Name, c.array(itemsOf(in), itemsOf(inOther), sent))
		case in.Type.IsLeaf():
			if text := value(c.Text, in.Type); text != "" {
				add(in.Name, text)
			} else if sent {
				add(in.Name, "null")
			}
			for _, a := range c.Attrs {
				if at := attribute(in, inOther, a.Name.Local); at != nil {
					add(in.Name+"_"+a.Name.Local, value(a.Value, at.Type))
				}
			}
		default:
			add(in.Name, c.JSON(in, inOther, sent))
		}
	}
	if items := itemsOf(f); items != nil && len(e.Nodes) == 0 {
		add(f.Name, "[]")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// array writes the children of a name.
func (e *Tree) array(items, other *schema.Field, sent bool) string {
	var texts []string
	for _, c := range e.Nodes {
		if c.XMLName.Local == items.Name {
			texts = append(texts, c.JSON(items, other, sent))
		}
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func itemsOf(f *schema.Field) *schema.Field {
	if f == nil {
		return nil
	}
	return f.Type.Items(f.Name)
}

func child(f *schema.Field, name string) *schema.Field {
	if f == nil {
		return nil
	}
	for _, c := range f.Type.Fields {
		if c.Name == name && !c.Attribute {
			return c
		}
	}
	return nil
}

func attribute(f, other *schema.Field, name string) *schema.Field {
	for _, of := range []*schema.Field{f, other} {
		if of == nil {
			continue
		}
		for _, c := range of.Type.Fields {
			if c.Name == name && c.Attribute {
				return c
			}
		}
	}
	return nil
}

var whole = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// value writes a text: nothing for an empty number or flag.
func value(text string, t *schema.Type) string {
	bare := t.Texts != 0 && t.Texts&^(schema.Whole|schema.Flag) == 0
	switch trimmed := strings.TrimSpace(text); {
	case bare && trimmed == "":
		return ""
	case t.Texts == schema.Flag && (trimmed == "1" || trimmed == "0"):
		return fmt.Sprint(trimmed == "1")
	case t.Texts&schema.Whole != 0 && whole.MatchString(trimmed):
		return trimmed
	}
	return Quote(text)
}

// Quote writes a text as a string of JSON.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

var inPath = regexp.MustCompile(`/[0-9]+`)

// Root returns the description of the body of a request, nil for one without. The path begins with /api/v1.
func Root(method, path string) *schema.Field {
	path, _, _ = strings.Cut(path, "?")
	return schema.RequestOf(method, inPath.ReplaceAllString(path, "/{id}"))
}

// Transport sends each request in JSON whose body is XML that the schema describes, and asks for the answer in XML.
type Transport struct {
	http.RoundTripper
	Sent *atomic.Int64 // how many it has sent in JSON
}

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	root := Root(r.Method, r.URL.Path)
	if root == nil || r.Body == nil || r.Header.Get("Content-Type") != "application/xml" {
		return t.RoundTripper.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	e, err := Parse(string(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", r.Method, r.URL.Path, err, body)
	}
	if e.XMLName.Local != root.Name {
		return nil, fmt.Errorf("%s %s is no %s: %s", r.Method, r.URL.Path, root.Name, body)
	}
	text := e.JSON(root, schema.Answer(root.Name), true)
	sent := r.Clone(r.Context())
	sent.Body, sent.ContentLength, sent.GetBody = io.NopCloser(strings.NewReader(text)), int64(len(text)), nil
	sent.Header.Set("Content-Type", "application/json")
	if sent.Header.Get("Accept") == "" {
		sent.Header.Set("Accept", "application/xml")
	}
	t.Sent.Add(1)
	return t.RoundTripper.RoundTrip(sent)
}
