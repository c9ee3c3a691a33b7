package conformance_test

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// element is any element of an answer.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func parse(body []byte) (*element, error) {
	var e element
	if err := xml.Unmarshal(body, &e); err != nil {
		return nil, err
	}
	return &e, nil
}

// node is an element of an answer that a test looks at.
type node struct {
	t testing.TB
	*element
}

func (n node) name() string { return n.XMLName.Local }

func (n node) text() string { return n.Text }

func (n node) children() []node {
	var nodes []node
	for i := range n.Children {
		nodes = append(nodes, node{n.t, &n.Children[i]})
	}
	return nodes
}

// all returns the elements at the path below.
func (n node) all(path string) []node {
	name, rest, deeper := strings.Cut(path, "/")
	name, index := splitIndex(name)
	var found []node
	count := 0
	for _, c := range n.children() {
		if c.name() != name {
			continue
		}
		if count++; index > 0 && count != index {
			continue
		}
		if deeper {
			found = append(found, c.all(rest)...)
		} else {
			found = append(found, c)
		}
	}
	return found
}

// splitIndex reads line[2].
func splitIndex(name string) (string, int) {
	bare, index, indexed := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !indexed {
		return name, 0
	}
	i, err := strconv.Atoi(index)
	if err != nil {
		panic("not an index: " + name)
	}
	return bare, i
}

// find returns the text of the first element at the path below, or its attribute where the path ends in @name,
// and reports whether it is there.
func (n node) find(path string) (string, bool) {
	var attribute string
	if at := strings.LastIndexByte(path, '@'); at >= 0 {
		path, attribute = strings.TrimSuffix(path[:at], "/"), path[at+1:]
	}
	found := []node{n}
	if path != "" {
		found = n.all(path)
	}
	if len(found) == 0 {
		return "", false
	}
	if attribute == "" {
		return found[0].Text, true
	}
	for _, a := range found[0].Attrs {
		if a.Name.Local == attribute {
			return a.Value, true
		}
	}
	return "", false
}

// at returns what find finds, which must be there.
func (n node) at(path string) string {
	n.t.Helper()
	value, found := n.find(path)
	if !found {
		n.t.Fatalf("%s has no %s", n, path)
	}
	return value
}

// only returns the element at the path below, which must be there once.
func (n node) only(path string) node {
	n.t.Helper()
	found := n.all(path)
	if len(found) != 1 {
		n.t.Fatalf("%s has %d %s, not one", n, len(found), path)
	}
	return found[0]
}

// uri returns the node's own address.
func (n node) uri() string {
	n.t.Helper()
	return n.at("@uri")
}

// ore returns the amount at the path in øre.
func (n node) ore(path string) int {
	n.t.Helper()
	text := n.at(path)
	v, err := strconv.Atoi(strings.Replace(text, ".", "", 1))
	if point := strings.IndexByte(text, '.'); err != nil || point != len(text)-3 {
		n.t.Fatalf("%s is not an amount with two decimals: %q", path, text)
	}
	return v
}

// kroner writes øre as the interface writes amounts.
func kroner(ore int) string {
	if ore < 0 {
		return "-" + kroner(-ore)
	}
	return fmt.Sprintf("%d.%02d", ore/100, ore%100)
}

// texts returns at(path) of each of the nodes.
func texts(nodes []node, path string) []string {
	found := []string{}
	for _, n := range nodes {
		n.t.Helper()
		found = append(found, n.at(path))
	}
	return found
}

// shows fails the test unless the node shows all of the values: each a path, a blank and the value. A path
// alone must be there and be empty; one after "no " must not be there.
func (n node) shows(values ...string) node {
	n.t.Helper()
	for _, v := range values {
		if path, absent := strings.CutPrefix(v, "no "); absent {
			if got, found := n.find(path); found {
				n.t.Errorf("%s has %s: %q", n, path, got)
			}
			continue
		}
		path, want, _ := strings.Cut(v, " ")
		if got, found := n.find(path); !found {
			n.t.Errorf("%s has no %s", n, path)
		} else if got != want {
			n.t.Errorf("%s: %s is %q, want %q", n, path, got, want)
		}
	}
	return n
}

// consistsOf fails the test unless the node has exactly these attributes (with @) and child elements, the
// elements in this order.
func (n node) consistsOf(names string) node {
	n.t.Helper()
	var attributes, got []string
	for _, a := range n.Attrs {
		attributes = append(attributes, "@"+a.Name.Local)
	}
	slices.Sort(attributes)
	for _, c := range n.children() {
		got = append(got, c.name())
	}
	got = append(attributes, got...)
	want := strings.Fields(names)
	slices.SortStableFunc(want, func(a, b string) int {
		switch isA, isB := strings.HasPrefix(a, "@"), strings.HasPrefix(b, "@"); {
		case isA && isB:
			return strings.Compare(a, b)
		case isA:
			return -1
		case isB:
			return 1
		}
		return 0
	})
	if !slices.Equal(got, want) {
		n.t.Errorf("%s consists of\n\t%s\nwant\n\t%s", n, strings.Join(got, " "), strings.Join(want, " "))
	}
	return n
}

// equals fails the test unless both nodes are the same XML, but for when shipments were sent.
func (n node) equals(other node) {
	n.t.Helper()
	if a, b := n.element.write(), other.element.write(); a != b {
		n.t.Errorf("one is\n%s\nthe other\n%s", a, b)
	}
}

// write writes an element so that two can be compared.
func (e *element) write() string {
	var b strings.Builder
	b.WriteString("<" + e.XMLName.Local)
	for _, a := range e.Attrs {
		fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
	}
	b.WriteString(">")
	if e.XMLName.Local != "sent_at" {
		b.WriteString(strings.TrimSpace(e.Text))
	}
	for i := range e.Children {
		b.WriteString(e.Children[i].write())
	}
	b.WriteString("</" + e.XMLName.Local + ">\n")
	return b.String()
}

// String names the node for messages.
func (n node) String() string {
	if uri, has := n.find("@uri"); has {
		return n.name() + " " + uri[strings.LastIndexByte(uri, '/')+1:]
	}
	return n.name()
}

// same fails the test unless both lists are the same.
func same[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n\t%v\nwant\n\t%v", what, got, want)
	}
}

// equal fails the test unless both are the same.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
