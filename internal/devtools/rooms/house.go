package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// house is what lies below a module's folder, without tests and what serves them.
type house struct {
	rooms                map[string]*room
	functions, fileSizes []size // the shortest first
	exported, documented int
	bare                 []string // exported things without a comment
}

// room is a folder at the top.
type room struct {
	packages     map[string]bool
	files, lines int
	imports      map[string]bool // other rooms
}

// size is how many lines something has.
type size struct {
	name  string
	lines int
}

// apart are folders that are no part of the program.
var apart = []string{"testkit", "devtools", "testdata", "test"}

// walk reads all Go files below root.
func walk(root string) (house, error) {
	h := house{rooms: map[string]*room{}}
	module, err := moduleName(root)
	if err != nil {
		return h, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(apart, d.Name())):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return h.add(path, filepath.ToSlash(inside), module)
	})
	byLines := func(a, b size) int { return cmp.Or(cmp.Compare(a.lines, b.lines), strings.Compare(a.name, b.name)) }
	slices.SortFunc(h.functions, byLines)
	slices.SortFunc(h.fileSizes, byLines)
	return h, err
}

// add takes the file in, whose path below the root is inside.
func (h *house) add(path, inside, module string) error {
	top, _, below := strings.Cut(inside, "/")
	if !below {
		return nil // of the root itself there is nothing but tests
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := files.Position(file.FileEnd).Line
	r := h.rooms[top]
	if r == nil {
		r = &room{packages: map[string]bool{}, imports: map[string]bool{}}
		h.rooms[top] = r
	}
	r.packages[filepath.Dir(inside)] = true
	r.files++
	r.lines += lines
	for _, spec := range file.Imports {
		imported, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/")
		if to, _, _ := strings.Cut(imported, "/"); ours && to != top {
			r.imports[to] = true
		}
	}
	h.fileSizes = append(h.fileSizes, size{inside, lines})
	h.measure(files, file, inside)
	return nil
}

// measure takes the functions and the exported things of the file in.
func (h *house) measure(files *token.FileSet, file *ast.File, inside string) {
	for _, declared := range file.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			h.functions = append(h.functions, size{inside + " " + d.Name.Name, files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1})
			if d.Name.IsExported() && exportedReceiver(d) {
				h.count(d.Doc != nil, inside+" "+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, name := range exportedNames(spec) {
					h.count(d.Doc != nil || commented(spec), inside+" "+name)
				}
			}
		}
	}
}

func (h *house) count(documented bool, name string) {
	h.exported++
	if documented {
		h.documented++
	} else {
		h.bare = append(h.bare, name)
	}
}

// exportedReceiver reports whether the function is no method, or one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}

func exportedNames(spec ast.Spec) []string {
	var names []string
	switch s := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			names = append(names, name.Name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}

func commented(spec ast.Spec) bool {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Doc != nil || s.Comment != nil
	case *ast.ValueSpec:
		return s.Doc != nil || s.Comment != nil
	}
	return false
}

// names returns the rooms by the stair, the lowest first, and then those that it does not name.
func (h *house) names(stair []string) []string {
	names := make([]string, 0, len(h.rooms))
	for name := range h.rooms {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(step(stair, a), step(stair, b)), strings.Compare(a, b))
	})
	return names
}

// up returns the arrows that run up the stair.
func (h *house) up(stair []string) [][2]string {
	var up [][2]string
	for _, name := range h.names(stair) {
		for _, to := range sorted(h.rooms[name].imports) {
			if step(stair, to) > step(stair, name) {
				up = append(up, [2]string{name, to})
			}
		}
	}
	return up
}

// circles returns the pairs of rooms that import each other.
func (h *house) circles() [][2]string {
	var pairs [][2]string
	for _, name := range h.names(nil) {
		for _, to := range sorted(h.rooms[name].imports) {
			if name < to && h.rooms[to] != nil && h.rooms[to].imports[name] {
				pairs = append(pairs, [2]string{name, to})
			}
		}
	}
	return pairs
}

// step is how high a room stands: one that the stair does not name, above all.
func step(stair []string, name string) int {
	if at := slices.Index(stair, name); at >= 0 {
		return at
	}
	return len(stair)
}

// at returns the size below which percent of them lie; sizes are sorted.
func at(sizes []size, percent int) size { return sizes[(len(sizes)-1)*percent/100] }

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func join(set map[string]bool) string { return strings.Join(sorted(set), " ") }

// tableRow is a row of the import table; the first cell is a package, or in bold a room.
var tableRow = regexp.MustCompile(`(?m)^\| (?:\*\*)?([a-z][a-z/]*)(?:\*\*)? \|[^|]*\|[^|]*\|$`)

// readStair returns the rooms in the order of ARCHITECTURE.md's import table.
func readStair(root string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		return nil, err
	}
	_, tree, _ := strings.Cut(string(text), "\n## The tree")
	tree, _, _ = strings.Cut(tree, "\n## ")
	var stair []string
	for _, row := range tableRow.FindAllStringSubmatch(tree, -1) {
		if name, _, _ := strings.Cut(row[1], "/"); name != "package" && !slices.Contains(stair, name) {
			stair = append(stair, name)
		}
	}
	return stair, nil
}

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

func moduleName(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	found := moduleLine.FindSubmatch(text)
	if found == nil {
		return "", os.ErrInvalid
	}
	return string(found[1]), nil
}
