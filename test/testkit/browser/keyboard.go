package browser

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp/kb"
)

// named keys, as Keys takes them.
var keys = map[string]string{
	"Enter": kb.Enter, "Tab": kb.Tab, "Escape": kb.Escape, "Delete": kb.Delete, "Backspace": kb.Backspace, "Space": " ",
	"ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
	"Home": kb.Home, "End": kb.End,
}

// Keys presses keys one after the other: letters, or names such as Enter, Tab, Escape, ArrowDown. "Shift+" before a key
// holds the shift key down. It waits for no page: see Loads.
func (p *Page) Keys(pressed ...string) {
	p.T.Helper()
	for _, key := range pressed {
		key, shifted := strings.CutPrefix(key, "Shift+")
		if code, known := keys[key]; known {
			key = code
		}
		shift := int64(0)
		if shifted {
			shift = int64(kb.ModifierShift)
		}
		p.press(key, shift)
	}
}

// press presses the keys of a text one after the other. The key and what it types are one event, as a keyboard's are: a page
// that keeps a key for itself keeps it from being typed too, also into the page that the key leads to.
func (p *Page) press(text string, modifiers int64) {
	p.T.Helper()
	for _, r := range text {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if len(events) > 2 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		down.Modifiers |= modifiers
		up.Modifiers |= modifiers
		call(p, input.DispatchKeyEvent, down)
		call(p, input.DispatchKeyEvent, up)
	}
}

// Focused returns the element that has the focus; nil if none has.
func (p *Page) Focused() *Element {
	p.T.Helper()
	active := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.activeElement === document.body ? null : document.activeElement"})
	if active.Result.ObjectID == "" {
		return nil
	}
	alone := false
	found := call(p, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: active.Result.ObjectID, FetchRelatives: &alone})
	e, err := p.element(p.ctx, found.Nodes[0])
	if err != nil {
		p.T.Fatalf("%s: what has the focus: %v", p.events.address(), err)
	}
	return e
}

// FocusStart takes the focus to the page's beginning, from where Tab goes to what is first.
func (p *Page) FocusStart() {
	p.T.Helper()
	if !p.look.scriptsOff { // what has autofocus gets it when the page is drawn
		Evaluate[bool](p, `new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
	}
	Evaluate[bool](p, `(b => { b.tabIndex = -1; b.focus(); b.removeAttribute("tabindex"); return true })(document.body)`)
}

// TabOrder goes through the whole page by the key Tab, from its beginning, and returns what gets the focus, in that order.
func (p *Page) TabOrder() []*Element {
	p.T.Helper()
	p.FocusStart()
	var order []*Element
	for {
		p.Keys("Tab")
		e := p.Focused()
		if e == nil {
			return order
		}
		switch before := slices.IndexFunc(order, e.same); before {
		case -1:
			order = append(order, e)
		case len(order) - 1: // a date has several stops
		default:
			return order
		}
	}
}

// same reports whether both are the same part of the page.
func (e *Element) same(other *Element) bool {
	return e.node.BackendDOMNodeID == other.node.BackendDOMNodeID
}
