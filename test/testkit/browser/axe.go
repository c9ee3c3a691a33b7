package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/page"
)

// axe is axe-core. axe/README.md says where it comes from.
//
//go:embed axe/axe.min.js
var axe string

// AA are the tags of what WCAG 2.0 to 2.2 demand at the levels A and AA.
var AA = []string{"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"}

// Violation is a rule of axe-core that a page violates.
type Violation struct {
	ID    string
	Help  string
	Nodes []struct {
		Target         []any
		HTML           string
		FailureSummary string
	}
}

// String names the rule and each element that violates it.
func (v Violation) String() string {
	text := v.ID + ": " + v.Help
	for _, n := range v.Nodes {
		text += fmt.Sprintf("\n\t%v %.200s\n\t%s", n.Target, n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " "))
	}
	return text
}

// colours are the rules of axe-core whose answer depends on the page's colours.
var colours = []string{"color-contrast", "link-in-text-block"}

// Axe has axe-core look at the page, and returns what it finds against the rules of the tags, or against the rules with these
// names. It needs scripts. The tab gets axe-core once, and shows it to each page that it loads from then on: it is so large that
// getting it takes longer than running it.
func (p *Page) Axe(rules ...string) []Violation {
	p.T.Helper()
	if !Evaluate[bool](p, "'bringAxe' in window") {
		script, now := "function bringAxe() { "+axe+" }", true
		call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script, RunImmediately: &now})
	}
	if !Evaluate[bool](p, "'axe' in window") {
		Evaluate[bool](p, "bringAxe(); true")
	}
	wanted, err := json.Marshal(rules)
	if err != nil {
		p.T.Fatal(err)
	}
	return Evaluate[[]Violation](p, fmt.Sprintf(axeRun, wanted))
}

// axeRun is a script that has axe-core look at the page by its rules %s. Beforehand axe-core reads media only, for a rule of A; style
// sheets it would read for an experimental rule. Where the elements are it finds out only if there is a violation.
const axeRun = `(async () => {
	const options = {runOnly: %s, resultTypes: ["violations"], preload: {assets: ["media"]}}
	const {violations} = await axe.run(document, {...options, selectors: false})
	return violations.length ? (await axe.run(document, options)).violations : []
})()`

// MustBeAccessible fails the test if axe-core finds that the page violates WCAG 2.2 AA.
func (p *Page) MustBeAccessible() {
	p.T.Helper()
	p.mustKeep(AA)
}

// MustHaveContrast fails the test if axe-core finds that the page's colours violate WCAG 2.2 AA. It is for a page that is shown
// in other colours, and that MustBeAccessible has seen.
func (p *Page) MustHaveContrast() {
	p.T.Helper()
	p.mustKeep(colours)
}

func (p *Page) mustKeep(rules []string) {
	p.T.Helper()
	for _, violation := range p.Axe(rules...) {
		p.T.Errorf("%s: %s", p.events.address(), violation)
	}
}
