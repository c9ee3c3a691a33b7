package purr_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tableRow is a row of ARCHITECTURE.md's import table: package, what it is, may import.
var tableRow = regexp.MustCompile(`(?m)^\| ([a-z/]+) \| [^|]+ \| ?([a-z/, ]*) \|$`)

// TestImportTable holds the table in ARCHITECTURE.md: no package imports, of ours, what its row does not
// name, every package of the program has a row, and every row is of a package.
func TestImportTable(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{}
	_, tree, _ := strings.Cut(string(text), "\n## The tree")
	tree, _, _ = strings.Cut(tree, "\n## ")
	for _, row := range tableRow.FindAllStringSubmatch(tree, -1) {
		if row[1] == "package" {
			continue // the heading
		}
		allowed[row[1]] = strings.FieldsFunc(row[2], func(r rune) bool { return r == ',' || r == ' ' })
	}
	imports := readImports(t)
	for pkg, imported := range imports {
		names, known := allowed[pkg]
		if !known {
			t.Errorf("package %s has no row in ARCHITECTURE.md", pkg)
			continue
		}
		for _, i := range imported {
			if !slices.Contains(names, i) {
				t.Errorf("package %s imports %s, which its row in ARCHITECTURE.md does not name", pkg, i)
			}
		}
		for _, name := range names {
			if !slices.Contains(imported, name) {
				t.Errorf("package %s does not import %s, which its row in ARCHITECTURE.md names", pkg, name)
			}
		}
	}
	for pkg := range allowed {
		if _, found := imports[pkg]; !found {
			t.Errorf("ARCHITECTURE.md has a row for %s, which does not exist", pkg)
		}
	}
}

// TestProgramHoldsNothingOfItsTests: the browser, axe-core and all else that only tests need stay out of the program.
func TestProgramHoldsNothingOfItsTests(t *testing.T) {
	packages, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/purr").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(packages)) {
		if strings.Contains(pkg, "chromedp") || strings.Contains(pkg, "purr/test/testkit") || strings.Contains(pkg, "purr/internal/devtools") {
			t.Errorf("the program holds %s", strings.TrimSpace(pkg))
		}
	}
}

// readImports returns what each package of the program, tests and their tools apart, imports of ours.
func readImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != "." || d.Name() == "testkit" || d.Name() == "devtools") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		imports[pkg] = append(imports[pkg], ours(file.Imports)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func ours(specs []*ast.ImportSpec) []string {
	var names []string
	for _, spec := range specs {
		if name, is := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "purr/"); is {
			names = append(names, name)
		}
	}
	return names
}
