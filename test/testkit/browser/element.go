package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"purr/test/testkit"
)

// Element is a part of a page as the accessibility tree has it. It is gone when another page is loaded.
type Element struct {
	Role        string // as ARIA names it: button, textbox, link, heading, radio, region, table, status, alert …
	Name        string
	Description string

	page *Page
	node *accessibility.Node
}

// within is where to look for elements: a page or an element.
type within struct {
	page *Page
	root cdp.BackendNodeID
}

// ariaRoles are the roles that Chromium has names of its own for.
var ariaRoles = map[string]string{"image": "img", "Date": "date", "DisclosureTriangle": "summary"}

// Find returns the only element of a role and name. An asterisk at the end of the name stands for any words. Besides the
// roles of ARIA there is "date", an input of a date, and "file", an input of a file. The test fails if there are none or
// several. Find does not wait: see Await.
func (p *Page) Find(role, name string) *Element { p.T.Helper(); return p.all().find(role, name) }

// All returns the elements of a role, in the page's order.
func (p *Page) All(role string) []*Element { p.T.Helper(); return p.all().ofRole(role) }

// Has reports whether there is an element of a role and name.
func (p *Page) Has(role, name string) bool {
	p.T.Helper()
	return len(named(p.All(role), name)) > 0
}

// Await returns the element of a role and name as soon as there is one: for what a page shows later, by itself. The page may
// load itself again meanwhile.
func (p *Page) Await(role, name string) *Element {
	p.T.Helper()
	var found []*Element
	while := time.Second // for one look; on a slow machine the next one has longer
	testkit.Eventually(p.T, role+" "+name, func() (bool, any) {
		elements, err := p.glance(role, while)
		if errors.Is(err, context.DeadlineExceeded) {
			while *= 2
		}
		if err != nil {
			return false, err
		}
		found = named(elements, name)
		return len(found) == 1, names(elements)
	})
	return found[0]
}

// glance returns the elements of a role in a page that may be replaced meanwhile. It reads the whole tree: asked for a role
// alone, Chromium waits until the tree is in order, and if another page comes first neither that page nor an answer ever comes.
// It gives up after a while, or as soon as another page is shown: what was asked about the one before may get no answer either.
func (p *Page) glance(role string, while time.Duration) ([]*Element, error) {
	ctx, cancel := context.WithTimeout(p.ctx, while)
	defer cancel()
	document := p.events.shown()
	go func() {
		defer cancel()
		p.events.await(ctx, func() bool { return p.events.document != document })
	}()
	tree, err := try(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return nil, err
	}
	return p.elements(ctx, tree.Nodes, role)
}

// Find returns the only element of a role and name in this one.
func (e *Element) Find(role, name string) *Element {
	e.page.T.Helper()
	return e.all().find(role, name)
}

// All returns the elements of a role in this one.
func (e *Element) All(role string) []*Element { e.page.T.Helper(); return e.all().ofRole(role) }

// Has reports whether there is an element of a role and name in this one.
func (e *Element) Has(role, name string) bool {
	e.page.T.Helper()
	return len(named(e.All(role), name)) > 0
}

func (p *Page) all() within {
	p.T.Helper()
	document := call(p, dom.GetDocument, dom.GetDocumentParams{})
	return within{p, document.Root.BackendNodeID}
}

func (e *Element) all() within { return within{e.page, e.node.BackendDOMNodeID} }

func (w within) ofRole(role string) []*Element {
	w.page.T.Helper()
	query := accessibility.QueryAXTreeParams{BackendNodeID: w.root}
	if !slices.Contains([]string{"img", "date", "summary", "file"}, role) {
		query.Role = role
	}
	found := call(w.page, accessibility.QueryAXTree, query)
	nodes := slices.DeleteFunc(found.Nodes, func(n *accessibility.Node) bool { return n.BackendDOMNodeID == w.root })
	elements, err := w.page.elements(w.page.ctx, nodes, role)
	if err != nil {
		w.page.T.Fatalf("%s: find %s: %v", w.page.events.address(), role, err)
	}
	return elements
}

// elements makes Elements of those nodes of the accessibility tree that have the role, or of all if it is empty.
func (p *Page) elements(ctx context.Context, nodes []*accessibility.Node, role string) ([]*Element, error) {
	var elements []*Element
	for _, node := range nodes {
		if node.Ignored {
			continue
		}
		e, err := p.element(ctx, node)
		if err != nil {
			return nil, err
		}
		if e.Role == role || role == "" {
			elements = append(elements, e)
		}
	}
	return elements, nil
}

// element makes an Element of a node of the accessibility tree.
func (p *Page) element(ctx context.Context, node *accessibility.Node) (*Element, error) {
	e := &Element{page: p, node: node, Role: text(node.Role), Name: plain(text(node.Name)), Description: plain(text(node.Description))}
	if role, known := ariaRoles[e.Role]; known {
		e.Role = role
	}
	if e.Role == "button" {
		// Chromium takes an input of a file for a button, named after its label and the file.
		kind, err := p.function(ctx, node.BackendDOMNodeID, `function() { return this.type || "" }`)
		if err != nil {
			return nil, err
		}
		if string(kind) == `"file"` {
			e.Role = "file"
			e.Name, _, _ = strings.Cut(e.Name, ":")
		}
	}
	return e, nil
}

// text reads a value of the accessibility tree.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	if err := json.Unmarshal(v.Value, &s); err != nil {
		return string(v.Value) // a number or a truth value
	}
	return s
}

func (w within) find(role, name string) *Element {
	w.page.T.Helper()
	all := w.ofRole(role)
	found := named(all, name)
	if len(found) != 1 {
		w.page.T.Fatalf("%s has %d of %s %q; it has %s", w.page.events.address(), len(found), role, name, names(all))
	}
	return found[0]
}

func named(elements []*Element, name string) []*Element {
	name = plain(name)
	prefix, open := strings.CutSuffix(name, "*")
	return slices.DeleteFunc(slices.Clone(elements), func(e *Element) bool {
		return e.Name != name && (!open || !strings.HasPrefix(e.Name, prefix))
	})
}

func names(elements []*Element) string {
	quoted := []string{}
	for _, e := range elements {
		quoted = append(quoted, fmt.Sprintf("%s %q", e.Role, e.Name))
	}
	return strings.Join(quoted, ", ")
}

// Text returns the text of the element as a person sees it.
func (e *Element) Text() string {
	e.page.T.Helper()
	return plain(on[string](e, `function() { return (this.innerText ?? this.textContent).trim() }`))
}

// Attribute returns an attribute of the element; empty if it has none.
func (e *Element) Attribute(name string) string {
	e.page.T.Helper()
	return on[string](e, `function() { return this.getAttribute(`+quote(name)+`) ?? "" }`)
}

// Value returns what is typed into the element, or chosen in it.
func (e *Element) Value() string {
	e.page.T.Helper()
	return on[string](e, `function() { return this.value ?? "" }`)
}

// Checked reports whether a radio or a checkbox is checked.
func (e *Element) Checked() bool { return e.state(accessibility.PropertyNameChecked) }

// Disabled reports whether the element says that it is disabled, by whatever attribute.
func (e *Element) Disabled() bool { return e.state(accessibility.PropertyNameDisabled) }

// Invalid reports whether the element says that its value is wrong.
func (e *Element) Invalid() bool { return e.state(accessibility.PropertyNameInvalid) }

// Selected reports whether a row or an option says that it is selected.
func (e *Element) Selected() bool {
	e.page.T.Helper()
	return e.Attribute("aria-selected") == "true" // of a row Chromium's tree tells it in grids alone
}

// state returns a property of the element as it was when the element was found.
func (e *Element) state(name accessibility.PropertyName) bool {
	for _, p := range e.node.Properties {
		if p.Name == name {
			return text(p.Value) == "true"
		}
	}
	return false
}

// Rows returns the texts of a table's cells, row by row.
func (e *Element) Rows() [][]string {
	e.page.T.Helper()
	return on[[][]string](e, `function() { return Array.from(this.rows, r => Array.from(r.cells, c => c.innerText.trim())) }`)
}

// Row returns the texts of the cells in the table's only row that begins with a text.
func (e *Element) Row(first string) []string {
	e.page.T.Helper()
	var found [][]string
	for _, row := range e.Rows() {
		if len(row) > 0 && row[0] == first {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		e.page.T.Fatalf("table %q has %d rows %q: %q", e.Name, len(found), first, e.Rows())
	}
	return found[0]
}

// on calls a JavaScript function on the element.
func on[T any](e *Element, function string) T {
	e.page.T.Helper()
	var value T
	result, err := e.page.function(e.page.ctx, e.node.BackendDOMNodeID, function)
	if err == nil {
		err = json.Unmarshal(result, &value)
	}
	if err != nil {
		e.page.T.Fatalf("%s: %s %q: %v", e.page.events.address(), e.Role, e.Name, err)
	}
	return value
}

// function calls a JavaScript function on a node, and returns its result as JSON.
func (p *Page) function(ctx context.Context, node cdp.BackendNodeID, declaration string) ([]byte, error) {
	object, err := try(ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node})
	if err != nil {
		return nil, err
	}
	byValue := true
	result, err := try(ctx, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: declaration, ObjectID: object.Object.ObjectID, ReturnByValue: &byValue,
	})
	if err != nil {
		return nil, err
	}
	if result.ExceptionDetails != nil {
		return nil, &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	return result.Result.Value, nil
}
