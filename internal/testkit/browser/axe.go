package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
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

// Axe has axe-core look at the page, and returns what it finds against the rules of the tags. It needs scripts.
func (p *Page) Axe(tags ...string) []Violation {
	p.T.Helper()
	if !Evaluate[bool](p, "'axe' in window") {
		Evaluate[bool](p, axe+"; true")
	}
	rules, err := json.Marshal(tags)
	if err != nil {
		p.T.Fatal(err)
	}
	return Evaluate[[]Violation](p, `axe.run(document, {runOnly: `+string(rules)+`, resultTypes: ["violations"]}).then(found => found.violations)`)
}

// MustBeAccessible fails the test if axe-core finds that the page violates WCAG 2.2 AA.
func (p *Page) MustBeAccessible() {
	p.T.Helper()
	for _, violation := range p.Axe(AA...) {
		p.T.Errorf("%s: %s", p.events.address(), violation)
	}
}
