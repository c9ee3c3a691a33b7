package camt

import "strings"

// grammarRoot is the name of the outermost element.
const grammarRoot = "Document"

// element says what the reader does with an XML element and its children. Elements that the reader does not use are not in
// the grammar; the reader skips them with their content.
type element struct {
	name     string
	children map[string]*element
	order    []*element // the children in their required order
	position int        // among its siblings
	many     bool       // may come more than once
	needed   bool       // is required
	start    func(r *Reader)
	end      func(r *Reader)
	value    func(r *Reader, v value) // nil if the text of the element is not used
}

// value is the content of an element of text.
type value struct {
	text     string // without blanks around it
	currency string // the attribute Ccy
}

// rule is a line of the grammar.
type rule struct {
	path string // the names of the elements from the message down
	element
	only Version // empty if both versions have it
}

// compile returns the tree of elements of a version. The rules stand in the order of the elements.
func compile(v Version, rules []rule) *element {
	root := &element{name: grammarRoot, children: map[string]*element{}}
	for _, r := range rules {
		if r.only != "" && r.only != v {
			continue
		}
		at := root
		for name := range strings.SplitSeq(r.path, "/") {
			at = at.child(name)
		}
		at.many, at.needed, at.start, at.end, at.value = r.many, r.needed, r.start, r.end, r.value
	}
	return root
}

// child returns the child of a name. If there is none, it adds one after the others.
func (e *element) child(name string) *element {
	c := e.children[name]
	if c == nil {
		c = &element{name: name, position: len(e.order), children: map[string]*element{}}
		e.children[name] = c
		e.order = append(e.order, c)
	}
	return c
}

// many lets an element come any number of times.
func many(r rule) rule {
	r.many = true
	return r
}

// needed makes an element required.
func needed(r rule) rule {
	r.needed = true
	return r
}

// in02 and in08 restrict an element to one version.
func in02(r rule) rule {
	r.only = Version02
	return r
}

func in08(r rule) rule {
	r.only = Version08
	return r
}
