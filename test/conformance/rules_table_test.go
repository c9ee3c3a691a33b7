package conformance_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/test/testkit"
)

const root = "../.."

// TestReferenceRules makes docs/RULES.md from the tests that there are. It fails where a rule that must have a test
// has none, or a test names a rule that there is not.
func TestReferenceRules(t *testing.T) {
	tests := readTests(t)
	proofs := map[string][]string{}
	for _, r := range slices.Concat(described, added) {
		proofs[r.id] = []string{}
	}
	for _, test := range tests {
		for _, id := range test.rules {
			if _, known := proofs[id]; !known {
				t.Errorf("%s is a test of rule %s, which there is not", test.name, id)
			}
			proofs[id] = append(proofs[id], test.name)
		}
	}
	for _, r := range described {
		if len(proofs[r.id]) == 0 {
			t.Errorf("rule %s (%s) has no test", r.id, r.says)
		}
	}
	bySection := map[string][]string{}
	for _, test := range tests {
		if name, is := strings.CutPrefix(test.name, "conformance.TestInterface"); is {
			bySection[sectionOf(name)] = append(bySection[sectionOf(name)], test.name)
		}
	}
	for _, s := range sections {
		if len(bySection[s.tests]) == 0 {
			t.Errorf("section %s of the description has no test", s.title)
		}
	}
	if strays := bySection[""]; len(strays) > 0 {
		t.Errorf("of no section of the description: %v", strays)
	}
	testkit.Reference(t, "RULES.md", writeTable(bySection, proofs))
}

// sectionOf returns the section whose name a test's begins with, the longest one: InvoiceStatuses, not Invoice.
func sectionOf(name string) string {
	longest := ""
	for _, s := range sections {
		if strings.HasPrefix(name, s.tests) && len(s.tests) > len(longest) {
			longest = s.tests
		}
	}
	return longest
}

// provingTest is a test function and the rules that it proves.
type provingTest struct {
	name  string // with the folder of its package, but for test/
	rules []string
}

// readTests returns the test functions and fuzz targets of the whole project, in the order of their names.
func readTests(t *testing.T) []provingTest {
	t.Helper()
	var tests []provingTest
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			found, err := testsOf(path)
			tests = append(tests, found...)
			return err
		}
		return nil
	})
	must(t, err)
	slices.SortFunc(tests, func(a, b provingTest) int { return strings.Compare(a.name, b.name) })
	return tests
}

func testsOf(path string) ([]provingTest, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var tests []provingTest
	for _, declared := range file.Decls {
		f, is := declared.(*ast.FuncDecl)
		if !is || f.Recv != nil || !testName.MatchString(f.Name.Name) {
			continue
		}
		rules := append(rulesInName(f.Name.Name), rulesInComment(f.Doc.Text())...)
		slices.Sort(rules)
		tests = append(tests, provingTest{strings.TrimPrefix(filepath.ToSlash(folder), "test/") + "." + f.Name.Name, slices.Compact(rules)})
	}
	return tests, nil
}

var (
	testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]`)
	// ruleInName is D26 in TestStatusFilterD26, and in TestD26StatusOfEveryDay, and R5c in TestR5cAnswers.
	ruleInName = regexp.MustCompile(`[DEHJKLOQRS][0-9]{1,3}[a-h]?(To[DEHJKLOQRS][0-9]{1,3})?($|[A-Z_])`)
	ruleInText = regexp.MustCompile(`\b[DEHJKLOQRS][0-9]{1,3}[a-h]?\b`)
	// citation is a line "Rule: D9, D12", or (rules D9, D12) in a sentence.
	citation = regexp.MustCompile(`(?m)^Rules?: (.*)$|\(rules?\s([^)]*)\)`)
)

func rulesInName(name string) []string {
	var rules []string
	for rest := name; ; {
		at := ruleInName.FindStringIndex(rest)
		if at == nil {
			return rules
		}
		id := strings.TrimRight(rest[at[0]:at[1]], "_")
		if end := id[len(id)-1]; end >= 'A' && end <= 'Z' {
			id = id[:len(id)-1]
		}
		first, last, isSpan := strings.Cut(id, "To")
		if isSpan {
			rules = append(rules, span(first, last)...)
		} else {
			rules = append(rules, id)
		}
		rest = rest[at[0]+len(id):]
	}
}

// span returns the rules from D13 to D16.
func span(first, last string) []string {
	from, errFrom := strconv.Atoi(first[1:])
	to, errTo := strconv.Atoi(last[1:])
	if errFrom != nil || errTo != nil {
		return []string{first, last}
	}
	var rules []string
	for n := from; n <= to; n++ {
		rules = append(rules, fmt.Sprintf("%c%d", first[0], n))
	}
	return rules
}

func rulesInComment(text string) []string {
	var rules []string
	for _, c := range citation.FindAllStringSubmatch(text, -1) {
		rules = append(rules, ruleInText.FindAllString(c[1]+c[2], -1)...)
	}
	return rules
}

// writeTable writes docs/RULES.md.
func writeTable(bySection, proofs map[string][]string) string {
	var b strings.Builder
	b.WriteString(`# Which rule is proved where

Made by "make docs" from the names and comments of the tests.

A test proves the rules in its name (` + "`TestD26…`, `TestStatusFilterD26`" + `) and those that its comment cites, as
` + "`(rules D9, D18)` or in a line `Rule: D9, D18`" + `. Those of package conformance speak to the whole program over HTTP, on the
embedded default and on MySQL and Redis.

## The description, section by section

| section | proved by | the rules that settle the rest |
|---|---|---|
`)
	for _, s := range sections {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", s.title, cell(bySection[s.tests]), s.rules)
	}
	for _, part := range []struct {
		title string
		rules []rule
	}{{"The rules of the interface", described}, {"The rules of what else there is", added}} {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | says | proved by |\n|---|---|---|\n", part.title)
		for _, r := range part.rules {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.id, r.says, cell(proofs[r.id]))
		}
	}
	return b.String()
}

// cell writes the names of tests, one a line.
func cell(tests []string) string {
	if len(tests) == 0 {
		return "–"
	}
	return "`" + strings.Join(tests, "`<br>`") + "`"
}

// TestRulesOfNamesAndComments reads rules out of names and comments as people write them.
func TestRulesOfNamesAndComments(t *testing.T) {
	for name, want := range map[string]string{
		"TestD26StatusOfEveryDay":    "D26",
		"TestStatusFilterD26":        "D26",
		"TestD22aComments":           "D22a",
		"TestD3AKeyIsRevoked":        "D3",
		"TestR5cA4xxIsTemporary":     "R5c",
		"TestRegisterOnInvoiceD32E3": "D32 E3",
		"TestOrderValidateD13ToD16":  "D13 D14 D15 D16",
		"TestInspectJSON_R5":         "R5",
		"TestKIDByModulus10":         "",
		"TestDEFText":                "",
	} {
		equal(t, "rules of "+name, strings.Join(rulesInName(name), " "), want)
	}
	const comment = "TestX shows it (rules R1, D9 and\nE6f), as rule D1 does (rule D2).\nRule: D12, E7\nRule D3 is not cited.\n"
	equal(t, "rules of a comment", strings.Join(rulesInComment(comment), " "), "R1 D9 E6f D2 D12 E7")
}
