package house

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Element is any XML element.
type Element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []Element  `xml:",any"`
}

// Node is an element of an answer. If an expected part is missing, the test fails.
type Node struct {
	T testing.TB
	*Element
}

// Parse reads XML.
func Parse(t testing.TB, document []byte) Node {
	t.Helper()
	var e Element
	if err := xml.Unmarshal(document, &e); err != nil {
		t.Fatalf("not XML: %v: %s", err, document)
	}
	return Node{t, &e}
}

// Name returns the name of the element.
func (n Node) Name() string { return n.XMLName.Local }

// Nodes returns the elements right below.
func (n Node) Nodes() []Node {
	var nodes []Node
	for i := range n.Children {
		nodes = append(nodes, Node{n.T, &n.Children[i]})
	}
	return nodes
}

// All returns the elements at the path below.
func (n Node) All(path string) []Node {
	name, rest, deeper := strings.Cut(path, "/")
	name, index := splitIndex(name)
	var found []Node
	count := 0
	for _, c := range n.Nodes() {
		if c.Name() != name {
			continue
		}
		if count++; index > 0 && count != index {
			continue
		}
		if deeper {
			found = append(found, c.All(rest)...)
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

// Find returns the text of the first element at the path below. If the path ends in @name, it returns that attribute.
// It reports whether there is one.
func (n Node) Find(path string) (string, bool) {
	var attribute string
	if at := strings.LastIndexByte(path, '@'); at >= 0 {
		path, attribute = strings.TrimSuffix(path[:at], "/"), path[at+1:]
	}
	found := []Node{n}
	if path != "" {
		found = n.All(path)
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

// At returns the result of Find. The test fails if there is none.
func (n Node) At(path string) string {
	n.T.Helper()
	value, found := n.Find(path)
	if !found {
		n.T.Fatalf("%s has no %s", n, path)
	}
	return value
}

// Only returns the only element at the path below. The test fails if there are none or several.
func (n Node) Only(path string) Node {
	n.T.Helper()
	found := n.All(path)
	if len(found) != 1 {
		n.T.Fatalf("%s has %d %s, not one", n, len(found), path)
	}
	return found[0]
}

// URI returns the node's own address.
func (n Node) URI() string {
	n.T.Helper()
	return n.At("@uri")
}

// Ore returns the amount at the path in øre.
func (n Node) Ore(path string) int {
	n.T.Helper()
	text := n.At(path)
	v, err := strconv.Atoi(strings.Replace(text, ".", "", 1))
	if point := strings.IndexByte(text, '.'); err != nil || point != len(text)-3 {
		n.T.Fatalf("%s is not an amount with two decimals: %q", path, text)
	}
	return v
}

// Kroner writes øre as the interface writes amounts.
func Kroner(ore int) string {
	if ore < 0 {
		return "-" + Kroner(-ore)
	}
	return fmt.Sprintf("%d.%02d", ore/100, ore%100)
}

// Texts returns At(path) of each of the nodes.
func Texts(nodes []Node, path string) []string {
	found := []string{}
	for _, n := range nodes {
		n.T.Helper()
		found = append(found, n.At(path))
	}
	return found
}

// Shows fails the test unless the node has all of the values. Each is a path, a blank and the value. A path alone must
// exist and be empty. A path after "no " must not exist.
func (n Node) Shows(values ...string) Node {
	n.T.Helper()
	for _, v := range values {
		if path, absent := strings.CutPrefix(v, "no "); absent {
			if got, found := n.Find(path); found {
				n.T.Errorf("%s has %s: %q", n, path, got)
			}
			continue
		}
		path, want, _ := strings.Cut(v, " ")
		if got, found := n.Find(path); !found {
			n.T.Errorf("%s has no %s", n, path)
		} else if got != want {
			n.T.Errorf("%s: %s is %q, want %q", n, path, got, want)
		}
	}
	return n
}

// ConsistsOf fails the test unless the node has exactly these attributes (with @), in any order, and these child elements,
// in this order.
func (n Node) ConsistsOf(names string) Node {
	n.T.Helper()
	var attributes, got, wantAttributes, want []string
	for _, a := range n.Attrs {
		attributes = append(attributes, "@"+a.Name.Local)
	}
	for _, c := range n.Nodes() {
		got = append(got, c.Name())
	}
	for _, name := range strings.Fields(names) {
		if strings.HasPrefix(name, "@") {
			wantAttributes = append(wantAttributes, name)
		} else {
			want = append(want, name)
		}
	}
	slices.Sort(attributes)
	slices.Sort(wantAttributes)
	if !slices.Equal(attributes, wantAttributes) || !slices.Equal(got, want) {
		n.T.Errorf("%s consists of\n\t%s\nwant\n\t%s", n, strings.Join(append(attributes, got...), " "), names)
	}
	return n
}

// Equals fails the test unless both nodes are the same XML. It ignores when shipments were sent.
func (n Node) Equals(other Node) {
	n.T.Helper()
	if a, b := n.Element.Write(), other.Element.Write(); a != b {
		n.T.Errorf("one is\n%s\nthe other\n%s", a, b)
	}
}

// Write writes an element so that two can be compared.
func (e *Element) Write() string {
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
		b.WriteString(e.Children[i].Write())
	}
	b.WriteString("</" + e.XMLName.Local + ">\n")
	return b.String()
}

// String names the node for messages.
func (n Node) String() string {
	if uri, has := n.Find("@uri"); has {
		return n.Name() + " " + uri[strings.LastIndexByte(uri, '/')+1:]
	}
	return n.Name()
}
