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

// tableRow is a row of ARCHITECTURE.md's import table: package, what it is, may import. A room's own is bold.
var tableRow = regexp.MustCompile(`(?m)^\| (?:\*\*)?([a-z/]+)(?:\*\*)? \| [^|]+ \| ?([a-z/, ]*) \|$`)

// importRow is a package of the table with what it may import.
type importRow struct {
	pkg     string
	imports []string
}

func readTable(t *testing.T) []importRow {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(string(text), "\n## The tree")
	tree, _, _ = strings.Cut(tree, "\n## ")
	var rows []importRow
	for _, row := range tableRow.FindAllStringSubmatch(tree, -1) {
		if row[1] != "package" { // the heading
			rows = append(rows, importRow{row[1], strings.FieldsFunc(row[2], func(r rune) bool { return r == ',' || r == ' ' })})
		}
	}
	return rows
}

func roomOf(pkg string) string { room, _, _ := strings.Cut(pkg, "/"); return room }

// TestTheStair holds that the table is a stair: the packages of a room stand together, the room first, and none imports a
// room that stands below its own.
func TestTheStair(t *testing.T) {
	var stair []string
	for _, row := range readTable(t) {
		room := roomOf(row.pkg)
		if row.pkg == room {
			stair = append(stair, room)
		}
		if len(stair) == 0 || stair[len(stair)-1] != room {
			t.Errorf("the row of %s does not stand in its room", row.pkg)
			continue
		}
		for _, imported := range row.imports {
			if !slices.Contains(stair, roomOf(imported)) {
				t.Errorf("%s imports %s, whose room stands further down: that arrow runs up the stair", row.pkg, imported)
			}
		}
	}
	if len(stair) > 20 {
		t.Errorf("%d rooms; a stranger finds the way among 20", len(stair))
	}
}

// TestImportTable holds the table in ARCHITECTURE.md: no package imports, of ours, what its row does not
// name, every package of the program has a row, and every row is of a package or a room of packages.
func TestImportTable(t *testing.T) {
	allowed, rooms := map[string][]string{}, map[string]bool{}
	for _, row := range readTable(t) {
		allowed[row.pkg] = row.imports
	}
	imports := readImports(t)
	for pkg := range imports {
		rooms[roomOf(pkg)] = true
	}
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
		if _, found := imports[pkg]; !found && !rooms[pkg] {
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

// readImports returns what each package of the program imports of ours: tests, their tools and the examples of docs apart.
func readImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != "." || d.Name() == "testkit" || d.Name() == "devtools" || path == "docs") {
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
