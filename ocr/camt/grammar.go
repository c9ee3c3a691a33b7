package camt

import "strings"

// grammarRoot is the name of the element that all others are in.
const grammarRoot = "Document"

// element is what the reader does with an XML element, and with those in it. Elements that it has no use
// for are not in the grammar; they are skipped with all that is in them.
type element struct {
	name     string
	children map[string]*element
	order    []*element // the children, as they must follow each other
	position int        // among its siblings
	many     bool       // may come more than once
	needed   bool       // must be there
	start    func(r *Reader)
	end      func(r *Reader)
	value    func(r *Reader, v value) // nil where the text of the element is of no use
}

// value is what an element of text says.
type value struct {
	text     string // without blanks around it
	currency string // the attribute Ccy
}

// rule is a line of the grammar.
type rule struct {
	path string // the names of the elements from the message down
	element
	only Version // empty where both versions have it
}

// compile makes the tree of elements of a version. The rules stand in the order of the elements.
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

// child returns the child of the name, a new one after all others where there is none.
func (e *element) child(name string) *element {
	c := e.children[name]
	if c == nil {
		c = &element{name: name, position: len(e.order), children: map[string]*element{}}
		e.children[name] = c
		e.order = append(e.order, c)
	}
	return c
}

// many has an element come any number of times.
func many(r rule) rule {
	r.many = true
	return r
}

// needed has an element be there.
func needed(r rule) rule {
	r.needed = true
	return r
}

// in02 and in08 have an element be of one version only.
func in02(r rule) rule {
	r.only = Version02
	return r
}

func in08(r rule) rule {
	r.only = Version08
	return r
}
