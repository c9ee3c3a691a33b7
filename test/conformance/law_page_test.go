package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEachTestThatTheLawPageNamesExists reads docs/LAW.md: a rule of the law that it calls tested has its test.
func TestEachTestThatTheLawPageNamesExists(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "LAW.md"))
	must(t, err)
	var known []string
	for _, test := range readTests(t) {
		known = append(known, test.name)
	}
	named := regexp.MustCompile(`\b[a-z0-9/]+\.(Test|Fuzz)[A-Z]\w*`).FindAllString(string(page), -1)
	if len(named) < 40 {
		t.Errorf("the page names %d tests", len(named))
	}
	for _, name := range named {
		if name != "conformance.TestX" && !slices.Contains(known, name) {
			t.Errorf("the page names %s, which there is not", name)
		}
	}
}
