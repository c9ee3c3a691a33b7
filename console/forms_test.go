package console_test

import (
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// form is a form of a page, as a browser would send it.
type form struct {
	action string
	fields []string // pairs of a name and its value
}

// form returns the form of the page at a path that is sent to an action, which is that path if the form names none.
func (s *shown) form(at, action string) form {
	s.t.Helper()
	page, err := html.Parse(strings.NewReader(s.body))
	must(s.t, err)
	for n := range page.Descendants() {
		if n.Data != "form" || attribute(n, "method") != "post" {
			continue
		}
		if to := attribute(n, "action"); to == action || to == "" && action == at {
			return form{action, fieldsOf(n)}
		}
	}
	s.t.Fatalf("no form is sent to %s:\n%s", action, s.text())
	return form{}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// fieldsOf returns what a browser sends of a form that nobody has typed into.
func fieldsOf(f *html.Node) (fields []string) {
	for n := range f.Descendants() {
		name := attribute(n, "name")
		switch {
		case name == "" || has(n, "disabled"):
		case n.Data == "textarea" && n.FirstChild != nil:
			fields = append(fields, name, n.FirstChild.Data)
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && has(o, "selected") {
					fields = append(fields, name, attribute(o, "value"))
				}
			}
		case n.Data != "input":
		case slices.Contains([]string{"checkbox", "radio"}, attribute(n, "type")) && !has(n, "checked"):
		default:
			fields = append(fields, name, attribute(n, "value"))
		}
	}
	return fields
}

// typing returns a form with other values in some fields.
func (f form) typing(pairs ...string) form {
	fields := slices.Clone(f.fields)
	for i := 0; i+1 < len(pairs); i += 2 {
		at := -2
		for n := 0; n+1 < len(fields); n += 2 {
			if fields[n] == pairs[i] {
				at = n
			}
		}
		if at < 0 {
			fields = append(fields, pairs[i], pairs[i+1])
		} else {
			fields[at+1] = pairs[i+1]
		}
	}
	return form{f.action, fields}
}

// send sends a form.
func (b *browser) send(f form) *shown {
	b.t.Helper()
	return b.post(f.action, f.fields...)
}

// formAt opens a page, and returns its form that is sent to a path; without one, to the page's own.
func (b *browser) formAt(page string, action ...string) form {
	b.t.Helper()
	at := b.base + "/" + page
	to := at
	if len(action) > 0 {
		to = b.base + "/" + action[0]
	}
	return b.get(page).is(http.StatusOK).form(at, to)
}

// undoOf does what a form asks for, and returns the Undo of what the next page says.
func (b *browser) undoOf(f form, undo string) form {
	b.t.Helper()
	next := b.send(f).is(http.StatusSeeOther).location
	page, err := html.Parse(strings.NewReader(b.get(next).is(http.StatusOK).body))
	must(b.t, err)
	for n := range page.Descendants() {
		if n.Data == "form" && n.Parent != nil && attribute(n.Parent, "class") == "message" && attribute(n, "action") == b.base+"/"+undo {
			return form{b.base + "/" + undo, fieldsOf(n)}
		}
	}
	b.t.Fatalf("the page has no Undo by %s", undo)
	return form{}
}
