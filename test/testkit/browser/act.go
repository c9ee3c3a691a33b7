package browser

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"purr/test/testkit"
)

// Click clicks on the middle of the element, as soon as nothing lies over it. It waits for no page: see Follow.
func (e *Element) Click() {
	e.page.T.Helper()
	call(e.page, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node.BackendDOMNodeID})
	var x, y float64
	testkit.Eventually(e.page.T, "click on "+e.Role+" "+e.Name, func() (bool, any) {
		box, err := try(e.page.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.node.BackendDOMNodeID})
		if err != nil || len(box.Quads) == 0 {
			return false, fmt.Sprint("it is not shown: ", err)
		}
		quad := box.Quads[0]
		x, y = (quad[0]+quad[2]+quad[4]+quad[6])/4, (quad[1]+quad[3]+quad[5]+quad[7])/4
		over := on[string](e, fmt.Sprintf(`function() {
			const top = document.elementFromPoint(%f, %f)
			if (top && (this.contains(top) || Array.from(this.labels ?? []).some(l => l.contains(top)))) return ""
			return top ? top.outerHTML.slice(0, 200) : "nothing"
		}`, x, y))
		return over == "", "over it lies " + over
	})
	for _, kind := range []input.DispatchMouseEventType{chromedp.MouseMoved, chromedp.MousePressed, chromedp.MouseReleased} {
		press := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
		if kind != chromedp.MouseMoved {
			press.Button, press.ClickCount = input.MouseButtonLeft, 1
		}
		call(e.page, input.DispatchMouseEvent, press)
	}
}

// Follow clicks, and returns when the page that the click loads has loaded.
func (e *Element) Follow() {
	e.page.T.Helper()
	e.page.Loads(e.Click)
}

// Type replaces what is in a field by a text. A date is typed as 2026-11-22.
func (e *Element) Type(text string) {
	e.page.T.Helper()
	if e.Role == "date" || e.Role == "combobox" {
		e.set(text) // its keys depend on the language
		return
	}
	e.Focus()
	on[bool](e, `function() { this.select(); return true }`)
	e.page.Keys("Delete")
	e.page.press(text, 0)
}

// Choose chooses an option of a list by its text.
func (e *Element) Choose(option string) {
	e.page.T.Helper()
	value := on[string](e, `function() { return Array.from(this.options).find(o => o.text.trim() == `+quote(option)+`)?.value ?? "no such option" }`)
	e.set(value)
	if got := e.Value(); got != value {
		e.page.T.Fatalf("%s %q has no option %q", e.Role, e.Name, option)
	}
}

func (e *Element) set(value string) {
	e.page.T.Helper()
	on[bool](e, `function() {
		this.focus()
		this.value = `+quote(value)+`
		this.dispatchEvent(new Event("input", {bubbles: true}))
		this.dispatchEvent(new Event("change", {bubbles: true}))
		return true
	}`)
}

// Focus sets the focus on the element.
func (e *Element) Focus() {
	e.page.T.Helper()
	call(e.page, dom.Focus, dom.FocusParams{BackendNodeID: e.node.BackendDOMNodeID})
}

// Upload chooses files in an input of files.
func (e *Element) Upload(files ...string) {
	e.page.T.Helper()
	call(e.page, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: e.node.BackendDOMNodeID})
}
